import { t } from '@lingui/core/macro';
import { modalities } from '@radwork/contract/core/modalities';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { reportListQuery } from '@radwork/contract/reading/reports';
import { reportStatusLabels } from '@radwork/contract/reading/report-status';
import { reportStatuses } from '@radwork/contract/imaging/study-marks';
import type { RefObject } from 'react';
import { readSession } from '#core/state/session.ts';
import { DayRange } from '#ui/forms/day-range.tsx';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { fieldErrorsBy, useFilterForm } from '#ui/lists/use-filter-form.ts';
import { reportsSearch, type ReportsSearch } from './reports-search.ts';

type Filter = Pick<ReportsSearch, 'query' | 'status' | 'modality' | 'critical' | 'startDate' | 'endDate'>;

type Props = {
  filter: Filter;
  onFilter: (filter: Filter) => void;
  textField: RefObject<HTMLInputElement | null>;
};

/** Filters of the list of reports. Text and dates apply after a pause in typing; other choices apply at once. */
export function ReportFilters({ filter, onFilter, textField }: Props) {
  const { typed, type, choose } = useFilterForm({ currentValues: filter, filterOf, errorsIn, onFilter });
  const errors = errorsIn(typed);
  const session = readSession();
  return (
    <FilterForm onSubmit={choose}>
      <SearchField
        ref={textField}
        aria-label={t`Search reports`}
        placeholder={t`Patient, accession number, description`}
        value={typed.query ?? ''}
        onChange={(event) => type({ query: event.currentTarget.value })}
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
        label={t`Critical findings`}
        any={t`All findings`}
        value={typed.critical}
        choices={[
          { value: 'true', label: t`Critical` },
          { value: 'false', label: t`Not critical` },
        ]}
        onChoose={(critical) => choose({ critical: reportsSearch.shape.critical.parse(critical) })}
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

const filterOf = ({ query, status, modality, critical, startDate, endDate }: Filter): Filter => ({
  query: query || undefined,
  status,
  modality: modality || undefined,
  critical,
  startDate: startDate || undefined,
  endDate: endDate || undefined,
});

const errorsIn = ({ startDate, endDate }: Filter) => fieldErrorsBy(reportListQuery, { startDate, endDate });
