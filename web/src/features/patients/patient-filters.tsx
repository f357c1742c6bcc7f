import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { ages, genderLabels, genders, patientSearch, patientSortFields } from '@radwork/contract/patients';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { DayInput } from '#ui/day-input.tsx';
import styles from './patient-filters.module.css';
import type { PatientsSearch } from './patients-search.ts';

const filterNames = ['searchQuery', 'gender', 'minAge', 'maxAge', 'fromDate', 'toDate'] as const;

/** The filters as somebody types them. */
type Typed = Partial<Record<(typeof filterNames)[number], string>>;

type Filter = Pick<PatientsSearch, (typeof filterNames)[number]>;

type Props = {
  filter: Filter;
  sort: string;
  onFilter: (filter: Filter) => void;
  onSort: (sort: string) => void;
  /** The person asked to search, also when nothing has changed. */
  onSubmit: () => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** How long to wait for the next key before searching, in milliseconds. */
const pause = 300;

const sortNames: Record<(typeof patientSortFields)[number], [ascending: string, descending: string]> = {
  patientName: ['Name, A to Z', 'Name, Z to A'],
  patientId: ['Patient ID, rising', 'Patient ID, falling'],
  gender: ['Gender, F to U', 'Gender, U to F'],
  dateOfBirth: ['Oldest first', 'Youngest first'],
  createdDate: ['First added', 'Last added'],
  lastStudyDate: ['Last study long ago', 'Last study recent'],
};

const sortChoices = patientSortFields.flatMap((field) => [
  { value: `${field},asc`, label: sortNames[field][0] },
  { value: `${field},desc`, label: sortNames[field][1] },
]);

/** The filters of the patient list. What is typed follows the keyboard with a pause, choices act at once. */
export function PatientFilters({ filter, sort, onFilter, onSort, onSubmit, textField }: Props) {
  const { typed, setTyped, setSent } = useTyped(asTyped(filter));
  const errors = errorsIn(typed);
  const send = (next: Typed) => {
    if (Object.keys(errorsIn(next)).length > 0) return;
    setSent(next);
    onFilter(asFilter(next));
  };
  const sendLater = useDebouncedCallback(send, pause);
  const type = (change: Typed) => {
    setTyped({ ...typed, ...change });
    sendLater({ ...typed, ...change });
  };
  const choose = (change: Typed) => {
    setTyped({ ...typed, ...change });
    sendLater.cancel();
    send({ ...typed, ...change });
  };

  return (
    <form
      role="search"
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault();
        choose({});
        onSubmit();
      }}
    >
      <TextInput
        ref={textField}
        size="xs"
        className={styles.text}
        type="search"
        aria-label="Search patients"
        placeholder="Search patients..."
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        value={typed.searchQuery ?? ''}
        onChange={(event) => type({ searchQuery: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label="Gender"
        className={styles.choice}
        value={typed.gender ?? ''}
        onChange={(event) => choose({ gender: event.currentTarget.value })}
        data={[
          { value: '', label: 'Gender' },
          ...genders.filter((code) => code !== 'U').map((code) => ({ value: code, label: genderLabels[code] })),
        ]}
      />
      <div className={styles.ages} role="group" aria-label="Age">
        <span aria-hidden>Age</span>
        <AgeInput
          label="From age"
          value={typed.minAge}
          none={ages.least}
          onType={(minAge) => type({ minAge })}
          error={errors.minAge}
        />
        <span aria-hidden>–</span>
        <AgeInput
          label="To age"
          value={typed.maxAge}
          none={ages.most}
          onType={(maxAge) => type({ maxAge })}
          error={errors.maxAge}
        />
      </div>
      <div className={styles.days}>
        <DayInput
          label="Study from"
          value={typed.fromDate ?? ''}
          error={errors.fromDate}
          onChange={(fromDate) => type({ fromDate })}
        />
        <span className={styles.dash} aria-hidden>
          –
        </span>
        <DayInput
          label="Study to"
          value={typed.toDate ?? ''}
          error={errors.toDate}
          onChange={(toDate) => type({ toDate })}
        />
      </div>
      <NativeSelect
        size="xs"
        aria-label="Sort"
        className={styles.sort}
        value={sort}
        data={sortChoices}
        onChange={(event) => onSort(event.currentTarget.value)}
      />
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
}

type AgeProps = {
  label: string;
  value: string | undefined;
  /** The age that is no limit. */
  none: number;
  onType: (text: string) => void;
  error: string | undefined;
};

/** An age in years. What is left as it was limits nothing (C55). */
function AgeInput({ label, value, none, onType, error }: AgeProps) {
  return (
    <TextInput
      size="xs"
      className={styles.age}
      aria-label={label}
      inputMode="numeric"
      autoComplete="off"
      value={value ?? String(none)}
      error={error}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

const asTyped = (filter: Filter): Typed =>
  Object.fromEntries(filterNames.flatMap((name) => (filter[name] === undefined ? [] : [[name, String(filter[name])]])));

/** What is asked for: an age that limits nothing is not asked for. */
const asFilter = ({ searchQuery, gender, minAge, maxAge, fromDate, toDate }: Typed): Filter => ({
  searchQuery: searchQuery || undefined,
  gender: genders.find((code) => code === gender),
  minAge: limitOf(minAge, ages.least),
  maxAge: limitOf(maxAge, ages.most),
  fromDate: fromDate || undefined,
  toDate: toDate || undefined,
});

const limitOf = (text: string | undefined, none: number): number | undefined =>
  !text || Number(text) === none ? undefined : Number(text);

const areSame = (one: Typed, other: Typed) => JSON.stringify(asFilter(one)) === JSON.stringify(asFilter(other));

/**
 * What the fields say. They follow the address when it changes by itself, by Back or by a link; but not when it
 * arrives at what was sent from here, because more may have been typed since.
 */
const useTyped = (filter: Typed) => {
  const [state, setState] = useState({ filter, typed: filter, sent: filter });
  if (!areSame(state.filter, filter)) {
    setState(areSame(state.sent, filter) ? { ...state, filter } : { filter, typed: filter, sent: filter });
  }
  return {
    typed: state.typed,
    setTyped: (typed: Typed) => setState((before) => ({ ...before, typed })),
    setSent: (sent: Typed) => setState((before) => ({ ...before, sent })),
  };
};

/** What is wrong with ages and days, by field, in the words of the server's own rule. */
const errorsIn = (typed: Typed): Typed => {
  const given = Object.fromEntries(Object.entries(typed).filter(([, text]) => text !== ''));
  const checked = patientSearch.safeParse(given);
  const issues = checked.success ? [] : checked.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
};
