import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNow } from '#ui/now.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** A moment as a datetime-local field holds it, in the reader's zone and without saying so: "2026-11-21T14:05". */
export const localOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

/** What a datetime-local field holds as a moment with its offset from UTC (C30); null for nothing. */
export const momentOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** What is wrong with a due date, if anything: it has to lie in the future, and after the one before. */
export const dueDateProblem = (local: string, before: string | null = null): string | null => {
  if (local === '') return null;
  const date = new Date(local);
  if (date <= new Date()) return 'Due date must be in the future';
  return before && date <= new Date(before) ? 'Due date must be later than it is now' : null;
};

type Props = {
  label: string;
  value: string;
  onChange: (local: string) => void;
  error?: ReactNode;
  isRequired?: boolean;
  isFirst?: boolean;
};

/** A date and time in the zone of whoever types it. */
export function DueDateInput({ label, value, onChange, error, isRequired = false, isFirst = false }: Props) {
  const now = useNow();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={`In your time zone, ${new Intl.DateTimeFormat().resolvedOptions().timeZone}`}
      min={localOf(now)}
      value={value}
      error={error}
      withAsterisk={isRequired}
      data-autofocus={isFirst || undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
