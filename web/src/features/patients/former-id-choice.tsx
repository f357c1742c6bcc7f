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
      label={t`Whose ID is ${patientId}?`}
      withAsterisk
      value={value ?? ''}
      error={error}
      onChange={(chosen) => onChange(chosen === 'kept' ? 'kept' : 'released')}
    >
      <div className={styles.answers}>
        <Radio
          value="kept"
          label={t`This patient’s too`}
          description={t`New studies that come under it are filed here, and searching for it finds this patient.`}
        />
        <Radio
          value="released"
          label={t`It was a mistake`}
          description={t`It may be somebody else’s: new studies that come under it are not filed here any more.`}
        />
      </div>
    </Radio.Group>
  );
}
