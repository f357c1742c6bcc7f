import { t } from '@lingui/core/macro';
import { Radio, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { StudyWork } from '@radwork/contract/reading/workflow';
import { type FormEvent, type ReactNode, useState } from 'react';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import styles from './dialogs.module.css';
import { useNextStatus } from './use-next-status.ts';
import { useWork, useWorkAction } from './workflow-actions.ts';

type Props = {
  studyId: string;
  opened: boolean;
  onClose: () => void;
  /** Name of the study, shown if the dialog opens from a list. */
  about?: ReactNode;
};

/** Changes the status of a study to one of the allowed values. */
export function StatusDialog({ studyId, opened, onClose, about }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Update status`} size={460}>
      {about}
      <StatusOf studyId={studyId} onClose={onClose} />
    </Dialog>
  );
}

function StatusOf({ studyId, onClose }: Pick<Props, 'studyId' | 'onClose'>) {
  const work = useWork(studyId);
  if (work.isPending) return <Skeleton label={t`Loading status`} />;
  if (!work.data) {
    return <ErrorState failed={t`Error updating status`} error={work.error} onRetry={() => void work.refetch()} />;
  }
  const form = { studyId, work: work.data, onClose };
  return (
    <>
      <p className={styles.current}>
        {t`Current status`} <StudyStatusPill status={work.data.status} />
      </p>
      {work.data.refusals.reinstating === null ? <ReinstateForm {...form} /> : <NextStatusForm {...form} />}
    </>
  );
}

type FormProps = { studyId: string; work: StudyWork; onClose: () => void };

function NextStatusForm({ studyId, work, onClose }: FormProps) {
  const change = useWorkAction(studyId);
  const { chosen, revision, choose, forget } = useNextStatus(work);
  const [isMissing, setMissing] = useState(false);
  const [comments, setComments] = useState('');
  if (work.refusals.status !== null) return <Notice tone="info">{work.refusals.status}</Notice>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!chosen);
    if (!chosen) return;
    const action = { type: 'changeStatus', newStatus: chosen, comments, revision } as const;
    // Resets the choice on error, because another user may have changed the status. The comment stays.
    change.mutate(action, { onSuccess: onClose, onError: forget });
  };
  return (
    <DialogForm verb={t`Update status`} action={change} onSubmit={submit} onCancel={onClose}>
      <Radio.Group
        label={t`New status`}
        withAsterisk
        value={chosen ?? ''}
        onChange={choose}
        error={isMissing && !chosen && t`Please select a new status`}
      >
        <Stack gap={4} mt={4}>
          {work.moves.map((status, index) => (
            <Radio
              key={status}
              size="xs"
              value={status}
              data-autofocus={index === 0 || undefined}
              label={<StudyStatusPill status={status} />}
            />
          ))}
        </Stack>
      </Radio.Group>
      {chosen === 'CANCELLED' && (
        <Notice tone="warning">{t`Users cannot be assigned to a canceled study, and its report cannot be finalized.`}</Notice>
      )}
      <Textarea
        label={t`Comments`}
        rows={3}
        maxLength={2000}
        value={comments}
        onChange={(event) => setComments(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

/** Reinstates a study that was canceled by mistake. */
function ReinstateForm({ studyId, work, onClose }: FormProps) {
  const reinstate = useWorkAction(studyId);
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (text) => (text.trim() === '' ? t`Reason is required` : null) },
  });
  const submit = form.onSubmit(({ reason }) => reinstate.mutate({ type: 'reinstate', reason }, { onSuccess: onClose }));
  return (
    <>
      <DialogForm verb={t`Reinstate study`} action={reinstate} onSubmit={submit} onCancel={onClose}>
        <Notice tone="info">{t`The report and the assignments of the study determine its new status.`}</Notice>
        <Textarea
          label={t`Reason`}
          withAsterisk
          rows={3}
          maxLength={2000}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      </DialogForm>
      {work.moves.length > 0 && (
        <details className={styles.other}>
          <summary>{t`Select another status instead`}</summary>
          <NextStatusForm studyId={studyId} work={work} onClose={onClose} />
        </details>
      )}
    </>
  );
}
