import { NativeSelect, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode, RefAttributes } from 'react';
import styles from './filter-form.module.css';

/** Filters in a line above a list. Enter applies them. */
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

/** Field for search text. */
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
  /** Label of the choice without a filter. Default: the label of the field. */
  any?: string;
  value: string | undefined;
  choices: readonly (string | { value: string; label: string })[];
  /** Called with the chosen value, or with "" for no filter. */
  onChoose: (value: string) => void;
};

/** Input to filter by one of several values, or by none. */
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
