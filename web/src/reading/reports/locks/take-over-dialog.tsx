import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReadingOfReport, readingLocks } from '@radwork/contract/reading/reading-locks';
import { useQueryClient } from '@tanstack/react-query';
import { useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';

type Props = {
  studyId: string;
  reading: ReadingOfReport;
  isAnother: boolean;
  opened: boolean;
  onClose: () => void;
  onTakenOver: () => void;
};

/** Takes over a report from its writer. The writer receives the reason. */
export function TakeOverDialog({ opened, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t`Take over report`} size={460}>
      <TakeOverForm {...form} />
    </Dialog>
  );
}

function TakeOverForm({ studyId, reading, isAnother, onClose, onTakenOver }: Omit<Props, 'opened'>) {
  const client = useQueryClient();
  const { name } = reading;
  const takeOver = useAction(readingLocks.take, { failed: t`Error taking over report` });
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (text) => (text.trim() === '' ? t`Reason is required` : null) },
  });
  const submit = form.onSubmit(async ({ reason }) => {
    const body = { takeOverFrom: reading.username, reason, isAnother };
    try {
      await takeOver.mutateAsync({ params: { id: studyId }, body });
    } catch {
      // The dialog shows the error. Fetches the study, because another user may hold the lock by now.
      await client.invalidateQueries({ queryKey: ['studies'] });
      return;
    }
    onTakenOver();
    onClose();
  });
  return (
    <DialogForm verb={t`Take over`} action={takeOver} onSubmit={submit} onCancel={onClose}>
      <Notice tone="warning">
        {t`${name} can then only read the report. Saved text is in the report. Unsaved text stays with ${name} and is not visible to you.`}
      </Notice>
      <Textarea
        label={t`Reason`}
        description={t`${name} sees the reason. The audit log records it.`}
        withAsterisk
        rows={3}
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
