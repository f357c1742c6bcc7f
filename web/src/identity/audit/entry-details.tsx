import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { AuditEntry } from '@radwork/contract/identity/audit';
import styles from './entry-details.module.css';

type Props = { entry: AuditEntry; onAbout: (subject: { studyId?: string; patientId?: string }) => void };

/** Shows all data of an audit entry, including its position in the audit chain. */
export function EntryDetails({ entry, onAbout }: Props) {
  const { id, action, entityId, study, patient, user, detail, position, seal } = entry;
  const facts: [string, string][] = [
    [t`Entry`, id],
    [t`Action`, action],
    [t`User ID`, user.id ?? t`none (server or signed-out user)`],
    [t`User type`, user.userType ?? ''],
    [t`Entity ID`, entityId],
    [t`Study ID`, study?.id ?? ''],
    [t`Patient ID`, patient?.id ?? ''],
    ...Object.entries(detail).map(([name, value]): [string, string] => [wordsOf(name), String(value)]),
    [t`Position`, position === null ? t`Not sealed yet` : String(position)],
    [t`Seal (SHA-256)`, seal ?? ''],
  ];
  return (
    <div className={styles.details}>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ))}
      </dl>
      {(study ?? patient) && (
        <div className={styles.ways}>
          {patient && (
            <Button variant="default" size="compact-sm" onClick={() => onAbout({ patientId: patient.id })}>
              {t`All entries about this patient`}
            </Button>
          )}
          {study && (
            <Button variant="default" size="compact-sm" onClick={() => onAbout({ studyId: study.id })}>
              {t`All entries about this study`}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** Converts "remoteConfigId" to "Remote config id" for display. */
const wordsOf = (name: string): string => {
  const words = name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
