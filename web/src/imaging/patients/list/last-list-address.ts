import { readSession } from '#core/state/session.ts';
import { type PatientsSearch, patientsSearch } from './patients-search.ts';

/** Last position in the patient list. In memory only: a search may contain a patient's name. */
let place: { userId: string; search: PatientsSearch } | undefined;

/** Remembers the address of the list, so that a link back restores page and filters. */
export const rememberPatientsPlace = (search: PatientsSearch): void => {
  const userId = readSession()?.user.id;
  place = userId === undefined ? undefined : { userId, search };
};

/** Returns the signed-in user's last position in the list, by default its beginning. */
export const patientsPlace = (): PatientsSearch =>
  place && place.userId === readSession()?.user.id ? place.search : patientsSearch.parse({});
