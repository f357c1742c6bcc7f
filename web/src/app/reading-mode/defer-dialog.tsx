import { t } from '@lingui/core/macro';
import { NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';

type Props = {
  study: { id: string };
  opened: boolean;
  onClose: () => void;
  onDeferred: () => void;
};

/** Puts a study off for a time, with a reason. */
export function DeferDialog({ opened, ...form }: Props) {
  return (
    <Dialog opened={opened} onClose={form.onClose} title={t`Defer study`} size={420}>
      <DeferForm {...form} />
    </Dialog>
  );
}

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** Periods in hours. */
const periods = () => [
  { value: '0.5', label: t`30 minutes` },
  { value: '1', label: t`1 hour` },
  { value: '2', label: t`2 hours` },
  { value: '4', label: t`4 hours` },
  { value: '24', label: t`1 day` },
  { value: '168', label: t`1 week` },
];

function DeferForm({ study, onClose, onDeferred }: Omit<Props, 'opened'>) {
  const defer = useAction(readingQueue.defer, {
    done: t`Study deferred`,
    failed: t`Error deferring study`,
    refreshes: ['studies', 'reading-queue'],
  });
  const form = useForm({
    initialValues: { hours: '1', reason: '' },
    validate: { reason: (text) => (text.trim() === '' ? t`Reason is required` : null) },
  });
  const submit = form.onSubmit(({ hours, reason }) => {
    defer.mutate(
      { params: { id: study.id }, body: { until: inHours(Number(hours)), reason } },
      {
        onSuccess: () => {
          onClose();
          onDeferred();
        },
      },
    );
  });
  return (
    <DialogForm verb={t`Defer study`} action={defer} onSubmit={submit} onCancel={onClose}>
      <NativeSelect label={t`Return to my queue in`} data={periods()} {...form.getInputProps('hours')} />
      <Textarea
        label={t`Reason`}
        description={t`Only you see the reason.`}
        withAsterisk
        rows={2}
        maxLength={500}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
