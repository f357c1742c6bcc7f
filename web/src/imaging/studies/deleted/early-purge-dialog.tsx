import { plural, t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { earlyPurgeForm, studies } from '@radwork/contract/imaging/studies';
import type { DeletedStudy, EarlyPurge } from '@radwork/contract/imaging/study-rows';
import { useAction } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';
import { formatLocal } from '#ui/formats/formats.ts';

/** A deleted study for which the user is about to allow a replacement or to request a purge. */
export type PendingDecision = { study: DeletedStudy; kind: EarlyPurge['kind'] };

type Props = { pending: PendingDecision | undefined; onClose: () => void };

/** Asks for the reason of a purge before the retention ends, and says what will be lost. */
export function EarlyPurgeDialog({ pending, onClose }: Props) {
  const title = pending?.kind === 'PURGE' ? t`Request purge of this study?` : t`Allow replacement of this study?`;
  return (
    <Dialog opened={pending !== undefined} onClose={onClose} title={title} size={460}>
      {pending && <DecisionForm pending={pending} onClose={onClose} />}
    </Dialog>
  );
}

function DecisionForm({ pending: { study, kind }, onClose }: { pending: PendingDecision; onClose: () => void }) {
  const isPurge = kind === 'PURGE';
  const save = useAction(isPurge ? studies.requestPurge : studies.allowReplacement, {
    done: isPurge ? t`Purge requested` : t`Replacement allowed`,
    failed: isPurge ? t`Could not request the purge` : t`Could not allow the replacement`,
  });
  const form = useForm({ initialValues: { reason: '' }, validate: schemaResolver(earlyPurgeForm, { sync: true }) });
  return (
    <DialogForm
      verb={isPurge ? t`Request purge` : t`Allow replacement`}
      action={save}
      onCancel={onClose}
      onSubmit={form.onSubmit(
        (body) => save.mutate({ params: { id: study.id }, body }, { onSuccess: onClose }),
        (faults) => focusFirstInvalid(form.getInputNode, faults),
      )}
    >
      <LossOfPurge study={study} />
      <p>
        {isPurge
          ? t`Nothing is purged until a second user confirms.`
          : t`The first corrected file with a UID of this study purges it. Send all corrected images then.`}{' '}
        {t`Your name and the reason are recorded in the audit log.`}
      </p>
      <Textarea label={t`Reason`} withAsterisk data-autofocus rows={3} {...form.getInputProps('reason')} />
    </DialogForm>
  );
}

/** Says which study a purge destroys, and what else is lost with it. */
export function LossOfPurge({ study }: { study: DeletedStudy }) {
  const { patient, studyDate, seriesCount, instanceCount } = study;
  const series = t`${plural(seriesCount, { one: '# series', other: '# series' })}`;
  const images = t`${plural(instanceCount, { one: '# image', other: '# images' })}`;
  const what = [study.description || study.studyDescription || study.modality, formatLocal(studyDate)];
  return (
    <>
      <p>
        <strong>{patient.patientName}</strong> {patient.patientId}
        <br />
        {what.filter(Boolean).join(', ')}
      </p>
      <p>
        {t`${series} with ${images}, all draft reports and the chat of this study are lost for good.`}{' '}
        {t`A purge cannot be undone.`}
      </p>
    </>
  );
}
