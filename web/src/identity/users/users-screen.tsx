import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { userExport, users } from '@radwork/contract/identity/users';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { useListExport } from '#core/http/use-list-export.ts';
import { may } from '#core/state/session.ts';
import { ExportButton } from '#ui/lists/export-button.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { PasswordLinkDialog, type CreatedPasswordLink } from './password-link-dialog.tsx';
import { UserDrawer } from './user-drawer.tsx';
import { UserFilters } from './user-filters.tsx';
import { UserTable } from './user-table.tsx';
import { defaultSort, usersSearch, type UsersSearch } from './users-search.ts';

const route = getRouteApi('/signed-in/shell/users/{-$id}');

/**
 * Screen /users: the users of the organization. The address holds filters and page. If it contains a user ID, the
 * drawer of that user is open.
 */
export function UsersScreen() {
  const search = route.useSearch();
  const { id } = route.useParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [passwordLink, setPasswordLink] = useState<CreatedPasswordLink>();
  const change = useCallback(
    (next: Partial<UsersSearch>, { replace = false } = {}) =>
      void navigate({
        to: '/users/{-$id}',
        params: (known) => known,
        search: (before) => usersSearch.parse({ ...before, ...next }),
        replace,
      }),
    [navigate],
  );
  const open = useCallback(
    (next: string | undefined) =>
      void navigate({ to: '/users/{-$id}', params: { id: next }, search: (before) => usersSearch.parse(before) }),
    [navigate],
  );
  const close = () => {
    setAdding(false);
    if (id) open(undefined);
  };
  const { query, userType, active, roleId, sort = defaultSort } = search;
  const exporting = useListExport(
    userExport,
    { query, userType, active, roleId, sort },
    { done: t`Users exported. The audit log records the export.`, failed: t`Failed to export users` },
  );
  const textField = useRef<HTMLInputElement>(null);
  useShortcuts(t`Users`, [
    { keys: '/', does: t`Search users`, run: () => textField.current?.focus(), hint: t`search` },
    { keys: 'n', does: t`Create user`, run: () => setAdding(true), hint: t`create` },
  ]);

  return (
    <>
      <ScreenTitle
        title={t`Users Management`}
        actions={
          <>
            {may(userExport) && <ExportButton exporting={exporting} />}
            {may(users.create) && (
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
                {t`Create user`}
              </Button>
            )}
          </>
        }
      />
      <UserFilters
        filter={search}
        textField={textField}
        onFilter={(next) => change({ ...next, page: undefined }, { replace: true })}
        onSubmit={() => void client.invalidateQueries({ queryKey: ['users'] })}
      />
      <UserTable search={search} onChange={change} onOpen={open} onLink={setPasswordLink} />
      <UserDrawer
        id={isAdding ? undefined : id}
        opened={isAdding || id !== undefined}
        onClose={close}
        onLink={setPasswordLink}
      />
      <PasswordLinkDialog passwordLink={passwordLink} onClose={() => setPasswordLink(undefined)} />
    </>
  );
}
