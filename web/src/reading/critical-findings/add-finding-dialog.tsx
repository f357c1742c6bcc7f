import { t } from '@lingui/core/macro';
import { Select, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { criticalFindingForm } from '@radwork/contract/reading/critical-findings';
import { criticalSeverities, severityLabels } from '@radwork/contract/reading/critical-finding-states';
import type { Report } from '@radwork/contract/reading/reports';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { useAddCriticalFinding } from './finding-actions.ts';

type Props = { report: Report; opened: boolean; onClose: () => void };

const severities = criticalSeverities.map((value) => ({ value, label: severityLabels[value] }));

/** Records a finding that must be communicated within a time limit. */
export function AddFindingDialog({ opened, onClose, report }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Add critical finding`} size={460}>
      <AddFindingForm report={report} onClose={onClose} />
    </Dialog>
  );
}

function AddFindingForm({ report, onClose }: Omit<Props, 'opened'>) {
  const add = useAddCriticalFinding();
  const form = useForm({
    initialValues: { finding: '', severity: '' },
    validate: schemaResolver(criticalFindingForm, { sync: true }),
  });
  const submit = form.onSubmit((body) => add.mutate({ params: { id: report.id }, body }, { onSuccess: onClose }));
  return (
    <DialogForm verb={t`Add finding`} action={add} onSubmit={submit} onCancel={onClose}>
      <Textarea
        label={t`Finding`}
        withAsterisk
        rows={3}
        maxLength={4000}
        data-autofocus
        {...form.getInputProps('finding')}
      />
      <Select
        label={t`Severity`}
        withAsterisk
        placeholder={t`Select`}
        data={severities}
        {...form.getInputProps('severity')}
      />
      <p className="muted">{t`The care team is notified now. The timer stops when you record the communication.`}</p>
    </DialogForm>
  );
}
