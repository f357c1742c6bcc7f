import type { SavedSearch, SavedView, SavedViewCount } from '@radwork/contract/imaging/saved-views';
import { studySearch } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { countStudies } from '#imaging/studies/study-sources.ts';
import type { StudyFilter } from '#imaging/studies/study-filter.ts';
import { filterOf } from '#imaging/studies/study-list.ts';

/** Selects the views that the caller may use: own views and those of the organization. */
const storedViews = ({ db, session }: Scope) =>
  db
    .selectFrom('saved_views as v')
    .select(['v.id', 'v.name', 'v.search', 'v.revision', 'v.updated_by as updatedBy', 'v.updated_at as updatedAt'])
    .select('v.owner_kind as owner')
    .select(
      sql<boolean>`exists (select from default_saved_views d
        where d.view_id = v.id and d.user_id = ${session.userId})`.as('isDefault'),
    )
    .where((is) => is.or([is('v.owner_kind', '=', 'ORGANIZATION'), is('v.owner_id', '=', session.userId)]));

/** Lists the caller's own views, then those of the organization, each in their order. */
export const viewsOf = (scope: Scope): Promise<SavedView[]> =>
  storedViews(scope)
    .orderBy(sql`v.owner_kind <> 'USER'`)
    .orderBy('v.position')
    .orderBy('v.id')
    .execute();

/** Returns a view. Throws 404 for the view of another user. */
export const viewById = async (scope: Scope, id: string): Promise<SavedView> =>
  orNotFound(await storedViews(scope).where('v.id', '=', id).executeTakeFirst(), 'saved view');

/** Maximum number that is counted for each view, as for the tabs of the list. */
const mostCounted = 1000;

/** Counts the studies that the caller finds with each view. */
export const countsOf = async (scope: Scope): Promise<SavedViewCount[]> =>
  Promise.all((await viewsOf(scope)).map(async ({ id, search }) => ({ id, ...(await countOf(scope, search)) })));

/** Counts one view. A view of an earlier version, whose search is no longer valid, counts nothing. */
const countOf = async (scope: Scope, search: SavedSearch): Promise<Omit<SavedViewCount, 'id'>> => {
  const { data } = studySearch.safeParse(search);
  return data ? countStudies(scope, await filterOf(scope, data), mostCounted) : { total: 0, isMore: false };
};

/**
 * Returns the filter of a view, for other lists of studies than the study list. Undefined for a view that the caller may
 * not use, and for one of an earlier version whose search is no longer valid.
 */
export const filterOfView = async (scope: Scope, id: string): Promise<StudyFilter | undefined> => {
  const view = await storedViews(scope).where('v.id', '=', id).executeTakeFirst();
  const { data } = studySearch.safeParse(view?.search);
  return data && filterOf(scope, data);
};
