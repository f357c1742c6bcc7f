import { readSession } from '#core/session.ts';
import { type StudiesSearch, studiesSearch } from './studies-search.ts';

/** Where somebody was in the study list. Kept in memory only: a search may hold a patient's name. */
let place: { userId: string; search: StudiesSearch } | undefined;

/** Remembers the address of the list, so that the way back from a study leads to the same page and filters. */
export const rememberListPlace = (search: StudiesSearch): void => {
  const userId = readSession()?.user.id;
  place = userId === undefined ? undefined : { userId, search };
};

/** Where the person signed in was in the list; its beginning when nobody was there yet, or somebody else. */
export const listPlace = (): StudiesSearch =>
  place && place.userId === readSession()?.user.id ? place.search : studiesSearch.parse({});
