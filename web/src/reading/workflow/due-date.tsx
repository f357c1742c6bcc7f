import { t } from '@lingui/core/macro';
import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNow } from '#ui/formats/use-now.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Formats a time for a datetime-local field, in the user's time zone and without offset: "2026-11-21T14:05". */
export const localOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

/** Converts a datetime-local value to an ISO time in UTC; null if empty. */
export const momentOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/**
 * Returns an error message for a due date, or undefined. The date must be in the future and after the previous due
 * date.
 */
export const dueDateProblem = (local: string, before: string | null = null): string | null => {
  if (local === '') return null;
  const date = new Date(local);
  if (date <= new Date()) return t`Due date must be in the future`;
  return before && date <= new Date(before) ? t`Due date must be later than the current due date` : null;
};

type Props = {
  label: string;
  value: string;
  onChange: (local: string) => void;
  error?: ReactNode;
  isRequired?: boolean;
  isFirst?: boolean;
};

/** Input of a date and time in the user's time zone. */
export function DueDateInput({ label, value, onChange, error, isRequired = false, isFirst = false }: Props) {
  const now = useNow();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={t`Time zone: ${timeZone}`}
      min={localOf(now)}
      value={value}
      error={error}
      withAsterisk={isRequired}
      data-autofocus={isFirst || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
