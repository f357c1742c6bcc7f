import { t } from '@lingui/core/macro';
import type { PatientRow } from '@radwork/contract/imaging/patients';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { may } from '#core/state/session.ts';
import { DataTable, type RowShortcut } from '#ui/tables/data-table.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import { patients } from '@radwork/contract/imaging/patients';
import { NoPatients } from './no-patients.tsx';
import { patientColumns } from './patient-columns.tsx';
import { defaultSize, defaultSort, noFilters, patientsSearch, type PatientsSearch } from './patients-search.ts';
import { RecentStudies } from './recent-studies.tsx';
import { usePatients } from '#imaging/patients/use-patients.ts';

type Change = (next: Partial<PatientsSearch>, options?: { replace: boolean }) => void;
type Props = { search: PatientsSearch; onChange: Change; onRemove: (patient: PatientRow) => void };

const failed = t`Failed to fetch patients. Please try again.`;

/** One page of the patient list, as chosen in the address, with page controls. */
export function PatientTable({ search, onChange, onRemove }: Props) {
  const { size = defaultSize, sort = defaultSort } = search;
  const result = usePatients(search);
  const { data, error } = result;
  const steady = useSteadyList({
    items: data?.content,
    at: result.dataUpdatedAt,
    to: result.isPlaceholderData ? undefined : JSON.stringify(search),
  });
  const navigate = useNavigate();
  const columns = useMemo(() => patientColumns(onRemove), [onRemove]);
  useLastPageFallback(data, (last) => onChange({ page: last || undefined }, { replace: true }));
  const retry = () => void result.refetch();
  const edit: RowShortcut<PatientRow> = {
    keys: 'm',
    does: t`Edit patient`,
    hint: t`edit`,
    run: ({ id }) => void navigate({ to: '/patients/$id/edit', params: { id } }),
  };

  return (
    <>
      <OutdatedList label={t`patients`} result={result} failed={failed} />
      <DataTable
        label={t`patients`}
        items={steady.items}
        idOf={({ id }) => id}
        columns={columns}
        sort={sort}
        onSort={(next) => onChange({ sort: patientsSearch.shape.sort.parse(next), page: undefined })}
        details={{ label: t`latest studies`, show: ({ id }) => <RecentStudies patientId={id} /> }}
        onOpen={({ id }) => void navigate({ to: '/patients/$id', params: { id } })}
        rowShortcuts={may(patients.update) ? [edit] : []}
        onHold={steady.onHold}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && <ErrorState failed={failed} error={error} onRetry={retry} />}
        {data?.totalElements === 0 && <NoPatients search={search} onClear={() => onChange(noFilters)} />}
      </DataTable>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && <Pagination currentPage={data} size={size} onPaging={onChange} />}
    </>
  );
}
