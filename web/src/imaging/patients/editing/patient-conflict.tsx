import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { PatientDetails } from '@radwork/contract/imaging/patients';
import { formatMoment } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './patient-form.module.css';
import { fieldLabels, type PatientField, type PatientValues, valuesOf } from './use-patient-form.ts';

type Props = {
  /** The typed values and the current patient. */
  typed: PatientValues;
  current: PatientDetails;
  onKeep: () => void;
  onAdopt: () => void;
};

/** Notice that another user has changed the patient. Compares both versions and lets the user choose. */
export function PatientConflict({ typed, current, onKeep, onAdopt }: Props) {
  const saved = valuesOf(current);
  const moment = formatMoment(current.lastModifiedDate);
  const differing = (Object.keys(fieldLabels) as PatientField[]).filter((field) => typed[field] !== saved[field]);
  return (
    <Notice tone="danger">
      {t`Another user changed this patient at ${moment}. Your changes are not saved. Choose which values to keep.`}
      {differing.length > 0 && (
        <table className={styles.differences}>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Your value`}</th>
              <th scope="col">{t`Saved value`}</th>
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
          {t`Keep my values`}
        </Button>
        <Button variant="default" size="compact-xs" onClick={onAdopt}>
          {t`Use saved values`}
        </Button>
      </div>
    </Notice>
  );
}
