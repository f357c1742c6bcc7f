import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Checkbox, Radio } from '@mantine/core';
import {
  type MergePreview,
  patientFieldLabels,
  type PatientField,
  patientMerges,
} from '@radwork/contract/imaging/patient-merges';
import type { PatientDetails } from '@radwork/contract/imaging/patients';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { fieldErrorsOf, isShownAtFields } from '#ui/forms/field-errors.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import { patientIdentityText } from '#ui/formats/patient-identity-text.ts';
import styles from './merge-dialog.module.css';
import { PatientPicker } from './patient-picker.tsx';
import { failedToMerge, affectedQueries, useUndoMerge } from './use-undo-merge.ts';

type Props = {
  /** Patient record that remains after the merge. */
  survivor: PatientDetails;
  /** ID of the record to merge into `survivor`, if already known. */
  sourceId?: string | undefined;
  opened: boolean;
  onClose: () => void;
};

/**
 * Merges another patient record into this record. The user chooses the record, sees what moves, and resolves each
 * difference.
 */
export function MergeDialog({ survivor, sourceId, opened, onClose }: Props) {
  const [picked, setPicked] = useState<string>();
  const chosenSource = sourceId ?? picked;
  const close = () => {
    setPicked(undefined);
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={t`Merge records`} size={620}>
      {chosenSource === undefined ? (
        <PatientPicker
          label={t`Other record of the same person`}
          except={survivor.id}
          onPick={({ id }) => setPicked(id)}
        />
      ) : (
        <Preview survivorId={survivor.id} sourceId={chosenSource} onClose={close} />
      )}
    </Dialog>
  );
}

function Preview({ survivorId, sourceId, onClose }: { survivorId: string; sourceId: string; onClose: () => void }) {
  const preview = useQuery({
    ...query(patientMerges.previewMerge, { params: { id: survivorId, sourceId } }),
    // Always fetches, because the decision must use the current records.
    staleTime: 0,
    gcTime: 0,
  });
  if (preview.data) {
    return (
      <MergeForm
        key={`${preview.data.survivor.revision} ${preview.data.source.revision}`}
        preview={preview.data}
        onClose={onClose}
      />
    );
  }
  if (preview.isPending) return <Skeleton lines={6} label={t`Loading preview`} />;
  return (
    <ErrorState
      failed={t`Failed to compare the records`}
      error={preview.error}
      onRetry={() => void preview.refetch()}
    />
  );
}

type Keep = Partial<Record<PatientField, 'survivor' | 'source'>>;

function MergeForm({ preview, onClose }: { preview: MergePreview; onClose: () => void }) {
  const { survivor, source, differences, contradictions, moves } = preview;
  const [keep, setKeep] = useState<Keep>({});
  const [isOnePerson, setOnePerson] = useState(false);
  const against = contradictions.map((field) => patientFieldLabels[field]).join(', ');
  const { studies, reports } = moves;
  const ids = moves.identifiers.map(({ patientId }) => patientId).join(', ');
  const merge = useAction(patientMerges.merge, { failed: failedToMerge, refreshes: affectedQueries });
  const undo = useUndoMerge();
  const send = () =>
    merge.mutate(
      {
        params: { id: survivor.id },
        body: { sourceId: source.id, revision: survivor.revision, sourceRevision: source.revision, keep, isOnePerson },
      },
      {
        onSuccess: ({ id }) => {
          onClose();
          offerUndo(t`Records merged`, () => undo.mutate({ params: { id: survivor.id, mergeId: id } }));
        },
      },
    );
  return (
    <div className={styles.form}>
      <dl className={styles.records}>
        <Side title={t`Remaining record`} patient={survivor} />
        <Side title={t`Merged record`} patient={source} />
      </dl>
      <p>
        <Trans>
          The remaining record receives <Plural value={studies} one="# study" other="# studies" />,{' '}
          <Plural value={reports} one="# report" other="# reports" /> and the ID {ids}. Later images with this ID are
          filed there too.
        </Trans>
      </p>
      {differences.map((difference) => (
        <Radio.Group
          key={difference.field}
          label={patientFieldLabels[difference.field]}
          value={keep[difference.field] ?? difference.kept}
          onChange={(side) => setKeep({ ...keep, [difference.field]: side === 'source' ? 'source' : 'survivor' })}
        >
          <div className={styles.choices}>
            <Radio value="survivor" label={difference.survivor || t`Empty`} />
            <Radio value="source" label={difference.source || t`Empty`} />
          </div>
        </Radio.Group>
      ))}
      <Notice tone={against !== '' ? 'danger' : 'warning'}>
        {against !== '' && (
          <>
            <strong>{t`The records contradict each other: ${against}.`}</strong>{' '}
          </>
        )}
        {t`Merge only records of the same person. You can undo the merge for 30 days on the page of either record.`}
      </Notice>
      {against !== '' && (
        <Checkbox
          label={t`The records are of the same person although these fields differ: ${against}`}
          checked={isOnePerson}
          onChange={(event) => setOnePerson(event.currentTarget.checked)}
          error={fieldErrorsOf(merge.error)['isOnePerson']}
        />
      )}
      {merge.error && !isShownAtFields(merge.error) && (
        <Notice tone="danger">{errorMessageOf(merge.error, failedToMerge)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onClose} />
        <Button loading={merge.isPending} onClick={send}>
          {t`Merge records`}
        </Button>
      </div>
    </div>
  );
}

function Side({ title, patient }: { title: string; patient: PatientDetails }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <strong>{patient.patientName || t`No name`}</strong>
        <br />
        {patientIdentityText(patient)}
      </dd>
    </div>
  );
}
