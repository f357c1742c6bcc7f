import { t } from '@lingui/core/macro';
import { Checkbox, NumberInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type PeerReviewSettings, peerReviews, peerReviewSettings } from '@radwork/contract/reading/peer-reviews';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { useSavePeerReviewSettings } from './peer-review-actions.ts';

/** Sets the share of reports for peer review, hidden names, and the wording of the grades. */
export function PeerReviewSettingsDialog({ onClose }: { onClose: () => void }) {
  const settings = useQuery(query(peerReviews.settings, {}));
  return (
    <Dialog opened onClose={onClose} title={t`Peer review settings`} size={520}>
      {settings.isPending && <Skeleton lines={6} label={t`Loading settings`} />}
      {settings.isLoadingError && (
        <ErrorState
          failed={t`Could not load the settings`}
          error={settings.error}
          onRetry={() => void settings.refetch()}
        />
      )}
      {settings.data && <SettingsForm settings={settings.data} onClose={onClose} />}
    </Dialog>
  );
}

function SettingsForm({ settings, onClose }: { settings: PeerReviewSettings; onClose: () => void }) {
  const save = useSavePeerReviewSettings();
  const form = useForm({
    initialValues: settings,
    validate: schemaResolver(peerReviewSettings, { sync: true }),
  });
  return (
    <DialogForm
      verb={t`Save`}
      action={save}
      onCancel={onClose}
      onSubmit={form.onSubmit((body) => save.mutate({ body }, { onSuccess: onClose }))}
    >
      <NumberInput
        label={t`Share of the signed reports of each reader and month, in percent`}
        description={t`With 0, no report is chosen at random.`}
        min={0}
        max={100}
        allowDecimal={false}
        data-autofocus
        {...form.getInputProps('percent')}
      />
      <Checkbox
        label={t`Hide the author from the reviewer`}
        description={t`In peer reviews only. The report itself keeps its author.`}
        {...form.getInputProps('hidesAuthor', { type: 'checkbox' })}
      />
      <Checkbox
        label={t`Hide the reviewer from the author`}
        {...form.getInputProps('hidesReviewer', { type: 'checkbox' })}
      />
      {settings.grades.map((_, at) => {
        const grade = at + 1;
        return (
          <TextInput
            key={grade}
            label={t`Wording of grade ${grade}`}
            maxLength={200}
            {...form.getInputProps(`grades.${at}`)}
          />
        );
      })}
    </DialogForm>
  );
}
