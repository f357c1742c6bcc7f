import { t } from '@lingui/core/macro';
import { modalities } from '@radwork/contract/core/modalities';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { reportSearch } from '@radwork/contract/reading/report-search';
import { reportListQuery } from '@radwork/contract/reading/reports';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { reportStatuses } from '@radwork/contract/imaging/study-marks';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { query } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { fieldErrorsBy, useFilterForm } from '#ui/lists/use-filter-form.ts';
import { reportsSearch, type ReportsSearch } from '#reading/reports/list/reports-search.ts';

export type TextFilter = Pick<ReportsSearch, 'text' | 'status' | 'modality' | 'authorId' | 'startDate' | 'endDate'>;

type Props = {
  filter: TextFilter;
  onFilter: (filter: TextFilter) => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** Filters of the search in report texts. Text and dates apply after a pause in typing; other choices apply at once. */
export function TextFilters({ filter, onFilter, textField }: Props) {
  const { typed, type, choose } = useFilterForm({ currentValues: filter, filterOf, errorsIn, onFilter });
  const errors = errorsIn(typed);
  const session = readSession();
  const authors = useQuery(query(reportSearch.authors, {}));
  return (
    <FilterForm onSubmit={choose}>
      <SearchField
        ref={textField}
        aria-label={t`Search report texts`}
        placeholder={t`Words, "a phrase", -excluded`}
        value={typed.text ?? ''}
        onChange={(event) => type({ text: event.currentTarget.value })}
      />
      <FilterChoice
        label={t`Modality`}
        value={typed.modality}
        choices={modalities}
        onChoose={(modality) => choose({ modality })}
      />
      {session && seesDrafts(session.user.userType) && (
        <FilterChoice
          label={t`Status`}
          value={typed.status}
          choices={reportStatuses.map((status) => ({ value: status, label: reportStatusLabels[status] }))}
          onChoose={(status) => choose({ status: reportsSearch.shape.status.parse(status) })}
        />
      )}
      <FilterChoice
        label={t`Author`}
        value={typed.authorId}
        choices={(authors.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(authorId) => choose({ authorId: authorId || undefined })}
      />
      <DayRange
        from={{
          label: t`Study from date`,
          value: typed.startDate,
          error: errors.startDate,
          onChange: (startDate) => type({ startDate }),
        }}
        to={{
          label: t`Study to date`,
          value: typed.endDate,
          error: errors.endDate,
          onChange: (endDate) => type({ endDate }),
        }}
      />
    </FilterForm>
  );
}

export const filterOf = ({ text, status, modality, authorId, startDate, endDate }: TextFilter): TextFilter => ({
  text: text || undefined,
  status,
  modality: modality || undefined,
  authorId,
  startDate: startDate || undefined,
  endDate: endDate || undefined,
});

const errorsIn = ({ startDate, endDate }: TextFilter) => fieldErrorsBy(reportListQuery, { startDate, endDate });
