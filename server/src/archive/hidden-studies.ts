import type { ReadingScope } from '#core/scope.ts';
import { sql } from 'kysely';
import { mayKnowStudy, seesSomeStudies } from '#core/study-access.ts';

const noStudies: ReadonlySet<string> = new Set();

/** The studies among these that the caller may not know of. */
export const unseenAmong = async (
  { db, session }: ReadingScope,
  studyIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (!seesSomeStudies(session) || studyIds.length === 0) return noStudies;
  const rows = await unseen({ db, session }, studyIds).execute();
  return new Set(rows.map(({ id }) => id));
};

/**
 * The studies among these to which the caller adds nothing: those that they may not know of, except those that they uploaded
 * themselves. Such a study holds a patient who is not theirs to know, and still takes the rest of its files.
 */
export const hiddenAmong = async (
  { db, session }: ReadingScope,
  studyIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (!seesSomeStudies(session) || studyIds.length === 0) return noStudies;
  const rows = await unseen({ db, session }, studyIds)
    .where('uploaded_by', 'is distinct from', session.userId)
    .execute();
  return new Set(rows.map(({ id }) => id));
};

const unseen = ({ db, session }: ReadingScope, studyIds: readonly string[]) =>
  db
    .selectFrom('studies')
    .select('id')
    .where('id', 'in', [...new Set(studyIds)])
    .where(sql<boolean>`not (${mayKnowStudy(session, 'studies.id')})`);
