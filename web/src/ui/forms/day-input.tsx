import { t } from '@lingui/core/macro';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import styles from './day-input.module.css';

type Props = {
  label: string;
  value: string;
  onChange: (text: string) => void;
  error?: ReactNode;
};

/**
 * Date field: the user types "yyyy-MM-dd" or picks a date from the calendar of the browser. The date field of the
 * browser would use the format of the locale.
 */
export function DayInput({ label, value, onChange, error }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.day}>
      <TextInput
        size="xs"
        aria-label={label}
        placeholder={label}
        value={value}
        error={error}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSection={
          <ActionIcon size={24} aria-label={t`Choose date: ${label}`} onClick={() => calendar.current?.showPicker()}>
            <IconCalendar size={15} stroke={1.6} />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="date"
        className={styles.calendar}
        tabIndex={-1}
        aria-hidden
        value={/^\d{4}-\d{2}-\d{2}$/.test(value) ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
