import { Checkbox, Modal, SegmentedControl, TextInput } from '@mantine/core';
import type { Report } from '@radwork/contract/reports';
import { type FormEvent, useState } from 'react';
import { Notice } from '#ui/notice.tsx';
import { DialogForm } from '#ui/dialog-form.tsx';
import styles from './dialogs.module.css';
import { Refiled } from './refiled.tsx';
import { useFinalizeReport } from './report-actions.ts';
import { SignaturePad } from './signature-pad.tsx';
import { typedSignature } from './typed-signature.ts';

type Props = { report: Report; opened: boolean; onClose: () => void };

/** The last step: confirmation and signature. */
export function FinalizeDialog({ opened, onClose, report }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Finalize report" size={460}>
      <FinalizeForm report={report} onClose={onClose} />
    </Modal>
  );
}

function FinalizeForm({ report, onClose }: Omit<Props, 'opened'>) {
  const finalize = useFinalizeReport();
  const [signature, setSignature] = useState<string>();
  const { refiledAt } = report;
  // What somebody confirmed of one patient is not confirmed of another, if the study is moved meanwhile.
  const [confirmed, setConfirmed] = useState<Pick<Report, 'refiledAt'>>();
  const isConfirmed = confirmed?.refiledAt === refiledAt;
  const [isChecked, setIsChecked] = useState(false);

  const missingSignature = report.signatureRequired && !signature && 'Signature is required';
  const missingTick = !isConfirmed && 'Please confirm the report accuracy';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (missingSignature || missingTick) return;
    const { id, content, revision } = report;
    finalize.mutate(
      { params: { id }, body: { content, revision, ...(signature && { signatureData: signature }) } },
      { onSuccess: onClose },
    );
  };

  return (
    <DialogForm verb="Finalize report" action={finalize} onSubmit={submit} onCancel={onClose}>
      <Notice tone="warning">Finalizing cannot be undone. The text can never be changed afterwards.</Notice>
      <Refiled report={report} />
      {report.signatureRequired && <SignatureField onChange={setSignature} error={isChecked && missingSignature} />}
      <Checkbox
        size="sm"
        label="I confirm that this report is complete and accurate"
        checked={isConfirmed}
        error={isChecked && missingTick}
        onChange={(event) => setConfirmed(event.currentTarget.checked ? { refiledAt } : undefined)}
      />
    </DialogForm>
  );
}

type SignatureProps = { onChange: (picture: string | undefined) => void; error: string | false };

function SignatureField({ onChange, error }: SignatureProps) {
  const [way, setWay] = useState<'draw' | 'type'>('draw');
  const choose = (next: string) => {
    setWay(next === 'type' ? 'type' : 'draw');
    onChange(undefined);
  };
  return (
    <div className={styles.form} role="group" aria-label="Signature">
      <SegmentedControl
        size="xs"
        value={way}
        onChange={choose}
        data={[
          { value: 'draw', label: 'Draw' },
          { value: 'type', label: 'Type' },
        ]}
      />
      {way === 'draw' ? (
        <SignaturePad onChange={onChange} />
      ) : (
        <TextInput
          label="Full name"
          withAsterisk
          autoComplete="name"
          maxLength={120}
          onChange={(event) => onChange(typedSignature(event.currentTarget.value))}
        />
      )}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
