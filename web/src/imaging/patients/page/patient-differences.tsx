import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { patientFieldLabels, type PatientDifference, patientMerges } from '@radwork/contract/imaging/patient-merges';
import type { PatientDetails } from '@radwork/contract/imaging/patients';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import styles from '#imaging/patients/identity/patient-identity.module.css';

const failed = t`Failed to update patient. Please try again.`;

/**
 * Lists data in files that differ from the patient record. Files never change the record. Renders nothing without
 * differences.
 */
export function PatientDifferences({ patient }: { patient: PatientDetails }) {
  const { data, error, dataUpdatedAt } = useQuery(query(patientMerges.differences, { params: { id: patient.id } }));
  // Keeps the rows in place. Otherwise the second click of a double click would decide the next difference.
  const steady = useSteadyList({
    items: data,
    at: dataUpdatedAt,
    to: patient.id,
    hasRoom: true,
    holdsOwnChanges: true,
  });
  if (error) {
    return (
      <div className={styles.notice}>
        <Notice tone="danger">{errorMessageOf(error, t`Failed to fetch differing data from files.`)}</Notice>
      </div>
    );
  }
  if (!steady.items?.length) return null;
  return (
    <div className={styles.notice} {...steady.pointing}>
      <Notice tone="warning">
        {t`Data in files differs from this record. The record was not changed.`}
        <ul className={styles.list} aria-label={t`Differing data in files`}>
          {steady.items.map((difference) => (
            <Difference
              key={difference.id}
              patient={patient}
              difference={difference}
              isDecided={steady.hasLeft(difference.id)}
            />
          ))}
        </ul>
      </Notice>
    </div>
  );
}

type DifferenceProps = {
  patient: PatientDetails;
  difference: PatientDifference;
  /** Whether the difference is decided. The row then stays until the pointer leaves the list. */
  isDecided: boolean;
};

function Difference({ patient, difference, isDecided }: DifferenceProps) {
  const { id: differenceId, field, recorded, arrived, studyId, foundDate } = difference;
  const label = patientFieldLabels[field];
  const recordedValue = recorded || t`empty`;
  const accept = useAction(patientMerges.acceptDifference, {
    done: t`${label} updated`,
    failed,
    refreshes: ['patients', 'studies'],
  });
  const dismiss = useAction(patientMerges.dismissDifference, { done: t`Difference dismissed`, failed });
  const params = { id: patient.id };
  const error = accept.error ?? dismiss.error;
  return (
    <li className={styles.item}>
      <span className={styles.words}>
        <Trans>
          {label}: <strong>{recordedValue}</strong> in the record, <strong>{arrived}</strong> in the files
        </Trans>{' '}
        <span className="muted">
          {formatMoment(foundDate)}
          {studyId && (
            <>
              {' · '}
              <Link to="/studies/$id" params={{ id: studyId }}>
                {t`study`}
              </Link>
            </>
          )}
        </span>
        {error && <span className={styles.fault}>{errorMessageOf(error, failed)}</span>}
      </span>
      {isDecided ? (
        <span className="muted">{t`Resolved`}</span>
      ) : (
        <>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t`Accept ${label}: ${arrived}`}
            loading={accept.isPending}
            onClick={() => accept.mutate({ params, body: { differenceId, revision: patient.revision } })}
          >
            {t`Accept`}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            aria-label={t`Dismiss ${label}: ${arrived}`}
            loading={dismiss.isPending}
            onClick={() => dismiss.mutate({ params, body: { differenceId } })}
          >
            {t`Dismiss`}
          </Button>
        </>
      )}
    </li>
  );
}
