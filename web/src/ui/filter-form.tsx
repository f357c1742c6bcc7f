import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode, RefAttributes } from 'react';
import styles from './filter-form.module.css';

/** The filters of a list, in a line above it; Enter asks for what they say. */
export function FilterForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  return (
    <form
      role="search"
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** Where one types what to look for. */
export function SearchField(props: TextInputProps & RefAttributes<HTMLInputElement>) {
  return (
    <TextInput
      className={styles.search}
      type="search"
      leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
      {...props}
    />
  );
}

type ChoiceProps = {
  label: string;
  /** What stands in the field while everything is looked for; the label where it is left out. */
  any?: string;
  value: string | undefined;
  choices: readonly (string | { value: string; label: string })[];
  /** Told "" when everything is to be looked for. */
  onChoose: (value: string) => void;
};

/** Looks for what has one of several values, or for everything. */
export function FilterChoice({ label, any = label, value = '', choices, onChoose }: ChoiceProps) {
  return (
    <NativeSelect
      aria-label={label}
      className={styles.choice}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={[{ value: '', label: any }, ...choices]}
    />
  );
}
