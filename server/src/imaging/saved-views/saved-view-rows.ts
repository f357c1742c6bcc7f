import type { SavedSearch, SavedView, SavedViewCount } from '@radwork/contract/imaging/saved-views';
import { studySearch } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { countStudies } from '#imaging/studies/study-sources.ts';
import type { StudyFilter } from '#imaging/studies/study-filter.ts';
import { filterOf, mostCounted } from '#imaging/studies/study-list.ts';

/** SQL condition for a row "v" of saved_views: the caller is a member of its group. */
const isOfOwnGroup = ({ session }: Scope) => sql<boolean>`exists (
  select from group_members m where m.group_id = v.owner_id and m.user_id = ${session.userId})`;

/** SQL condition for a row "v" of saved_views: the caller may use the view, whether or not the caller may change it. */
const isUsable = (scope: Scope) => sql<boolean>`(
  v.owner_kind = 'ORGANIZATION'
  or v.owner_kind = 'USER' and v.owner_id = ${scope.session.userId}
  or v.owner_kind = 'GROUP' and ${isOfOwnGroup(scope)})`;

/** Selects the views that the caller may use, and those of other groups that the caller may change. */
const storedViews = (scope: Scope) =>
  scope.db
    .selectFrom('saved_views as v')
    .leftJoin('groups as g', (join) => join.onRef('g.id', '=', 'v.owner_id').on('v.owner_kind', '=', 'GROUP'))
    .select(['v.id', 'v.name', 'v.search', 'v.revision', 'v.updated_by as updatedBy', 'v.updated_at as updatedAt'])
    .select('v.owner_kind as owner')
    .select(
      sql<SavedView['group']>`case when g.id is not null then
        jsonb_build_object('id', g.id, 'name', g.name, 'isOwn', ${isOfOwnGroup(scope)}) end`.as('group'),
    )
    .select(
      sql<boolean>`(${isUsable(scope)} and exists (select from default_saved_views d
        where d.view_id = v.id and d.user_id = ${scope.session.userId}))`.as('isDefault'),
    )
    .where((is) => {
      const usable = isUsable(scope);
      return hasPermission(scope.session, 'config.manage')
        ? is.or([usable, is('v.owner_kind', '=', 'GROUP')])
        : is.and([usable]);
    });

const usableViews = (scope: Scope) => storedViews(scope).where(isUsable(scope));

/** Lists the caller's own views, then those of groups by name, then those of the organization, each in their order. */
const inOrder = (views: ReturnType<typeof storedViews>): Promise<SavedView[]> =>
  views
    .orderBy(sql`array_position(array['USER', 'GROUP', 'ORGANIZATION'], v.owner_kind)`)
    .orderBy(sql`lower(g.name)`)
    .orderBy('v.position')
    .orderBy('v.id')
    .execute();

/** Lists the views that the caller may use or change. */
export const viewsOf = (scope: Scope): Promise<SavedView[]> => inOrder(storedViews(scope));

/** Returns a view that the caller may use. Throws 404 for any other view. */
export const usableViewById = async (scope: Scope, id: string): Promise<SavedView> =>
  orNotFound(await usableViews(scope).where('v.id', '=', id).executeTakeFirst(), 'saved view');

/** Returns a view that the caller may use or change. Throws 404 for any other view. */
export const viewById = async (scope: Scope, id: string): Promise<SavedView> =>
  orNotFound(await storedViews(scope).where('v.id', '=', id).executeTakeFirst(), 'saved view');

/** Maximum number that is counted for each view: that of the tabs, but less if many views would take long to count. */
const mostOfView = (scope: Scope, filter: StudyFilter): number =>
  Math.min(1000, Math.max(100, mostCounted(scope, filter) / 5));

/** Counts the studies that the caller finds with each view that the caller may use. */
export const countsOf = async (scope: Scope): Promise<SavedViewCount[]> =>
  Promise.all(
    (await inOrder(usableViews(scope))).map(async ({ id, search }) => ({ id, ...(await countOf(scope, search)) })),
  );

/** Counts one view. A view of an earlier version, whose search is no longer valid, counts nothing. */
const countOf = async (scope: Scope, search: SavedSearch): Promise<Omit<SavedViewCount, 'id'>> => {
  const { data } = studySearch.safeParse(search);
  if (!data) return { total: 0, isMore: false };
  const filter = await filterOf(scope, data);
  return countStudies(scope, filter, mostOfView(scope, filter));
};

/**
 * Returns the filter of a view, for other lists of studies than the study list. Undefined for a view that the caller may
 * not use, and for one of an earlier version whose search is no longer valid.
 */
export const filterOfView = async (scope: Scope, id: string): Promise<StudyFilter | undefined> => {
  const view = await usableViews(scope).where('v.id', '=', id).executeTakeFirst();
  const { data } = studySearch.safeParse(view?.search);
  return data && filterOf(scope, data);
};

/** Deletes the views of a group. Returns their ids and names. */
export const deleteViewsOfGroup = ({ db }: Scope, groupId: string): Promise<{ id: string; name: string }[]> =>
  db
    .deleteFrom('saved_views')
    .where('owner_kind', '=', 'GROUP')
    .where('owner_id', '=', groupId)
    .returning(['id', 'name'])
    .execute();
