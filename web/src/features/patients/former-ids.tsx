import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type PatientDetails, type PatientIdentifier, patients } from '@radwork/contract/patients';
import { useAction, wordsFor } from '#core/api.ts';
import { may } from '#core/session.ts';
import { confirm } from '#ui/confirm.tsx';
import styles from './patient-facts.module.css';

const failed = t`Failed to release the ID. Please try again.`;

/** Lists the former IDs of a patient. Each can be released as never theirs. */
export function FormerIds({ patient }: { patient: PatientDetails }) {
  const release = useAction(patients.releaseFormerId, { done: t`The ID is free`, failed });
  const canRelease = may(patients.releaseFormerId) && patient.mergedInto === null;
  const askToRelease = async ({ patientId, issuer }: PatientIdentifier) => {
    const agreed = await confirm({
      question: t`Is ${patientId} not the ID of ${patient.patientName}?`,
      consequence: (
        <p>
          <Trans>
            New studies that come under {patientId} are not filed here any more, searching for it does not find this
            patient, and somebody else can have it. Studies that are here stay.
          </Trans>
        </p>
      ),
      verb: t`Release the ID`,
    });
    if (agreed) release.mutate({ params: { id: patient.id }, body: { patientId, issuer } });
  };
  return (
    <ul className={styles.identifiers}>
      {patient.formerIdentifiers.map((identifier) => (
        <li key={identifierOf(identifier)}>
          <span>{identifierOf(identifier)}</span>
          {canRelease && (
            <Button
              size="compact-xs"
              variant="subtle"
              loading={release.isPending}
              aria-label={t`${identifierOf(identifier)} is not this patient’s`}
              onClick={() => void askToRelease(identifier)}
            >
              {t`Not theirs`}
            </Button>
          )}
        </li>
      ))}
      {release.error && <li className={styles.fault}>{wordsFor(release.error, failed)}</li>}
    </ul>
  );
}

export const identifierOf = ({ patientId, issuer }: PatientIdentifier) =>
  issuer ? `${patientId} (${issuer})` : patientId;
