import { readSession } from '#core/state/session.ts';
import { type StudiesSearch, studiesSearch } from './list/studies-search.ts';

/**
 * Last page and filters of the study list. They are kept in memory only, because a search may contain a patient's name.
 */
let place: { userId: string; search: StudiesSearch } | undefined;

/** Remembers page and filters of the list, so that returning from a study restores them. */
export const rememberListPlace = (search: StudiesSearch): void => {
  const userId = readSession()?.user.id;
  place = userId === undefined ? undefined : { userId, search };
};

/** Returns the page and filters that the signed-in user had last. Default: the first page. */
export const lastListAddress = (): StudiesSearch =>
  place && place.userId === readSession()?.user.id ? place.search : studiesSearch.parse({});
