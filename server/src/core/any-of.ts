import { type RawBuilder, sql } from 'kysely';

/** Ids, or the query that finds them: so that what is about them is asked for at once, and not when they are here. */
export type Ids = readonly string[] | RawBuilder<unknown>;

const areHere = (ids: Ids): ids is readonly string[] => 'length' in ids;

/** For a column to be equal to. One text, however many ids there are, so that a statement can be prepared. */
export const anyOf = (ids: Ids): RawBuilder<string> =>
  areHere(ids) ? sql<string>`any(${ids}::uuid[])` : sql<string>`any(array(${ids}))`;

export const isNone = (ids: Ids): boolean => areHere(ids) && ids.length === 0;
