import { t } from '@lingui/core/macro';
import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconBookmark, IconBookmarkPlus, IconDeviceFloppy, IconSettings } from '@tabler/icons-react';
import { useState } from 'react';
import { dialogOnDemand } from '#ui/feedback/on-demand.tsx';
import type { StudiesSearch } from '#imaging/studies/list/studies-search.ts';
import { areSameSearches, mayChange, savedSearchOf, useSavedViews, useViewActions } from './use-saved-views.ts';

const SaveViewDialog = dialogOnDemand(async () => (await import('./save-view-dialog.tsx')).SaveViewDialog);

const ManageViewsDialog = dialogOnDemand(async () => (await import('./manage-views-dialog.tsx')).ManageViewsDialog);

/** Prefetches the code of the dialogs when the menu opens. */
const fetchDialogs = (): void => {
  void SaveViewDialog.prefetch();
  void ManageViewsDialog.prefetch();
};

type Props = { search: StudiesSearch; onSaved: (id: string) => void };

/** Menu to save the current filters and order as a view, and to manage saved views. */
export function SavedViewsMenu({ search, onSaved }: Props) {
  const [dialog, setDialog] = useState<'save' | 'manage'>();
  const { data: views = [] } = useSavedViews();
  const { update } = useViewActions();
  const current = views.find(({ id }) => id === search.savedView);
  const changed = savedSearchOf(search);
  const isChanged = current !== undefined && !areSameSearches(current.search, changed);
  const name = current?.name ?? '';
  return (
    <>
      <Menu position="bottom-end" onOpen={fetchDialogs}>
        <Menu.Target>
          <Tooltip label={t`Saved views`}>
            <ActionIcon size={30} aria-label={t`Saved views`}>
              <IconBookmark size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {current && isChanged && mayChange(current) && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={16} stroke={1.6} />}
              onClick={() =>
                update.mutate({
                  params: { id: current.id },
                  body: { name: current.name, search: changed, revision: current.revision },
                })
              }
            >
              {t`Save changes to ${name}`}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconBookmarkPlus size={16} stroke={1.6} />} onClick={() => setDialog('save')}>
            {t`Save as view`}
          </Menu.Item>
          <Menu.Item leftSection={<IconSettings size={16} stroke={1.6} />} onClick={() => setDialog('manage')}>
            {t`Manage views`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SaveViewDialog
        opened={dialog === 'save'}
        search={changed}
        onClose={() => setDialog(undefined)}
        onSaved={({ id }) => {
          setDialog(undefined);
          onSaved(id);
        }}
      />
      <ManageViewsDialog opened={dialog === 'manage'} onClose={() => setDialog(undefined)} />
    </>
  );
}
