import { formatNumber } from '#ui/formats.ts';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Radio } from '@mantine/core';
import {
  type MergePreview,
  patientFieldLabels,
  type PatientField,
  patientMerges,
} from '@radwork/contract/patient-merges';
import type { PatientDetails } from '@radwork/contract/patients';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { query, useAction, wordsFor } from '#core/api.ts';
import { CancelButton } from '#ui/dialog-form.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { faultsIn, isAtFields } from '#ui/form-faults.ts';
import { ErrorState, Skeleton } from '#ui/states.tsx';
import { offerUndo } from '#ui/undo-toast.tsx';
import { identityOf } from '#ui/patient-in-words.ts';
import styles from './merge-dialog.module.css';
import { PatientPicker } from './patient-picker.tsx';
import { failedToMerge, refreshed, useUndoMerge } from './use-undo-merge.ts';

type Props = {
  /** The record that remains. */
  survivor: PatientDetails;
  /** The record to merge into it, if already known. */
  sourceId?: string | undefined;
  opened: boolean;
  onClose: () => void;
};

/** Merges another record into this one: choose it, see what moves, and resolve each difference. */
export function MergeDialog({ survivor, sourceId, opened, onClose }: Props) {
  const [picked, setPicked] = useState<string>();
  const chosen = sourceId ?? picked;
  const close = () => {
    setPicked(undefined);
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={t`Merge records of one person`} size={620}>
      {chosen === undefined ? (
        <PatientPicker
          label={t`Which record is of the same person?`}
          except={survivor.id}
          onPick={({ id }) => setPicked(id)}
        />
      ) : (
        <Preview survivorId={survivor.id} sourceId={chosen} onClose={close} />
      )}
    </Dialog>
  );
}

function Preview({ survivorId, sourceId, onClose }: { survivorId: string; sourceId: string; onClose: () => void }) {
  const preview = useQuery({
    ...query(patientMerges.previewMerge, { params: { id: survivorId, sourceId } }),
    // The decision must use the current records.
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
  const against = contradictions.map((field) => patientFieldLabels[field].toLowerCase());
  const merge = useAction(patientMerges.merge, { failed: failedToMerge, refreshes: refreshed });
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
          offerUndo('Records merged', () => undo.mutate({ params: { id: survivor.id, mergeId: id } }));
        },
      },
    );
  return (
    <div className={styles.form}>
      <dl className={styles.records}>
        <Side title={t`Stays`} patient={survivor} />
        <Side title={t`Is merged into it`} patient={source} />
      </dl>
      <p>
        <Trans>
          {counted(moves.studies, 'study', 'studies')} with {counted(moves.reports, 'report', 'reports')} and the ID{' '}
          {moves.identifiers.map(({ patientId }) => patientId).join(', ')} move. Images that arrive under that ID later
          go to the record that stays.
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
      <Notice tone={against.length > 0 ? 'danger' : 'warning'}>
        {against.length > 0 && (
          <strong>
            <Trans>Both say another {against.join(' and another ')}.</Trans>{' '}
          </strong>
        )}
        {t`Only merge what is certainly one person. For 30 days this can be undone on the page of either record.`}
      </Notice>
      {against.length > 0 && (
        <Checkbox
          label={t`They are one person, although the records differ in ${against.join(' and ')}`}
          checked={isOnePerson}
          onChange={(event) => setOnePerson(event.currentTarget.checked)}
          error={faultsIn(merge.error)['isOnePerson']}
        />
      )}
      {merge.error && !isAtFields(merge.error) && <Notice tone="danger">{wordsFor(merge.error, failedToMerge)}</Notice>}
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
        {identityOf(patient)}
      </dd>
    </div>
  );
}

export const counted = (count: number, one: string, many: string): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
