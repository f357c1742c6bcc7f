import { t } from '@lingui/core/macro';
import { type SavedSearch, type SavedView, savedViews } from '@radwork/contract/imaging/saved-views';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';
import type { StudiesSearch } from '#imaging/studies/list/studies-search.ts';

/** Nouns whose queries a change of a saved view refreshes: the views and their counts. */
const refreshes = ['saved-views', 'studies'];

/** Whether the user saves views for groups and for the organization. */
export const maySaveShared = (): boolean => may({ can: 'config.manage' });

/** Whether the user may change a view. */
export const mayChange = ({ owner }: Pick<SavedView, 'owner'>): boolean => owner === 'USER' || maySaveShared();

/** The views that the user may use or change. */
export const useSavedViews = () => useQuery(query(savedViews.list, {}));

/** The views that the user may use: all except those of groups of which the user is not a member. */
export const useUsableViews = (): SavedView[] | undefined =>
  useSavedViews().data?.filter(({ group }) => group?.isOwn !== false);

/** Returns the part of the address that a view saves. */
export const savedSearchOf = ({
  page: _page,
  studyId: _studyId,
  savedView: _savedView,
  ...search
}: StudiesSearch): SavedSearch => JSON.parse(JSON.stringify(search));

/** Whether two searches show the same list. */
export const areSameSearches = (one: SavedSearch, other: SavedSearch): boolean => textOf(one) === textOf(other);

const textOf = (search: SavedSearch): string =>
  JSON.stringify(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== '')
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

export const useViewActions = () => {
  const create = useAction(savedViews.create, { done: t`View saved`, failed: t`Failed to save the view`, refreshes });
  const update = useAction(savedViews.update, { done: t`View saved`, failed: t`Failed to save the view`, refreshes });
  const move = useAction(savedViews.move, { failed: t`Failed to move the view` });
  const setDefault = useAction(savedViews.setDefault, { failed: t`Failed to change the first view` });
  const remove = useAction(savedViews.remove, { failed: t`Failed to delete the view`, refreshes });
  const restore = useAction(savedViews.create, {
    done: t`View restored`,
    failed: t`Failed to restore the view`,
    refreshes,
  });
  /** Deletes a view. The user can undo this for ten seconds; the view returns to its place. */
  const removeWithUndo = ({ id, name, search, owner, group, isDefault }: SavedView, at: number) =>
    remove.mutate(
      { params: { id } },
      {
        onSuccess: () =>
          offerUndo(t`View ${name} deleted`, () =>
            restore.mutate({ body: { name, search, owner, groupId: group?.id, isDefault, at } }),
          ),
      },
    );
  return { create, update, move, setDefault, removeWithUndo };
};
