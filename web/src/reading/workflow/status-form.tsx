import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import { studyStatusLabels } from '@radwork/contract/imaging/study-status';
import type { StudyWork } from '@radwork/contract/reading/workflow';
import { type FormEvent, useState } from 'react';
import { Notice } from '#ui/feedback/notice.tsx';
import { useNextStatus } from './use-next-status.ts';
import { failureOf, useWorkAction } from './workflow-actions.ts';
import styles from './workflow-panel.module.css';

/** Changes the status of a study in two clicks. For a comment, users open the dialog. */
export function StatusForm({ studyId, work }: { studyId: string; work: StudyWork }) {
  const { chosen, revision, choose, forget } = useNextStatus(work);
  const [isMissing, setMissing] = useState(false);
  const change = useWorkAction(studyId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!chosen);
    if (!chosen) return;
    change.mutate({ type: 'changeStatus', newStatus: chosen, comments: '', revision }, { onSettled: forget });
  };
  const failure = failureOf(change);
  return (
    <form className={styles.statusForm} onSubmit={submit} noValidate>
      <NativeSelect
        size="xs"
        aria-label={t`Next status`}
        data={[
          { value: '', label: t`Next status…` },
          ...work.moves.map((move) => ({ value: move, label: studyStatusLabels[move] })),
        ]}
        value={chosen ?? ''}
        error={isMissing && !chosen && t`Please select a status`}
        onChange={(event) => {
          choose(event.currentTarget.value);
          change.reset();
        }}
      />
      <Button type="submit" variant="default" loading={change.isPending}>
        {t`Update`}
      </Button>
      {failure && (
        <div className={styles.failure}>
          <Notice tone="danger" onClose={change.reset}>
            {failure}
          </Notice>
        </div>
      )}
    </form>
  );
}
