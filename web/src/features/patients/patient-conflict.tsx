import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { PatientDetails } from '@radwork/contract/patients';
import { formatMoment } from '#ui/formats.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './patient-form.module.css';
import { fieldLabels, type PatientField, type PatientValues, valuesOf } from './use-patient-form.ts';

type Props = {
  /** The typed values and the current patient. */
  typed: PatientValues;
  current: PatientDetails;
  onKeep: () => void;
  onAdopt: () => void;
};

/** Shown when another user has changed the patient: compares both versions and lets the user choose. */
export function PatientConflict({ typed, current, onKeep, onAdopt }: Props) {
  const saved = valuesOf(current);
  const differing = (Object.keys(fieldLabels) as PatientField[]).filter((field) => typed[field] !== saved[field]);
  return (
    <Notice tone="danger">
      <Trans>
        Somebody else changed this patient on {formatMoment(current.lastModifiedDate)}, after you began. Nothing of
        yours is saved yet, and nothing was overwritten.
      </Trans>
      {differing.length > 0 && (
        <table className={styles.differences}>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Yours`}</th>
              <th scope="col">{t`Saved by now`}</th>
            </tr>
          </thead>
          <tbody>
            {differing.map((field) => (
              <tr key={field}>
                <th scope="row">{fieldLabels[field]}</th>
                <td>{typed[field] || '–'}</td>
                <td>{saved[field] || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles.choices}>
        <Button variant="default" size="compact-xs" onClick={onKeep}>
          {t`Keep mine`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={onAdopt}>
          {t`Take what is saved`}
        </Button>
      </div>
    </Notice>
  );
}
