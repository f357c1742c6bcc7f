import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type PatientDetails, type PatientIdentifier, patients } from '@radwork/contract/imaging/patients';
import { useAction, errorMessageOf } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import styles from './patient-facts.module.css';

const failed = t`Failed to release the ID. Please try again.`;

/** Lists the former Patient IDs. The user can release an ID that never belonged to the patient. */
export function FormerIds({ patient }: { patient: PatientDetails }) {
  const release = useAction(patients.releaseFormerId, { done: t`ID released`, failed });
  const canRelease = may(patients.releaseFormerId) && patient.mergedInto === null;
  const { patientName } = patient;
  const askToRelease = async ({ patientId, issuer }: PatientIdentifier) => {
    const agreed = await confirm({
      question: t`Release ID ${patientId}?`,
      consequence: (
        <p>
          <Trans>
            Release the ID if it never belonged to {patientName}. New studies with this ID are then not filed here, a
            search for the ID no longer finds this patient, and another patient can have the ID. Studies that are here
            stay.
          </Trans>
        </p>
      ),
      verb: t`Release ID`,
    });
    if (agreed) release.mutate({ params: { id: patient.id }, body: { patientId, issuer } });
  };
  return (
    <ul className={styles.identifiers}>
      {patient.formerIdentifiers
        .map((identifier) => [identifier, identifierOf(identifier)] as const)
        .map(([identifier, id]) => (
          <li key={id}>
            <span>{id}</span>
            {canRelease && (
              <Button
                size="compact-xs"
                variant="subtle"
                loading={release.isPending}
                aria-label={t`Release ID ${id}`}
                onClick={() => void askToRelease(identifier)}
              >
                {t`Release`}
              </Button>
            )}
          </li>
        ))}
      {release.error && <li className={styles.fault}>{errorMessageOf(release.error, failed)}</li>}
    </ul>
  );
}

export const identifierOf = ({ patientId, issuer }: PatientIdentifier) =>
  issuer ? `${patientId} (${issuer})` : patientId;
