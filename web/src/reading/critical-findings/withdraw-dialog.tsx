import { t } from '@lingui/core/macro';
import { Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { type CriticalFinding, withdrawalForm } from '@radwork/contract/reading/critical-findings';
import { useState } from 'react';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import styles from './dialogs.module.css';
import { useWithdraw } from './finding-actions.ts';

type Props = { finding: CriticalFinding; opened: boolean; onClose: () => void };

/** Withdraws a finding that was recorded by mistake. */
export function WithdrawDialog({ finding, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Withdraw critical finding`} size={460}>
      <WithdrawForm finding={finding} onClose={onClose} />
    </Dialog>
  );
}

function WithdrawForm({ finding, onClose }: Omit<Props, 'opened'>) {
  const withdraw = useWithdraw();
  // Number of times that the study had moved to another patient when the dialog opened. If it has moved since, the
  // finding may be right for the new patient.
  const [restarts] = useState(finding.restarts.length);
  const form = useForm({
    initialValues: { reason: '' },
    validate: schemaResolver(withdrawalForm, { sync: true }),
  });
  const submit = form.onSubmit(({ reason }) =>
    withdraw.mutate({ params: { id: finding.id }, body: { reason, restarts } }, { onSuccess: onClose }),
  );
  return (
    <DialogForm verb={t`Withdraw finding`} action={withdraw} onSubmit={submit} onCancel={onClose}>
      <p className={styles.finding}>{finding.finding}</p>
      <p>
        {t`Withdrawing stops all notifications and removes the mark from the report. The finding stays on record with your reason and cannot be reopened.`}{' '}
        {t`Recipients in Radwork are notified. Inform external recipients yourself.`}
      </p>
      <Textarea
        label={t`Reason`}
        withAsterisk
        rows={2}
        maxLength={4000}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
