import { readSession } from '#core/session.ts';
import { type PatientsSearch, patientsSearch } from './patients-search.ts';

/** Where somebody was in the patient list. Kept in memory only: a search may hold a patient's name. */
let place: { userId: string; search: PatientsSearch } | undefined;

/** Remembers the address of the list, so that the way back from a patient leads to the same page and filters. */
export const rememberPatientsPlace = (search: PatientsSearch): void => {
  const userId = readSession()?.user.id;
  place = userId === undefined ? undefined : { userId, search };
};

/** Where the person signed in was in the list; its beginning when nobody was there yet, or somebody else. */
export const patientsPlace = (): PatientsSearch =>
  place && place.userId === readSession()?.user.id ? place.search : patientsSearch.parse({});
