import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Role, roles } from '@radwork/contract/identity/roles';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { DataTable } from '#ui/tables/data-table.tsx';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ErrorState } from '#ui/feedback/content-states.tsx';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { roleColumns } from './role-columns.tsx';
import { type Edited, RoleDrawer } from './role-drawer.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

/** Lists the roles of the organization with their permissions and numbers of users. */
export function RolesScreen() {
  const result = useQuery(query(roles.list, {}));
  const [edited, setEdited] = useState<Edited>();
  const { mutate: remove } = useAction(roles.remove, { done: t`Role deleted`, failed: t`Failed to delete the role` });
  const columns = useMemo(() => {
    const askToRemove = async ({ id, name: full }: Role) => {
      const name = isolateText(full);
      const agreed = await confirm({
        question: t`Delete the role ${name}?`,
        consequence: <p>{t`No user has this role. A deleted role cannot be restored.`}</p>,
        verb: t`Delete role`,
      });
      if (agreed) remove({ params: { id } });
    };
    return roleColumns({
      onOpen: (role) => setEdited({ role }),
      onClone: (role) => setEdited({ role, isCopy: true }),
      onRemove: (role) => void askToRemove(role),
    });
  }, [remove]);
  useShortcuts(t`Roles`, [{ keys: 'n', does: t`Create role`, run: () => setEdited({}), hint: t`create` }]);

  return (
    <>
      <ScreenTitle
        title={t`Roles Management`}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited({})}>
            {t`Create role`}
          </Button>
        }
      />
      <DataTable
        label={t`roles`}
        items={result.data}
        idOf={({ id }) => id}
        columns={columns}
        details={{ label: t`permissions`, show: ({ permissions }) => <PermissionMatrix chosen={permissions} /> }}
        onOpen={(role) => setEdited({ role })}
        isRefreshing={result.isFetching}
      >
        {result.isLoadingError && (
          <ErrorState failed={t`Failed to load roles`} error={result.error} onRetry={() => void result.refetch()} />
        )}
      </DataTable>
      <RoleDrawer edited={edited} onEdit={setEdited} onClose={() => setEdited(undefined)} />
    </>
  );
}
