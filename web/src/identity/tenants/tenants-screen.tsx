import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Tenant, tenants, tenantStates } from '@radwork/contract/identity/tenants';
import { IconBuildingHospital, IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { query } from '#core/http/api.ts';
import { DataTable } from '#ui/tables/data-table.tsx';
import { FilterChoice, FilterForm, SearchField } from '#ui/lists/filter-form.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { useFilterForm } from '#ui/lists/use-filter-form.ts';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { SuspendDialog } from './suspend-dialog.tsx';
import { tenantColumns } from './tenant-columns.tsx';
import { TenantDetails } from './tenant-details.tsx';
import { TenantDrawer } from './tenant-drawer.tsx';
import type { TenantsSearch } from './tenants-search.ts';
import { useTenantActions } from './use-tenant-actions.ts';

const route = getRouteApi('/signed-in/shell/tenants');
const defaultSize = 25;
const failed = t`Failed to load organizations`;

type Props = {
  /** Switches the user into an organization. */
  onEnter: (subdomain: string) => void;
};

/** Screen /tenants: the organizations of this installation. The address holds the filters. */
export function TenantsScreen({ onEnter }: Props) {
  const search = route.useSearch();
  const { query: words, status, page = 0, size = defaultSize } = search;
  const navigate = useNavigate();
  const [edited, setEdited] = useState<Tenant | 'new'>();
  const list = useQuery({
    ...query(tenants.list, { query: { page, size, ...(words && { query: words }), ...(status && { status }) } }),
    placeholderData: keepPreviousData,
  });
  const change = (next: TenantsSearch, replace = false) =>
    void navigate({ to: '/tenants', search: { ...search, ...next }, replace });
  useLastPageFallback(list.data, (last) => change({ page: last || undefined }, true));
  const { acts, suspending, onSuspended } = useTenantActions();
  const columns = useMemo(() => tenantColumns({ ...acts, onEnter, onEdit: setEdited }), [acts, onEnter]);
  const { data, error } = list;

  return (
    <>
      <ScreenTitle
        title={t`Tenants Management`}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
            {t`Create organization`}
          </Button>
        }
      />
      <Filters search={search} onSearch={change} />
      <OutdatedList label={t`organizations`} result={list} failed={failed} />
      <DataTable
        label={t`organizations`}
        items={data?.content}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`details`, show: (tenant) => <TenantDetails tenant={tenant} /> }}
        isRefreshing={list.isPlaceholderData}
        onOpen={setEdited}
      >
        {error && !data && <ErrorState failed={failed} error={error} onRetry={() => void list.refetch()} />}
        {data?.totalElements === 0 && (
          <EmptyState icon={IconBuildingHospital} title={t`No organizations match these filters`} />
        )}
      </DataTable>
      {data && data.totalElements > 0 && <Pagination currentPage={data} size={size} onPaging={change} />}
      <SuspendDialog tenant={suspending} onClose={onSuspended} />
      <TenantDrawer edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

const stateChoices = tenantStates.map((value) => ({ value, label: value === 'ACTIVE' ? t`Active` : t`Suspended` }));

type FilterFields = Partial<Record<'query' | 'status', string>>;

const filterOf = ({ query: words, status }: FilterFields): TenantsSearch => ({
  query: words || undefined,
  status: tenantStates.find((tenantState) => tenantState === status),
});

function Filters({ search, onSearch }: { search: TenantsSearch; onSearch: (search: TenantsSearch) => void }) {
  const { query: words, status } = search;
  const { typed, type, choose } = useFilterForm<FilterFields, TenantsSearch>({
    currentValues: { ...(words && { query: words }), ...(status && { status }) },
    filterOf,
    errorsIn: () => ({}),
    onFilter: (filter) => onSearch({ ...filter, page: undefined }),
  });
  return (
    <FilterForm onSubmit={() => choose()}>
      <SearchField
        aria-label={t`Search organizations`}
        placeholder={t`Name or subdomain`}
        value={typed.query ?? ''}
        onChange={(event) => type({ query: event.currentTarget.value })}
      />
      <FilterChoice
        label={t`State`}
        any={t`Active and suspended`}
        value={typed.status}
        choices={stateChoices}
        onChoose={(value) => choose({ status: value })}
      />
      <Button type="submit" variant="default">
        {t`Search`}
      </Button>
    </FilterForm>
  );
}
