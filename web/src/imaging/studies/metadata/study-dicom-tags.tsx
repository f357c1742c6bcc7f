import { formatNumber } from '#ui/formats/formats.ts';
import { plural, t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import type { DicomTag } from '@radwork/contract/imaging/study-rows';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { EmptyState, ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { VirtualRows } from '#ui/tables/virtual-rows.tsx';
import styles from './study-dicom-tags.module.css';
import { depthOf, tagsMatching } from './tag-filter.ts';

/** Lists every header element of the first instance of a study, unchanged. */
export function StudyDicomTags({ studyId }: { studyId: string }) {
  const tags = useQuery(useAuditedQuery(studies.tags, { params: { id: studyId } }));
  if (tags.isPending) {
    return (
      <div className={styles.waiting}>
        <Skeleton lines={10} label={t`Loading DICOM tags`} />
      </div>
    );
  }
  if (tags.isError) {
    return <ErrorState failed={t`Error loading DICOM tags`} error={tags.error} onRetry={() => void tags.refetch()} />;
  }
  if (tags.data.length === 0) return <EmptyState title={t`No DICOM tags`} detail={t`This study has no images yet.`} />;
  return <TagList tags={tags.data} />;
}

function TagList({ tags }: { tags: readonly DicomTag[] }) {
  const [text, setText] = useState('');
  const matches = useMemo(() => tagsMatching(tags, text), [tags, text]);
  const all = tags.length;
  const [count, total] = [formatNumber(matches.length), formatNumber(all)];
  return (
    <>
      <div className={styles.head}>
        <TextInput
          placeholder={t`Search keyword, tag or value`}
          aria-label={t`Search DICOM tags`}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <p className={styles.count} role="status">
          {matches.length === tags.length
            ? t`${plural(all, { one: '# element of the first image', other: '# elements of the first image' })}`
            : t`${count} of ${total} elements`}
        </p>
      </div>
      {/* Remounts for a new search, so that the list starts at the top. */}
      <VirtualRows
        key={text}
        label={t`DICOM tags`}
        count={matches.length}
        rowHeight={44}
        keyOf={(index) => matches[index]?.id ?? index}
      >
        {(index) => <TagRow tag={matches[index]} />}
      </VirtualRows>
    </>
  );
}

function TagRow({ tag }: { tag: DicomTag | undefined }) {
  if (!tag) return null;
  const { keyword, tagId, valueRepresentation, value } = tag;
  return (
    <div className={styles.tag} style={{ paddingLeft: 16 + 14 * depthOf(tag) }}>
      <p className={styles.name}>
        <span className={styles.id}>{tagId}</span>
        <span className={styles.vr}>{valueRepresentation}</span>
        <span className={styles.keyword} title={keyword}>
          {keyword || t`Private or unknown`}
        </span>
      </p>
      <p className={styles.value} title={value}>
        {value}
      </p>
    </div>
  );
}
