import { t } from '@lingui/core/macro';
import { Radio } from '@mantine/core';
import { useEffect, useRef } from 'react';
import styles from './patient-form.module.css';

/** Whether the patient keeps the former Patient ID. */
export type FormerId = 'kept' | 'released';

type Props = {
  patientId: string;
  value: FormerId | undefined;
  error: string | undefined;
  onChange: (value: FormerId) => void;
};

/**
 * Asks whether the former Patient ID still belongs to this patient. Nothing is preselected. A wrongly kept ID files
 * another patient's images here; a wrongly released ID creates a second record.
 */
export function FormerIdChoice({ patientId, value, error, onChange }: Props) {
  const group = useRef<HTMLDivElement>(null);
  // Takes the focus when the missing choice causes an error, as other invalid fields do.
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
