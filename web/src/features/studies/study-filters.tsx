import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { modalities } from '@radwork/contract/modalities';
import { studySearch, studyStatuses } from '@radwork/contract/studies';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { DayInput } from '#ui/day-input.tsx';
import type { StudiesSearch } from './studies-search.ts';
import styles from './study-filters.module.css';
import { studyStatusLabel } from '#ui/study-status.tsx';

export type StudyFilter = Pick<StudiesSearch, (typeof filterNames)[number]>;

const filterNames = ['query', 'modality', 'status', 'startDate', 'endDate'] as const;

type Props = {
  filter: StudyFilter;
  onFilter: (filter: StudyFilter) => void;
  /** The person asked to search, also when nothing has changed. */
  onSubmit: () => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** How long to wait for the next key before searching, in milliseconds. */
const pause = 300;

/** The filters of the study list. Text and dates follow the keyboard with a pause, choices act at once. */
export function StudyFilters({ filter, onFilter, onSubmit, textField }: Props) {
  const { typed, setTyped, setSent } = useTyped(filter);
  const errors = errorsIn(typed);
  const send = (next: StudyFilter) => {
    if (Object.keys(errorsIn(next)).length > 0) return;
    setSent(next);
    onFilter(next);
  };
  const sendLater = useDebouncedCallback(send, pause);

  const type = (change: StudyFilter) => {
    setTyped({ ...typed, ...change });
    sendLater({ ...typed, ...change });
  };
  const choose = (change: StudyFilter) => {
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
        aria-label="Search studies"
        placeholder="Search studies..."
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        value={typed.query ?? ''}
        onChange={(event) => type({ query: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label="Modality"
        className={styles.choice}
        value={typed.modality ?? ''}
        onChange={(event) => choose({ modality: event.currentTarget.value })}
        data={[{ value: '', label: 'Modality' }, ...modalities]}
      />
      <NativeSelect
        size="xs"
        aria-label="Status"
        className={styles.choice}
        value={typed.status ?? ''}
        onChange={(event) => choose({ status: studyStatuses.find((status) => status === event.currentTarget.value) })}
        data={[
          { value: '', label: 'Status' },
          ...studyStatuses.map((status) => ({ value: status, label: studyStatusLabel(status) })),
        ]}
      />
      <div className={styles.days}>
        <DayInput
          label="From date"
          value={typed.startDate ?? ''}
          error={errors.startDate}
          onChange={(startDate) => type({ startDate })}
        />
        <span className={styles.dash} aria-hidden>
          –
        </span>
        <DayInput
          label="To date"
          value={typed.endDate ?? ''}
          error={errors.endDate}
          onChange={(endDate) => type({ endDate })}
        />
      </div>
      <Button type="submit" variant="default">
        Search
      </Button>
    </form>
  );
}

const areSame = (one: StudyFilter, other: StudyFilter) =>
  filterNames.every((name) => (one[name] || undefined) === (other[name] || undefined));

/**
 * What the fields say. They follow the address when it changes by itself, by Back or by a link; but not when it
 * arrives at what was sent from here, because more may have been typed since.
 */
const useTyped = (filter: StudyFilter) => {
  const [state, setState] = useState({ filter, typed: filter, sent: filter });
  if (!areSame(state.filter, filter)) {
    setState(areSame(state.sent, filter) ? { ...state, filter } : { filter, typed: filter, sent: filter });
  }
  return {
    typed: state.typed,
    setTyped: (typed: StudyFilter) => setState((before) => ({ ...before, typed })),
    setSent: (sent: StudyFilter) => setState((before) => ({ ...before, sent })),
  };
};

/** What is wrong with the dates, by field, in the words of the server's own rule. */
const errorsIn = ({ startDate, endDate }: StudyFilter): { startDate?: string; endDate?: string } => {
  const checked = studySearch.safeParse({ startDate, endDate });
  const issues = checked.success ? [] : checked.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
};
