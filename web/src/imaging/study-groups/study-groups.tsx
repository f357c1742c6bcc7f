import { t } from '@lingui/core/macro';
import { Button, MultiSelect } from '@mantine/core';
import { groups } from '@radwork/contract/identity/groups';
import { studyGroups } from '@radwork/contract/imaging/study-groups';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessageOf, query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './study-groups.module.css';

/** The groups of a study. Users who may assign studies change them. Empty while the organization has no groups. */
export function StudyGroups({ studyId }: { studyId: string }) {
  const offered = useQuery(query(groups.list, {})).data ?? [];
  if (offered.length === 0) return null;
  return <Groups studyId={studyId} offered={offered} />;
}

type Props = { studyId: string; offered: readonly { id: string; name: string }[] };

function Groups({ studyId, offered }: Props) {
  const stored = useQuery(query(studyGroups.list, { params: { id: studyId } }));
  const [chosen, setChosen] = useState<{ revision: number; groupIds: string[] }>();
  const replace = useAction(studyGroups.replace, {
    done: t`Groups saved`,
    failed: t`Failed to save the groups`,
    refreshes: ['studies'],
  });
  if (!stored.data) return null;
  const { revision, groups: groupsOfStudy } = stored.data;
  const names = groupsOfStudy.map(({ name }) => name).join(', ');
  const save = (body: { revision: number; groupIds: string[] }) =>
    replace.mutate({ params: { id: studyId }, body }, { onSuccess: () => setChosen(undefined) });
  return (
    <section className={styles.part} aria-label={t`Groups`}>
      <h2>{t`Groups`}</h2>
      {chosen === undefined ? (
        <p>{names || <span className="muted">{t`No groups. Limited users do not see this study.`}</span>}</p>
      ) : (
        <MultiSelect
          aria-label={t`Groups`}
          data={offered.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen.groupIds}
          searchable
          clearable
          onChange={(groupIds) => setChosen({ ...chosen, groupIds })}
        />
      )}
      {replace.error && <Notice tone="danger">{errorMessageOf(replace.error, t`Failed to save the groups`)}</Notice>}
      {may(studyGroups.replace) && chosen === undefined && (
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => setChosen({ revision, groupIds: groupsOfStudy.map(({ id }) => id) })}
        >
          {t`Change groups`}
        </Button>
      )}
      {chosen !== undefined && (
        <div className={styles.buttons}>
          <Button variant="default" size="compact-xs" onClick={() => setChosen(undefined)}>
            {t`Cancel`}
          </Button>
          <Button size="compact-xs" loading={replace.isPending} onClick={() => save(chosen)}>
            {t`Save`}
          </Button>
        </div>
      )}
    </section>
  );
}
