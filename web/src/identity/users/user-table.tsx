import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type User, users } from '@radwork/contract/identity/users';
import { IconSearchOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { query } from '#core/http/api.ts';
import { readSession } from '#core/state/session.ts';
import { DataTable } from '#ui/tables/data-table.tsx';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ListChangedNote } from '#ui/lists/list-changed.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { useLastPageFallback } from '#ui/lists/use-last-page-fallback.ts';
import { useSteadyList } from '#ui/lists/use-steady-list.ts';
import type { CreatedPasswordLink } from './password-link-dialog.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { userColumns } from './user-columns.tsx';
import { defaultSize, defaultSort, noFilters, usersSearch, type UsersSearch } from './users-search.ts';
import { PermissionSummary } from './permission-summary.tsx';

type Props = {
  search: UsersSearch;
  onChange: (next: Partial<UsersSearch>, options?: { replace: boolean }) => void;
  onOpen: (id: string) => void;
  onLink: (link: CreatedPasswordLink) => void;
};

const failed = t`Failed to load users`;

/** One page of the list of users, as chosen in the address, with page controls. */
export function UserTable({ search, onChange, onOpen, onLink }: Props) {
  const { page = 0, size = defaultSize, sort = defaultSort, ...filters } = search;
  const result = useQuery({
    ...query(users.list, { query: { ...filters, page, size, sort } }),
    placeholderData: keepPreviousData,
  });
  const { data, error } = result;
  const steady = useSteadyList({
    items: data?.content,
    at: result.dataUpdatedAt,
    to: result.isPlaceholderData ? undefined : JSON.stringify(search),
  });
  const actions = useUserActions(onLink);
  const isSuperAdmin = readSession()?.user.userType === 'SUPER_ADMIN';
  const columns = useMemo(
    () => userColumns({ isSuperAdmin, onOpen: ({ id }: User) => onOpen(id), actions }),
    [isSuperAdmin, onOpen, actions],
  );
  useLastPageFallback(data, (last) => onChange({ page: last || undefined }, { replace: true }));

  return (
    <>
      <OutdatedList label={t`users`} result={result} failed={failed} />
      <DataTable
        label={t`users`}
        items={steady.items}
        idOf={({ id }) => id}
        columns={columns}
        sort={sort}
        onSort={(next) => onChange({ sort: usersSearch.shape.sort.parse(next), page: undefined })}
        details={{
          label: t`permissions`,
          show: ({ permissions }) => <PermissionSummary permissions={permissions} />,
        }}
        onOpen={({ id }) => onOpen(id)}
        onHold={steady.onHold}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && <ErrorState failed={failed} error={error} onRetry={() => void result.refetch()} />}
        {data?.totalElements === 0 && (
          <EmptyState
            icon={IconSearchOff}
            title={t`No users match these filters`}
            detail={t`Shorten the search text, or choose another type or role.`}
            action={
              <Button variant="default" onClick={() => onChange(noFilters)}>
                {t`Clear filters`}
              </Button>
            }
          />
        )}
      </DataTable>
      {steady.isMoved && <ListChangedNote onShow={steady.showNew} />}
      {data && <Pagination currentPage={data} size={size} onPaging={onChange} />}
    </>
  );
}
