import { type RawBuilder, sql } from 'kysely';

/** Ids, or a query that finds them. The query saves a round trip. */
export type Ids = readonly string[] | RawBuilder<unknown>;

const areHere = (ids: Ids): ids is readonly string[] => 'length' in ids;

/** The right side of `column = …`. Its text is the same for any number of ids, so the statement can be prepared. */
export const anyOf = (ids: Ids): RawBuilder<string> =>
  areHere(ids) ? sql<string>`any(${ids}::uuid[])` : sql<string>`any(array(${ids}))`;

export const isNone = (ids: Ids): boolean => areHere(ids) && ids.length === 0;
