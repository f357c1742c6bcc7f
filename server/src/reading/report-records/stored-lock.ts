import type { Reading } from '@radwork/contract/imaging/study-marks';
import { type OtherReader, seesDrafts } from '@radwork/contract/reading/report-rights';
import { sql } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/values/any-of.ts';
import { prepared } from '#core/database/database.ts';
import { localMinute } from '#core/values/local-minute.ts';
import type { Scope, Session } from '#core/access/scope.ts';

/** The time when a lock ends without another heartbeat. */
const lapseOf = (table: string) =>
  sql<string>`${sql.ref(`${table}.seen_at`)} + make_interval(secs => ${sql.ref(`${table}.lasts_seconds`)})`;

/** SQL condition: the lock is still valid by the clock of the database. */
export const isLocked = (table: string) => sql<boolean>`${lapseOf(table)} > now()`;

/** SQL condition: a user other than the caller holds the lock. */
export const isLockedByAnother = ({ userId }: Session, table: string) =>
  sql<boolean>`${isLocked(table)} and ${sql.ref(`${table}.user_id`)}::text <> ${userId}`;

const heldLocks = ({ db }: Pick<Scope, 'db'>) =>
  db
    .selectFrom('reading_locks as l')
    .select(['l.study_id', 'l.user_id', 'l.username', 'l.name', 'l.taken_at', 'l.taken_from', 'l.reason'])
    .select(lapseOf('l').as('expires_at'))
    .where(isLocked('l'));

export type StoredLock = Awaited<ReturnType<ReturnType<typeof heldLocks>['execute']>>[number];

/** Returns the current lock on the report of a study. */
export const lockOf = (scope: Scope, studyId: string): Promise<StoredLock | undefined> =>
  heldLocks(scope).where('l.study_id', '=', studyId).executeTakeFirst();

/** Returns the current locks by study ID. Empty for users who see no drafts. */
export const readingsOf = async (scope: Scope, ids: Ids): Promise<Map<string, Reading>> => {
  if (isNone(ids) || !seesDrafts(scope.session.userType)) return new Map();
  const locks = await heldLocks(scope).where('l.study_id', '=', anyOf(ids)).modifyEnd(prepared).execute();
  return new Map(locks.map((lock) => [lock.study_id, toReading(lock, scope.session)]));
};

export const toReading = (lock: StoredLock, { userId }: Session): Reading => ({
  username: lock.username,
  name: lock.name,
  since: lock.taken_at,
  isMe: lock.user_id === userId,
  expiresAt: lock.expires_at,
});

/** Returns the holder of a lock for the rules about reports. Null when the caller holds the lock. */
export const otherReader = (
  lock: Pick<StoredLock, 'user_id' | 'name' | 'taken_at'> | undefined,
  { userId, timeZone }: Session,
): OtherReader | null =>
  lock && lock.user_id !== userId ? { name: lock.name, since: localMinute(lock.taken_at, timeZone) } : null;
