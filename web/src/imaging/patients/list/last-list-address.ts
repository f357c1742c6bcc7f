import { readSession } from '#core/state/session.ts';
import { type PatientsSearch, patientsSearch } from './patients-search.ts';

/**
 * Last page and filters of the patient list. They are kept in memory only, because a search may contain a patient's
 * name.
 */
let place: { userId: string; search: PatientsSearch } | undefined;

/** Remembers page and filters of the list, so that a link back to the list restores them. */
export const rememberPatientsPlace = (search: PatientsSearch): void => {
  const userId = readSession()?.user.id;
  place = userId === undefined ? undefined : { userId, search };
};

/** Returns the page and filters that the signed-in user had last. Default: the first page. */
export const patientsPlace = (): PatientsSearch =>
  place && place.userId === readSession()?.user.id ? place.search : patientsSearch.parse({});
