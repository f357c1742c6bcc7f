import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { modalities } from '@radwork/contract/core/modalities';
import { studySearch } from '@radwork/contract/imaging/studies';
import { studyStatuses } from '@radwork/contract/imaging/study-status';
import type { RefObject } from 'react';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { studyStatusLabel } from '#ui/marks/study-status.tsx';
import { fieldErrorsBy, useFilterForm } from '#ui/lists/use-filter-form.ts';
import type { StudiesSearch } from './studies-search.ts';

export type StudyFilter = Pick<StudiesSearch, 'query' | 'modality' | 'status' | 'startDate' | 'endDate'>;

type Props = {
  filter: StudyFilter;
  onFilter: (filter: StudyFilter) => void;
  /** Called when the user submits the search, even without a change. */
  onSubmit: () => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** Filters of the study list. Text and dates apply after a pause in typing; choices apply at once. */
export function StudyFilters({ filter, onFilter, onSubmit, textField }: Props) {
  const { typed, type, choose } = useFilterForm({ currentValues: filter, filterOf, errorsIn, onFilter });
  const errors = errorsIn(typed);
  return (
    <FilterForm
      onSubmit={() => {
        choose();
        onSubmit();
      }}
    >
      <SearchField
        ref={textField}
        aria-label={t`Search studies`}
        placeholder={t`Search studies...`}
        value={typed.query ?? ''}
        onChange={(event) => type({ query: event.currentTarget.value })}
      />
      <FilterChoice
        label={t`Modality`}
        value={typed.modality}
        choices={modalities}
        onChoose={(modality) => choose({ modality })}
      />
      <FilterChoice
        label={t`Status`}
        value={typed.status}
        choices={studyStatuses.map((status) => ({ value: status, label: studyStatusLabel(status) }))}
        onChoose={(value) => choose({ status: studyStatuses.find((status) => status === value) })}
      />
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
      <Button type="submit" variant="default">
        {t`Search`}
      </Button>
    </FilterForm>
  );
}

const filterOf = ({ query, modality, status, startDate, endDate }: StudyFilter): StudyFilter => ({
  query: query || undefined,
  modality: modality || undefined,
  status,
  startDate: startDate || undefined,
  endDate: endDate || undefined,
});

const errorsIn = ({ startDate, endDate }: StudyFilter) => fieldErrorsBy(studySearch, { startDate, endDate });
