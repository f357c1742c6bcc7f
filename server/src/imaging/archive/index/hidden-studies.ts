import type { ReadingScope } from '#core/access/scope.ts';
import { sql } from 'kysely';
import { mayKnowStudy, isLimitedToOwnStudies } from '#core/access/study-access.ts';

const noStudies: ReadonlySet<string> = new Set();

/** Returns the studies that are hidden from the caller. */
export const hiddenFromCaller = async (
  { db, session }: ReadingScope,
  studyIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (!isLimitedToOwnStudies(session) || studyIds.length === 0) return noStudies;
  const asked = [...new Set(studyIds)];
  // Looks for the visible studies, because row-level security may hide the others.
  const rows = await db
    .selectFrom('studies')
    .select('id')
    .where('id', 'in', asked)
    .where(mayKnowStudy(session, 'studies.id'))
    .execute();
  const visible = new Set(rows.map(({ id }) => id));
  return new Set(asked.filter((id) => !visible.has(id)));
};

/**
 * Returns the studies to which the caller cannot add files, in a transaction that sees the whole tenant. These are the hidden studies that the caller did not
 * upload. A study that the caller uploaded accepts its remaining files, although its patient is hidden.
 */
export const closedToCaller = async (
  { db, session }: ReadingScope,
  studyIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (!isLimitedToOwnStudies(session) || studyIds.length === 0) return noStudies;
  const rows = await db
    .selectFrom('studies')
    .select('id')
    .where('id', 'in', [...new Set(studyIds)])
    .where(sql<boolean>`not (${mayKnowStudy(session, 'studies.id')})`)
    .where('uploaded_by', 'is distinct from', session.userId)
    .execute();
  return new Set(rows.map(({ id }) => id));
};
