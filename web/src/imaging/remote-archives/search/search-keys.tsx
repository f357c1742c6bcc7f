import { t } from '@lingui/core/macro';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import { readDayRange } from '@radwork/contract/core/study-dates';
import { type ReactNode, useRef, useState } from 'react';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterForm } from '#ui/lists/filter-form.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { keyNames, type RemoteSearch } from './remote-search.ts';
import styles from '#imaging/remote-archives/forms.module.css';

export type SearchKeys = Omit<RemoteSearch, 'configId'>;

type Props = {
  /** Keys of the last search. The fields follow these keys after Back or a link. */
  keys: SearchKeys;
  isSearching: boolean;
  onSearch: (keys: SearchKeys) => void;
  /** Whether the form takes the focus when it appears. */
  takesFocus?: boolean;
  /** Further fields before the search keys, such as the archive. */
  children?: ReactNode;
};

/** Form for the search keys. Searches only on submit, to limit the load on the remote archive. */
export function SearchKeysForm({ keys, isSearching, onSearch, takesFocus = false, children }: Props) {
  const [typed, setTyped] = useTyped(keys);
  const type = (change: SearchKeys) => setTyped({ ...typed, ...change });
  const firstField = useRef<HTMLInputElement>(null);
  useShortcuts(t`Remote studies`, [
    { keys: '/', does: t`Search remote studies`, run: () => firstField.current?.focus(), hint: t`search` },
  ]);
  const errors = { startDate: dayError(typed.startDate), endDate: dayError(typed.endDate) };
  const isFaulty = errors.startDate !== undefined || errors.endDate !== undefined;

  return (
    <FilterForm
      onSubmit={() => {
        if (!isFaulty) onSearch(typed);
      }}
    >
      {children}
      <TextInput
        ref={firstField}
        size="xs"
        className={styles.name}
        autoFocus={takesFocus}
        aria-label={t`Patient name`}
        placeholder={t`Patient name`}
        value={typed.patientName ?? ''}
        onChange={(event) => type({ patientName: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        className={styles.key}
        aria-label={t`Patient ID`}
        placeholder={t`Patient ID`}
        value={typed.patientId ?? ''}
        onChange={(event) => type({ patientId: event.currentTarget.value })}
      />
      <TextInput
        size="xs"
        className={styles.key}
        aria-label={t`Accession number`}
        placeholder={t`Accession number`}
        value={typed.accessionNumber ?? ''}
        onChange={(event) => type({ accessionNumber: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        className={styles.choice}
        aria-label={t`Modality`}
        value={typed.modality ?? ''}
        onChange={(event) => type({ modality: event.currentTarget.value })}
        data={[{ value: '', label: t`Modality` }, ...modalities]}
      />
      <div className={styles.days}>
        <DayRange
          from={{
            label: t`From date`,
            value: typed.startDate,
            error: errors.startDate,
            onChange: (startDate) => type({ startDate }),
          }}
          to={{
            label: t`To date`,
            value: typed.endDate,
            error: errors.endDate,
            onChange: (endDate) => type({ endDate }),
          }}
        />
        <Button type="submit" loading={isSearching}>
          {t`Search`}
        </Button>
      </div>
    </FilterForm>
  );
}

const useTyped = (keys: SearchKeys) => {
  const [state, setState] = useState({ keys, typed: keys });
  if (!areSame(state.keys, keys)) setState({ keys, typed: keys });
  return [state.typed, (typed: SearchKeys) => setState({ ...state, typed })] as const;
};

const areSame = (one: SearchKeys, other: SearchKeys): boolean =>
  keyNames.every((name) => (one[name] || undefined) === (other[name] || undefined));

const dayError = (day: string | undefined): string | undefined =>
  !day || readDayRange(day) ? undefined : t`Use the format 2026-11-21`;
