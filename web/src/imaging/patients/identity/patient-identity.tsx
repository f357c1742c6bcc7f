import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import {
  type Duplicate,
  type DuplicateReason,
  patientFieldLabels,
  type PatientMerge,
  patientMerges,
} from '@radwork/contract/imaging/patient-merges';
import type { PatientDetails } from '@radwork/contract/imaging/patients';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { patientIdentityText } from '#ui/formats/patient-identity-text.ts';
import { MergeDialog } from './merge-dialog.tsx';
import styles from './patient-identity.module.css';
import { failedToUndo, useUndoMerge } from './use-undo-merge.ts';

/** Shows possible duplicates of a patient record, and its past merges and moves. */
export function PatientIdentity({ patient }: { patient: PatientDetails }) {
  return (
    <div className={styles.identity}>
      {may(patientMerges.duplicates) && patient.mergedInto === null && <Duplicates patient={patient} />}
      <History patientId={patient.id} />
    </div>
  );
}

const reasonLabels: Record<DuplicateReason, string> = {
  SAME_NAME: t`same name`,
  SIMILAR_NAME: t`similar name`,
  SAME_DATE_OF_BIRTH: t`same date of birth`,
  SAME_GENDER: t`same gender`,
  SAME_PHONE: t`same phone`,
};

function Duplicates({ patient }: { patient: PatientDetails }) {
  const [compared, setCompared] = useState<string>();
  const { data, error, refetch } = useQuery(query(patientMerges.duplicates, { params: { id: patient.id } }));
  return (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates" className={styles.title}>
        {t`Possible duplicates`}
      </h2>
      {error && <ErrorState failed={t`Failed to search for duplicates`} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} label={t`Searching for duplicates`} />}
      {data?.length === 0 && <p className="muted">{t`No similar records`}</p>}
      <ul className={styles.list}>
        {data?.map((duplicate) => (
          <DuplicateItem
            key={duplicate.patient.id}
            duplicate={duplicate}
            onCompare={() => setCompared(duplicate.patient.id)}
          />
        ))}
      </ul>
      <MergeDialog
        survivor={patient}
        sourceId={compared}
        opened={compared !== undefined}
        onClose={() => setCompared(undefined)}
      />
    </section>
  );
}

function DuplicateItem({ duplicate, onCompare }: { duplicate: Duplicate; onCompare: () => void }) {
  const { patient, reasons, contradictions } = duplicate;
  const { patientName, patientId, studyCount } = patient;
  const fields = contradictions.map((field) => patientFieldLabels[field]).join(', ');
  return (
    <li className={`${styles.item} ${styles.row}`}>
      <span className={styles.words}>
        <Link to="/patients/$id" params={{ id: patient.id }}>
          {patient.patientName || t`No name`}
        </Link>{' '}
        {patientIdentityText(patient)} · <Plural value={studyCount} one="# study" other="# studies" />
        <span className="muted"> ({reasons.map((reason) => reasonLabels[reason]).join(', ')})</span>
        {contradictions.length > 0 && <span className={styles.against}>{t`Contradictions: ${fields}`}</span>}
      </span>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t`Compare and merge with ${patientName} ${patientId}`}
        onClick={onCompare}
      >
        {t`Compare and merge`}
      </Button>
    </li>
  );
}

function History({ patientId }: { patientId: string }) {
  const { data, error, refetch } = useQuery(query(patientMerges.history, { params: { id: patientId } }));
  return (
    <section aria-labelledby="merges">
      <h2 id="merges" className={styles.title}>
        {t`Merges and moves`}
      </h2>
      {error && <ErrorState failed={t`Failed to fetch merges`} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={2} label={t`Loading merges`} />}
      {data?.length === 0 && <p className="muted">{t`No merges or moves`}</p>}
      <ul className={styles.list}>
        {data?.map((merge) => (
          <MergeItem key={merge.id} merge={merge} patientId={patientId} />
        ))}
      </ul>
    </section>
  );
}

function MergeItem({ merge, patientId }: { merge: PatientMerge; patientId: string }) {
  const undo = useUndoMerge();
  const { madeBy } = merge;
  const made = formatMoment(merge.madeDate);
  const undone = formatMoment(merge.undoneDate);
  const until = formatMoment(merge.undoUntil);
  const askToUndo = async () => {
    const agreed = await confirm({
      question: merge.kind === 'MERGE' ? t`Undo this merge?` : t`Move the study back?`,
      consequence: (
        <>
          <p>
            {t`Studies and reports return to their earlier record, including those that arrived under the other ID after the merge. Later corrections stay. Share links created after the merge stop working.`}
          </p>
          {merge.signedSince > 0 && <SignedSince merge={merge} />}
        </>
      ),
      verb: merge.kind === 'MERGE' ? t`Undo merge` : t`Move study back`,
      tone: 'primary',
    });
    if (agreed) undo.mutate({ params: { id: patientId, mergeId: merge.id } });
  };
  return (
    <li className={`${styles.item} ${styles.row}`}>
      <span className={styles.words}>
        {wordsOf(merge)}
        <span className="muted">
          {' '}
          {[
            t`${made} by ${madeBy}`,
            merge.undoneDate && t`undone ${undone}`,
            merge.undoUntil && t`can be undone until ${until}`,
            !merge.undoneDate && merge.reason,
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {undo.error && <span className={styles.fault}>{errorMessageOf(undo.error, failedToUndo)}</span>}
      </span>
      {merge.undoUntil && may(patientMerges.undo) && (
        <Button size="compact-xs" variant="default" loading={undo.isPending} onClick={() => void askToUndo()}>
          {t`Undo`}
        </Button>
      )}
    </li>
  );
}

/**
 * Warns about reports signed since the merge. After an undo, they may name the wrong patient, because signed text never
 * changes. Users must then write an addendum.
 */
function SignedSince({ merge: { signedSince, survivor, source } }: { merge: PatientMerge }) {
  const name = survivor.patientName;
  const nextName = source.patientName || t`the other patient`;
  return (
    <p>
      <Trans>
        <strong>
          <Plural value={signedSince} one="# report was" other="# reports were" /> signed after the merge under the name{' '}
          {name}.
        </strong>{' '}
        Signed text does not change and will be filed under {nextName}. Read it, and write an addendum where it names
        the wrong patient.
      </Trans>
    </p>
  );
}

const wordsOf = ({ kind, source, survivor, studyCount }: PatientMerge): string => {
  const [from = '', to = ''] = [source, survivor].map(({ patientName, patientId }) =>
    patientId === '' ? t`a patient you cannot view` : `${patientName} (${patientId})`,
  );
  return kind === 'MERGE'
    ? t`${from} was merged into ${to}, with ${plural(studyCount, { one: '# study', other: '# studies' })}.`
    : t`${plural(studyCount, { one: '# study', other: '# studies' })} of ${from} moved to ${to}.`;
};
