import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type Group, groups } from '@radwork/contract/identity/groups';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { query, useAction } from '#core/http/api.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { EmptyState, ErrorState } from '#ui/feedback/content-states.tsx';
import { isolateText } from '#ui/formats/isolate-text.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { ScreenTitle } from '#ui/layout/screen-title.tsx';
import { DataTable } from '#ui/tables/data-table.tsx';
import { groupColumns } from './group-columns.tsx';
import { type Edited, GroupDrawer } from './group-drawer.tsx';

/** Lists the groups of the organization with their members and limits. */
export function GroupsScreen() {
  const result = useQuery(query(groups.list, {}));
  const [edited, setEdited] = useState<Edited>();
  const { mutate: remove } = useAction(groups.remove, {
    done: t`Group deleted`,
    failed: t`Failed to delete the group`,
    refreshes: ['groups', 'users', 'saved-views', 'assignment-rules'],
  });
  const columns = useMemo(() => {
    const askToRemove = async (group: Group) => {
      const name = isolateText(group.name);
      const { memberCount, viewCount, ruleCount } = group;
      const agreed = await confirm({
        question: t`Delete the group ${name}?`,
        consequence: (
          <>
            <p>
              {t`${plural(memberCount, { one: '# member leaves', other: '# members leave' })} the group, and its studies lose it. Limited members no longer see studies that only this group shows them.`}
            </p>
            <p>{t`Their assignments to these studies end. The users who made them are notified.`}</p>
            {viewCount > 0 && (
              <p>
                {t`${plural(viewCount, { one: '# saved view of the group is deleted.', other: '# saved views of the group are deleted.' })}`}
              </p>
            )}
            {ruleCount > 0 && (
              <p>
                {t`${plural(ruleCount, { one: '# assignment rule uses the group and then assigns nothing.', other: '# assignment rules use the group and then assign nothing.' })}`}
              </p>
            )}
            <p>{t`A deleted group cannot be restored.`}</p>
          </>
        ),
        verb: t`Delete group`,
      });
      if (agreed) remove({ params: { id: group.id } });
    };
    return groupColumns({ onOpen: ({ id }) => setEdited({ id }), onRemove: (group) => void askToRemove(group) });
  }, [remove]);
  useShortcuts(t`Groups`, [{ keys: 'n', does: t`Create group`, run: () => setEdited({}), hint: t`create` }]);

  return (
    <>
      <ScreenTitle
        title={t`Groups`}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited({})}>
            {t`Create group`}
          </Button>
        }
      />
      <DataTable
        label={t`groups`}
        items={result.data}
        idOf={({ id }) => id}
        columns={columns}
        onOpen={({ id }) => setEdited({ id })}
        isRefreshing={result.isFetching}
      >
        {result.data?.length === 0 && (
          <EmptyState
            icon={IconUsersGroup}
            title={t`No groups`}
            detail={t`Studies are assigned to groups, and groups can limit which studies their members see.`}
          />
        )}
        {result.isLoadingError && (
          <ErrorState failed={t`Failed to load groups`} error={result.error} onRetry={() => void result.refetch()} />
        )}
      </DataTable>
      <GroupDrawer edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}
