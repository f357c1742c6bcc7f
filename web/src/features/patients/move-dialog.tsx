import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type MovePreview, patientFieldLabels, patientMerges } from '@radwork/contract/patient-merges';
import type { PatientDetails, PatientRow } from '@radwork/contract/patients';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction, wordsFor } from '#core/api.ts';
import { CancelButton } from '#ui/dialog-form.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { faultsIn, isAtFields } from '#ui/form-faults.ts';
import { formatLocal } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import { offerUndo } from '#ui/undo-toast.tsx';
import { identityOf } from '#ui/patient-in-words.ts';
import { counted } from './merge-dialog.tsx';
import styles from './merge-dialog.module.css';
import { PatientPicker } from './patient-picker.tsx';
import { refreshed, useUndoMerge } from './use-undo-merge.ts';

type Props = { patient: PatientDetails; opened: boolean; onClose: () => void };

const failedToMove = t`Failed to move the study. Please try again.`;

/** Moves a wrongly filed study to another patient: choose study and patient, then confirm. */
export function MoveDialog({ patient, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Move a study to another patient`} size={620}>
      <MoveStudy patient={patient} onClose={onClose} />
    </Dialog>
  );
}

const noStudy = { value: '', label: t`Choose a study` };

function MoveStudy({ patient, onClose }: Omit<Props, 'opened'>) {
  // Studies may change while the dialog is open; the selection must not jump to another one.
  const [picked, setPicked] = useState(patient.studies[0]?.id ?? noStudy.value);
  const [to, setTo] = useState<PatientRow>();
  if (to) return <Preview studyId={picked} to={to} onClose={onClose} />;
  const isHere = patient.studies.some(({ id }) => id === picked);
  const studies = patient.studies.map((one) => ({ value: one.id, label: titleOf(one) }));
  return (
    <div className={styles.form}>
      <NativeSelect
        label={t`Study`}
        value={isHere ? picked : noStudy.value}
        onChange={(event) => setPicked(event.currentTarget.value)}
        data={isHere ? studies : [noStudy, ...studies]}
      />
      {isHere && <PatientPicker label={t`Whose study is it?`} except={patient.id} onPick={setTo} />}
    </div>
  );
}

const titleOf = (study: { studyDate: string | null; modality: string; description: string }): string =>
  [formatLocal(study.studyDate) || 'No date', study.modality, study.description].filter(Boolean).join(' · ');

function Preview({ studyId, to, onClose }: { studyId: string; to: PatientRow; onClose: () => void }) {
  const preview = useQuery({
    ...query(patientMerges.previewMove, { params: { id: studyId, patientId: to.id } }),
    staleTime: 0,
    gcTime: 0,
  });
  if (preview.data) return <MoveForm preview={preview.data} onClose={onClose} />;
  if (preview.isPending) return <Skeleton lines={6} label={t`Loading preview`} />;
  return (
    <ErrorState
      failed={t`Failed to look at study and patient`}
      error={preview.error}
      onRetry={() => void preview.refetch()}
    />
  );
}

function MoveForm({ preview, onClose }: { preview: MovePreview; onClose: () => void }) {
  const { study, from, to, moves, differences, nameToConfirm } = preview;
  const move = useAction(patientMerges.move, { failed: failedToMove, refreshes: refreshed });
  const undo = useUndoMerge();
  const [confirmedName, setConfirmedName] = useState('');
  const send = () =>
    move.mutate(
      {
        params: { id: to.id },
        body: {
          studyId: study.id,
          studyRevision: study.revision,
          fromId: from.id,
          toRevision: to.revision,
          confirmedName,
        },
      },
      {
        onSuccess: ({ id }) => {
          onClose();
          offerUndo('Study moved', () => undo.mutate({ params: { id: to.id, mergeId: id } }));
        },
      },
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p>
        <Trans>
          <strong>{titleOf(study)}</strong> with {counted(moves.reports, 'report', 'reports')} moves.
        </Trans>
      </p>
      <dl className={styles.records}>
        <div>
          <dt>{t`From`}</dt>
          <dd>
            <strong>{from.patientName}</strong>
            <br />
            {identityOf(from)}
          </dd>
        </div>
        <div>
          <dt>{t`To`}</dt>
          <dd>
            <strong>{to.patientName}</strong>
            <br />
            {identityOf(to)}
          </dd>
        </div>
      </dl>
      <Notice tone="warning">
        {differences.length > 0
          ? t`The two differ in ${differences.map(({ field }) => patientFieldLabels[field].toLowerCase()).join(', ')}. `
          : ''}
        {t`The study is shown under the second patient from now on, and its reports with it. For 30 days this can be undone on the page of either.`}
      </Notice>
      {moves.links > 0 && (
        <Notice tone="warning">
          <Trans>{counted(moves.links, 'link', 'links')} to a report of the study</Trans>{' '}
          {moves.links === 1 ? 'stops' : 'stop'}
          <Trans> working: whoever has one would read of somebody else.</Trans>
        </Notice>
      )}
      {moves.signedReports > 0 && (
        <>
          <Notice tone="danger">
            <Trans>
              <strong>{counted(moves.signedReports, 'report is', 'reports are')} signed.</strong> A signed text is not
              changed, and it may name
            </Trans>{' '}
            {from.patientName || from.patientId}
            {t`. Read it before you move it to somebody else.`}
          </Notice>
          <TextInput
            label={t`To confirm, type the name of the patient whom it goes to: ${nameToConfirm}`}
            autoComplete="off"
            value={confirmedName}
            onChange={(event) => setConfirmedName(event.currentTarget.value)}
            error={faultsIn(move.error)['confirmedName']}
          />
        </>
      )}
      {move.error && !isAtFields(move.error) && <Notice tone="danger">{wordsFor(move.error, failedToMove)}</Notice>}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={move.isPending}>
          {t`Move study`}
        </Button>
      </div>
    </form>
  );
}
