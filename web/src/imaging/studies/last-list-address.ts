import { readSession } from '#core/state/session.ts';
import { type StudiesSearch, studiesSearch } from './list/studies-search.ts';

/** The user's last position in the study list. Kept in memory only, because a search may contain a patient's name. */
let place: { userId: string; search: StudiesSearch } | undefined;

/** Remembers the list's address, so returning from a study shows the same page and filters. */
export const rememberListPlace = (search: StudiesSearch): void => {
  const userId = readSession()?.user.id;
  place = userId === undefined ? undefined : { userId, search };
};

/** Returns the current user's last position in the list, or the first page. */
export const lastListAddress = (): StudiesSearch =>
  place && place.userId === readSession()?.user.id ? place.search : studiesSearch.parse({});
