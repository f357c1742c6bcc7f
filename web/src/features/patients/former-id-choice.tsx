import { Radio } from '@mantine/core';
import { useEffect, useRef } from 'react';
import styles from './patient-form.module.css';

/** What becomes of the ID that a patient had. */
export type FormerId = 'kept' | 'released';

type Props = {
  patientId: string;
  value: FormerId | undefined;
  error: string | undefined;
  onChange: (value: FormerId) => void;
};

/**
 * Whose the ID is that the patient had until now. Nothing is chosen beforehand: kept, it would file another person's images
 * here; given up, images of this patient would begin a record of their own.
 */
export function FormerIdChoice({ patientId, value, error, onChange }: Props) {
  const group = useRef<HTMLDivElement>(null);
  // As with every other field: whoever has left it out is taken to it.
  useEffect(() => {
    if (error) group.current?.querySelector('input')?.focus();
  }, [error]);
  return (
    <Radio.Group
      ref={group}
      label={`Whose ID is ${patientId}?`}
      withAsterisk
      value={value ?? ''}
      error={error}
      onChange={(chosen) => onChange(chosen === 'kept' ? 'kept' : 'released')}
    >
      <div className={styles.answers}>
        <Radio
          value="kept"
          label="This patient’s too"
          description="New studies that come under it are filed here, and searching for it finds this patient."
        />
        <Radio
          value="released"
          label="It was a mistake"
          description="It may be somebody else’s: new studies that come under it are not filed here any more."
        />
      </div>
    </Radio.Group>
  );
}
