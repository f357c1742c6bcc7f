import { t } from '@lingui/core/macro';
import { Textarea, TextInput } from '@mantine/core';
import { medicalReportFaults } from '@radwork/contract/reading/drafting';
import type { WritingSettings } from '@radwork/contract/reading/reporting-settings';
import { studies } from '@radwork/contract/imaging/studies';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { query } from '#core/http/api.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './drafting.module.css';
import { providerLabel, whereTextGoes } from './provider-label.ts';

export type ReportDraftInput = { studyDescription: string; findings: string };

type Props = {
  opened: boolean;
  onClose: () => void;
  studyId: string;
  /** The selected text, or the whole text of the report. */
  findings: string;
  drafting: WritingSettings['drafting'];
  onGenerate: (input: ReportDraftInput) => void;
};

/** Asks for the inputs from which AI drafts a report. */
export function DraftReportDialog({ opened, onClose, studyId, ...form }: Props) {
  const study = useQuery({ ...query(studies.get, { params: { id: studyId } }), enabled: opened });
  const description = study.data?.description || study.data?.studyDescription || '';
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Generate report`} size={560}>
      {study.isPending ? (
        <Skeleton lines={5} />
      ) : (
        <ReportForm {...form} onClose={onClose} studyDescription={description} />
      )}
    </Dialog>
  );
}

function ReportForm({
  studyDescription,
  findings,
  drafting,
  onGenerate,
  onClose,
}: Omit<Props, 'opened' | 'studyId'> & { studyDescription: string }) {
  const [typed, setTyped] = useState({ studyDescription, findings });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const change = (part: Partial<ReportDraftInput>) => {
    setTyped({ ...typed, ...part });
    setFaults({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const nextFaults = medicalReportFaults(typed);
    setFaults(nextFaults);
    if (Object.keys(nextFaults).length > 0) return;
    onGenerate(typed);
    onClose();
  };
  return (
    <DialogForm
      verb={t`Generate report`}
      action={{ isPending: false, error: null }}
      onSubmit={submit}
      onCancel={onClose}
    >
      {Object.keys(faults).length > 1 && <Notice tone="danger">{t`Please fill in all required fields`}</Notice>}
      <TextInput
        label={t`Study description`}
        withAsterisk
        value={typed.studyDescription}
        error={faults['studyDescription']}
        onChange={(event) => change({ studyDescription: event.currentTarget.value })}
      />
      <Textarea
        label={t`Findings`}
        description={t`One finding per line`}
        withAsterisk
        data-autofocus
        rows={8}
        value={typed.findings}
        error={faults['findings']}
        onChange={(event) => change({ findings: event.currentTarget.value })}
      />
      <p className={styles.hint}>
        <strong>{providerLabel(drafting)}.</strong> {whereTextGoes(drafting)} {t`The report is inserted as a proposal.`}
      </p>
    </DialogForm>
  );
}
