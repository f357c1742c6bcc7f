import { t } from '@lingui/core/macro';
import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef } from 'react';
import styles from './time-input.module.css';

type Props = Omit<TextInputProps, 'label' | 'value' | 'onChange' | 'rightSection'> & {
  label: string;
  value: string;
  onChange: (text: string) => void;
};

/**
 * Date and time field: the user types "yyyy-MM-dd HH:mm" or picks from the calendar of the browser. The field of the
 * browser would use the format of the locale.
 */
export function TimeInput({ label, value, onChange, ...input }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  const picked = value.trim().replace(' ', 'T');
  return (
    <div className={styles.time}>
      <TextInput
        placeholder={t`yyyy-MM-dd HH:mm`}
        {...input}
        label={label}
        value={value}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSection={
          <ActionIcon
            size={24}
            aria-label={t`Choose date and time: ${label}`}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={15} stroke={1.6} />
          </ActionIcon>
        }
      />
      <input
        ref={calendar}
        type="datetime-local"
        className={styles.calendar}
        tabIndex={-1}
        aria-hidden
        value={/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(picked) ? picked : ''}
        onChange={(event) => onChange(event.currentTarget.value.replace('T', ' '))}
      />
    </div>
  );
}
