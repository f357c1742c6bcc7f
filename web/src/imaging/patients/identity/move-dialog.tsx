import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type MovePreview, patientFieldLabels, patientMerges } from '@radwork/contract/imaging/patient-merges';
import type { PatientDetails, PatientRow } from '@radwork/contract/imaging/patients';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf, isShownAtFields } from '#ui/forms/field-errors.ts';
import { formatLocal } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { patientIdentityText } from '#ui/formats/patient-identity-text.ts';

import styles from './merge-dialog.module.css';
import { PatientPicker } from './patient-picker.tsx';
import { affectedQueries, useUndoMerge } from './use-undo-merge.ts';

type Props = { patient: PatientDetails; opened: boolean; onClose: () => void };

const failedToMove = t`Failed to move the study. Please try again.`;

/** Moves a wrongly filed study to another patient. The user chooses study and patient, then confirms. */
export function MoveDialog({ patient, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Move a study to another patient`} size={620}>
      <MoveStudy patient={patient} onClose={onClose} />
    </Dialog>
  );
}

const noStudy = { value: '', label: t`Choose a study` };

function MoveStudy({ patient, onClose }: Omit<Props, 'opened'>) {
  // The selected study, stored by ID. The list may change while the dialog is open, and the selection must not move to
  // another study.
  const [picked, setPicked] = useState(patient.studies[0]?.id ?? noStudy.value);
  const [to, setTo] = useState<PatientRow>();
  if (to) return <Preview studyId={picked} to={to} onClose={onClose} />;
  const isHere = patient.studies.some(({ id }) => id === picked);
  const studies = patient.studies.map((study) => ({ value: study.id, label: titleOf(study) }));
  return (
    <div className={styles.form}>
      <NativeSelect
        label={t`Study`}
        value={isHere ? picked : noStudy.value}
        onChange={(event) => setPicked(event.currentTarget.value)}
        data={isHere ? studies : [noStudy, ...studies]}
      />
      {isHere && <PatientPicker label={t`Patient of the study`} except={patient.id} onPick={setTo} />}
    </div>
  );
}

const titleOf = (study: { studyDate: string | null; modality: string; description: string }): string =>
  [formatLocal(study.studyDate) || t`No date`, study.modality, study.description].filter(Boolean).join(' · ');

function Preview({ studyId, to, onClose }: { studyId: string; to: PatientRow; onClose: () => void }) {
  const preview = useQuery({
    ...query(patientMerges.previewMove, { params: { id: studyId, patientId: to.id } }),
    staleTime: 0,
    gcTime: 0,
  });
  if (preview.data) return <MoveForm preview={preview.data} onClose={onClose} />;
  if (preview.isPending) return <Skeleton lines={6} label={t`Loading preview`} />;
  return (
    <ErrorState failed={t`Failed to load the preview`} error={preview.error} onRetry={() => void preview.refetch()} />
  );
}

function MoveForm({ preview, onClose }: { preview: MovePreview; onClose: () => void }) {
  const { study, from, to, moves, differences, nameToConfirm } = preview;
  const move = useAction(patientMerges.move, { failed: failedToMove, refreshes: affectedQueries });
  const undo = useUndoMerge();
  const { reports, links, signedReports } = moves;
  const title = titleOf(study);
  const fields = differences.map(({ field }) => patientFieldLabels[field]).join(', ');
  const formerPatient = from.patientName || from.patientId;
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
          offerUndo(t`Study moved`, () => undo.mutate({ params: { id: to.id, mergeId: id } }));
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
          Study to move: <strong>{title}</strong> with <Plural value={reports} one="# report" other="# reports" />
        </Trans>
      </p>
      <dl className={styles.records}>
        <div>
          <dt>{t`From`}</dt>
          <dd>
            <strong>{from.patientName}</strong>
            <br />
            {patientIdentityText(from)}
          </dd>
        </div>
        <div>
          <dt>{t`To`}</dt>
          <dd>
            <strong>{to.patientName}</strong>
            <br />
            {patientIdentityText(to)}
          </dd>
        </div>
      </dl>
      <Notice tone="warning">
        {fields !== '' && <>{t`The patients differ in these fields: ${fields}.`} </>}
        {t`The study and its reports will appear under the other patient. You can undo the move for 30 days on the page of either patient.`}
      </Notice>
      {links > 0 && (
        <Notice tone="warning">
          <Plural
            value={links}
            one="# share link of the study will stop working, because its recipient would read about another patient."
            other="# share links of the study will stop working, because their recipients would read about another patient."
          />
        </Notice>
      )}
      {signedReports > 0 && (
        <>
          <Notice tone="danger">
            <Trans>
              <strong>
                <Plural value={signedReports} one="# report is signed." other="# reports are signed." />
              </strong>{' '}
              Signed text does not change and may name {formerPatient}. Read it before you move the study.
            </Trans>
          </Notice>
          <TextInput
            label={t`Name of the new patient, to confirm: ${nameToConfirm}`}
            autoComplete="off"
            value={confirmedName}
            onChange={(event) => setConfirmedName(event.currentTarget.value)}
            error={fieldErrorsOf(move.error)['confirmedName']}
          />
        </>
      )}
      {move.error && !isShownAtFields(move.error) && (
        <Notice tone="danger">{errorMessageOf(move.error, failedToMove)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={move.isPending}>
          {t`Move study`}
        </Button>
      </div>
    </form>
  );
}
