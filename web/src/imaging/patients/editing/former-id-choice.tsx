import { t } from '@lingui/core/macro';
import { Radio } from '@mantine/core';
import { useEffect, useRef } from 'react';
import styles from './patient-form.module.css';

/** Whether the patient keeps the former ID. */
export type FormerId = 'kept' | 'released';

type Props = {
  patientId: string;
  value: FormerId | undefined;
  error: string | undefined;
  onChange: (value: FormerId) => void;
};

/**
 * Asks whose the former ID is. Nothing is preselected: a wrongly kept ID files another patient's images here, and a
 * wrongly released ID starts a second record.
 */
export function FormerIdChoice({ patientId, value, error, onChange }: Props) {
  const group = useRef<HTMLDivElement>(null);
  // Takes the focus when the choice is missing, like other fields.
  useEffect(() => {
    if (error) group.current?.querySelector('input')?.focus();
  }, [error]);
  return (
    <Radio.Group
      ref={group}
      label={t`Former ID ${patientId}`}
      withAsterisk
      value={value ?? ''}
      error={error}
      onChange={(chosen) => onChange(chosen === 'kept' ? 'kept' : 'released')}
    >
      <div className={styles.answers}>
        <Radio
          value="kept"
          label={t`Keep for this patient`}
          description={t`New studies with this ID are filed here, and a search for it finds this patient.`}
        />
        <Radio
          value="released"
          label={t`Release the ID, it was a mistake`}
          description={t`Another patient may have this ID. New studies with this ID are not filed here.`}
        />
      </div>
    </Radio.Group>
  );
}
