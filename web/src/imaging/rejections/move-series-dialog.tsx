import { plural, t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import type { PatientRow } from '@radwork/contract/imaging/patients';
import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { rejections } from '@radwork/contract/imaging/rejections';
import { type SeriesMove, seriesMoves } from '@radwork/contract/imaging/series-moves';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { DialogForm } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { formatLocal } from '#ui/formats/formats.ts';
import { MoveProgress, useMoves } from './move-progress.tsx';
import styles from './move-series-dialog.module.css';
import { changedNouns, useRestoreImages } from './use-restore-images.ts';

type Series = StudyDetails['series'][number];

/** A series that the user is about to move. */
export type PendingMove = { study: StudyDetails; series: Series };

/** Input to find another patient. */
export type PatientPickerType = ComponentType<{ label: string; except: string; onPick: (patient: PatientRow) => void }>;

type Props = { pending: PendingMove | undefined; PatientPicker: PatientPickerType; onClose: () => void };

/** Moves a series to another study of its patient or of another patient. */
export function MoveSeriesDialog({ pending, PatientPicker, onClose }: Props) {
  return (
    <Dialog opened={pending !== undefined} onClose={onClose} title={t`Move series?`} size={560}>
      {pending && <MoveForm pending={pending} PatientPicker={PatientPicker} onClose={onClose} />}
    </Dialog>
  );
}

type NamedPatient = Pick<PatientRow, 'id' | 'patientName' | 'patientId'>;

const newStudy = '';

const titleOf = (study: Pick<StudyDetails, 'studyDate' | 'modality' | 'description' | 'studyDescription'>): string =>
  [formatLocal(study.studyDate) || t`No date`, study.modality, study.description || study.studyDescription]
    .filter(Boolean)
    .join(' · ');

function MoveForm({
  pending: { study, series },
  PatientPicker,
  onClose,
}: Omit<Props, 'pending'> & { pending: PendingMove }) {
  const [patient, setPatient] = useState<NamedPatient>(study.patient);
  const [isPicking, setPicking] = useState(false);
  const [toStudyId, setToStudyId] = useState(newStudy);
  const move = useAction(seriesMoves.move, { failed: t`Could not move the series`, refreshes: changedNouns });
  const [begun, setBegun] = useState<SeriesMove>();
  const others = useQuery(query(studies.ofPatient, { params: { id: patient.id }, query: { size: 100 } }));
  const { seriesInstanceUID } = series;
  const preview = useQuery({
    ...query(rejections.preview, { params: { id: study.id }, query: { seriesInstanceUID } }),
    staleTime: 0,
    gcTime: 0,
  });
  const targets = others.data?.content.filter(({ id }) => id !== study.id) ?? [];
  const isOtherPatient = patient.id !== study.patient.id;
  const send = () =>
    move.mutate(
      {
        params: { id: study.id },
        body: { seriesInstanceUID, ...(toStudyId === newStudy ? { toPatientId: patient.id } : { toStudyId }) },
      },
      {
        onSuccess: setBegun,
      },
    );
  const pick = (picked: NamedPatient) => {
    setPatient(picked);
    setToStudyId(newStudy);
    setPicking(false);
  };
  if (isPicking) {
    return (
      <div className={styles.form}>
        <PatientPicker label={t`Patient of the series`} except={study.patient.id} onPick={pick} />
        <Button variant="default" onClick={() => setPicking(false)}>
          {t`Back`}
        </Button>
      </div>
    );
  }
  if (begun) {
    return <BegunMove studyId={study.id} begun={begun} onClose={onClose} onFailed={() => setBegun(undefined)} />;
  }
  const target = targets.find(({ id }) => id === toStudyId);
  return (
    <DialogForm
      verb={t`Move series`}
      action={move}
      isBarred={!preview.data || preview.data.images === 0 || others.isPending}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <p>{[series.seriesNumber, series.modality, series.seriesDescription].filter(Boolean).join(' · ')}</p>
      <dl className={styles.records}>
        <Place term={t`From`} patient={study.patient} study={titleOf(study)} />
        <Place term={t`To`} patient={patient} study={target ? titleOf(target) : t`New study`} />
      </dl>
      {others.isError && (
        <ErrorState failed={t`Error loading studies`} error={others.error} onRetry={() => void others.refetch()} />
      )}
      <NativeSelect
        label={t`Study`}
        data-autofocus
        value={toStudyId}
        onChange={(event) => setToStudyId(event.currentTarget.value)}
        data={[
          { value: newStudy, label: t`New study` },
          ...targets.map((one) => ({ value: one.id, label: titleOf(one) })),
        ]}
      />
      {may(patientMerges.move) && (
        <Button variant="default" size="compact-sm" className={styles.other ?? ''} onClick={() => setPicking(true)}>
          {t`Another patient…`}
        </Button>
      )}
      {isOtherPatient && <Notice tone="warning">{t`The series will appear under another patient.`}</Notice>}
      {preview.isPending && <Skeleton lines={2} label={t`Loading preview`} />}
      {preview.isError && (
        <ErrorState
          failed={t`Failed to load the preview`}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {preview.data && (
        <p>
          {t`${plural(preview.data.images, { one: '# image is', other: '# images are' })} copied with new UIDs, and hidden here.`}{' '}
          {t`The files of the sender stay stored.`}
        </p>
      )}
      {preview.data && preview.data.keyImages + preview.data.measurements > 0 && (
        <p>{t`Its key images, measurements and lesions follow. Undo brings them back.`}</p>
      )}
      {preview.data?.hasFinalizedReport && (
        <Notice tone="warning">{t`The study has a finalized report. Its text may describe these images.`}</Notice>
      )}
    </DialogForm>
  );
}

type BegunProps = { studyId: string; begun: SeriesMove; onClose: () => void; onFailed: () => void };

/** Progress of the move. It continues when the dialog is closed; the study page shows it, too. */
function BegunMove({ studyId, begun, onClose, onFailed }: BegunProps) {
  const client = useQueryClient();
  const undo = useRestoreImages();
  const moves = useMoves(studyId, { begun: begun.id });
  const move = moves.data?.find(({ id }) => id === begun.id) ?? begun;
  const isTold = useRef(false);
  useEffect(() => {
    const { state, rejectionId } = move;
    if (isTold.current || (state !== 'DONE' && state !== 'CANCELED')) return;
    isTold.current = true;
    for (const noun of changedNouns) void client.invalidateQueries({ queryKey: [noun] });
    if (state === 'DONE' && rejectionId !== null)
      offerUndo(t`Series moved`, () => undo.mutate({ params: { id: studyId, rejectionId } }));
    onClose();
  });
  if (move.state === 'FAILED') {
    return (
      <div className={styles.form}>
        <Notice tone="danger">{t`The series was not moved. ${move.cause}`}</Notice>
        <Button variant="default" onClick={onFailed}>
          {t`Back`}
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.form}>
      <MoveProgress studyId={studyId} move={move} />
      {moves.isError && (
        <ErrorState failed={t`Failed to load the progress`} error={moves.error} onRetry={() => void moves.refetch()} />
      )}
      <p className="muted">{t`The move continues when you close this.`}</p>
      <Button variant="default" onClick={onClose}>
        {t`Close`}
      </Button>
    </div>
  );
}

function Place({ term, patient, study }: { term: string; patient: NamedPatient; study: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        <strong>{patient.patientName || t`No name`}</strong> {patient.patientId}
        <br />
        {study}
      </dd>
    </div>
  );
}
