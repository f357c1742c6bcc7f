import { plural, t } from '@lingui/core/macro';
import { Button, TextInput } from '@mantine/core';
import { IconCopy, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { toast } from '#core/browser/toasts.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { type ShownImage, useShownImage, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { asWritten } from '#reading/viewer/images/header/frame-attributes.ts';
import { asText, isFound, tagRows } from '#reading/viewer/images/header/tag-rows.ts';
import styles from './tag-browser.module.css';
import { TagTable } from './tag-table.tsx';

type Props = { opened: boolean; view: View | undefined; onClose: () => void };

/** Lists all DICOM elements of the current image, as stored in the archive. */
export function TagBrowser({ opened, view, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`DICOM tags`} size={980}>
      {view ? <Tags key={view.viewport.id} view={view} /> : <p className="muted">{t`No image in this viewport.`}</p>}
    </Dialog>
  );
}

/** The dictionary is large, so it loads on demand. */
const dictionary = {
  queryKey: ['viewer', 'dictionary'],
  queryFn: () => import('@radwork/dicom/dictionary'),
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
};

function Tags({ view }: { view: View }) {
  const shownImage = useShownImage(view);
  const { data, error, refetch } = useQuery(dictionary);
  if (error)
    return <ErrorState failed={t`Tag names could not be loaded`} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={8} label={t`Loading tag names`} />;
  if (!shownImage) return <p className="muted">{t`The image is still loading.`}</p>;
  return <TagsOf shownImage={shownImage} keywordOf={(tag) => data.entryOf(tag)?.keyword} />;
}

type TagsOfProps = { shownImage: ShownImage; keywordOf: (tag: string) => string | undefined };

function TagsOf({ shownImage: { image }, keywordOf }: TagsOfProps) {
  const [sought, setSought] = useState('');
  const searchText = useDeferredValue(sought);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the dictionary is always the same
  const all = useMemo(() => tagRows(asWritten(image.header), keywordOf), [image.header]);
  const rows = useMemo(() => all.filter((row) => isFound(row, searchText)), [all, searchText]);
  const [found, total] = [rows.length, all.length];
  const { frame, numberOfFrames } = image;
  const number = image.instanceNumber ?? '–';
  return (
    <div className={styles.browser}>
      <div className={styles.head}>
        <TextInput
          autoFocus
          type="search"
          aria-label={t`Find a tag`}
          placeholder={t`Name, tag or value`}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <span role="status" className={styles.count}>
          {found === total
            ? t`${plural(total, { one: '# line', other: '# lines' })}`
            : t`${found} of ${plural(total, { one: '# line', other: '# lines' })}`}
        </span>
        <span className={styles.image}>
          {numberOfFrames > 1 ? t`Image ${number}, frame ${frame} of ${numberOfFrames}` : t`Image ${number}`}
        </span>
        <Button
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={() => void copy(asText(rows))}
        >
          {t`Copy`}
        </Button>
      </div>
      {rows.length === 0 ? <p className="muted">{t`No matching tags.`}</p> : <TagTable rows={rows} onCopy={copy} />}
    </div>
  );
}

const copy = async (text: string) => {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(t`Copied`);
  } catch {
    toast.failure(t`The browser did not allow copying`);
  }
};
