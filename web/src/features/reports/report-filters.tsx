import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { modalities } from '@radwork/contract/modalities';
import { seesDrafts } from '@radwork/contract/report-rights';
import { reportListQuery, reportStatuses, reportStatusLabels } from '@radwork/contract/reports';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useState } from 'react';
import { readSession } from '#core/session.ts';
import { DayInput } from '#ui/day-input.tsx';
import styles from './reports-screen.module.css';
import { reportsSearch, type ReportsSearch } from './reports-search.ts';

type Filter = Pick<ReportsSearch, 'query' | 'status' | 'modality' | 'critical' | 'startDate' | 'endDate'>;
type Typed = Pick<Filter, 'query' | 'startDate' | 'endDate'>;

type Props = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** How long to wait for the next key before searching, in milliseconds. */
const pause = 300;

/** The filters of the list of reports. Text and dates follow the keyboard with a pause, choices act at once. */
export function ReportFilters({ filter, onFilter, textField }: Props) {
  const { typed, type } = useTyping(filter, onFilter);
  const errors = errorsIn(typed);
  const session = readSession();
  return (
    <form role="search" className={styles.filters} onSubmit={(event) => event.preventDefault()}>
      <TextInput
        ref={textField}
        size="xs"
        className={styles.text}
        type="search"
        aria-label="Search reports"
        placeholder="Patient, accession, description..."
        leftSection={<IconSearch size={15} stroke={1.6} aria-hidden />}
        value={typed.query ?? ''}
        onChange={(event) => type({ query: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        aria-label="Modality"
        className={styles.choice}
        value={filter.modality ?? ''}
        onChange={(event) => onFilter({ modality: event.currentTarget.value || undefined })}
        data={[{ value: '', label: 'Modality' }, ...modalities]}
      />
      {session && seesDrafts(session.user.userType) && (
        <NativeSelect
          size="xs"
          aria-label="Status"
          className={styles.choice}
          value={filter.status ?? ''}
          onChange={(event) => onFilter({ status: reportsSearch.shape.status.parse(event.currentTarget.value) })}
          data={[
            { value: '', label: 'Status' },
            ...reportStatuses.map((status) => ({ value: status, label: reportStatusLabels[status] })),
          ]}
        />
      )}
      <NativeSelect
        size="xs"
        aria-label="Critical findings"
        className={styles.choice}
        value={filter.critical ?? ''}
        onChange={(event) => onFilter({ critical: reportsSearch.shape.critical.parse(event.currentTarget.value) })}
        data={[
          { value: '', label: 'Critical or not' },
          { value: 'true', label: 'Critical' },
          { value: 'false', label: 'Not critical' },
        ]}
      />
      <div className={styles.days}>
        <DayInput
          label="Study from date"
          value={typed.startDate ?? ''}
          error={errors.startDate}
          onChange={(startDate) => type({ startDate })}
        />
        <span className={styles.dash} aria-hidden>
          –
        </span>
        <DayInput
          label="Study to date"
          value={typed.endDate ?? ''}
          error={errors.endDate}
          onChange={(endDate) => type({ endDate })}
        />
      </div>
    </form>
  );
}

/** What the fields say. They follow the address when that changes by itself, by Back or by a link. */
const useTyping = (filter: Filter, onFilter: (filter: Filter) => void) => {
  const { query, startDate, endDate } = filter;
  const asked = JSON.stringify({ query, startDate, endDate });
  const [state, setState] = useState({ asked, sent: asked, typed: { query, startDate, endDate } as Typed });
  if (state.asked !== asked) {
    const isOwn = state.sent === asked;
    setState({ asked, sent: asked, typed: isOwn ? state.typed : { query, startDate, endDate } });
  }
  const send = useDebouncedCallback((typed: Typed) => {
    if (Object.keys(errorsIn(typed)).length > 0) return;
    const said = {
      query: typed.query || undefined,
      startDate: typed.startDate || undefined,
      endDate: typed.endDate || undefined,
    };
    setState((before) => ({ ...before, sent: JSON.stringify(said) }));
    onFilter(said);
  }, pause);
  return {
    typed: state.typed,
    type: (change: Typed) => {
      const typed = { ...state.typed, ...change };
      setState({ ...state, typed });
      send(typed);
    },
  };
};

/** What is wrong with the dates, by field, in the words of the server's own rule. */
const errorsIn = ({ startDate, endDate }: Typed): { startDate?: string; endDate?: string } => {
  const checked = reportListQuery.safeParse({ startDate, endDate });
  const issues = checked.success ? [] : checked.error.issues;
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]));
};
