import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { lapseSeconds, lockErrors, type readingLocks as endpoints } from '@radwork/contract/reading/reading-locks';
import { beingRead, type Reading } from '@radwork/contract/imaging/study-marks';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { localMinute } from '#core/values/local-minute.ts';
import { conflict, orNotFound, type Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseWriting } from '#reading/report-records/refuse-writing.ts';
import { problemOfRefusal } from '#reading/report-records/stored-report.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';
import { isLocked, lockOf, type StoredLock, toReading } from '#reading/report-records/stored-lock.ts';

type Form = Body<typeof endpoints.take>;

/**
 * Takes the lock on the report of a study, or takes the lock over with a reason. If two callers try at the same time,
 * one gets the lock. Throws 404 when the caller may not see the study. Throws 403 or 409 when the caller may not write
 * the report, and 409 when another user holds the lock.
 */
export const takeLock = async (scope: Scope, studyId: string, form: Form): Promise<Reading> => {
  const study = await studyById(scope, studyId);
  const refusal = await refuseWriting(scope, study, form.isAnother);
  if (refusal) throw problemOfRefusal(refusal);
  const currentLock = await lockToChange(scope, studyId);
  const lasts = form.isReading ? await claimSeconds(scope) : lapseSeconds;
  if (currentLock?.user_id === scope.session.userId) return renewLock(scope, studyId, lasts);
  if (currentLock && currentLock.username !== form.takeOverFrom) throw heldByAnother(scope, currentLock);
  const origin = currentLock ? { taken_from: currentLock.user_id, reason: form.reason } : free;
  const isTaken = await put(scope, studyId, { ...origin, since: form.since, lasts });
  // Another user created the lock a moment earlier. This call tries again with that lock.
  if (!isTaken) return takeLock(scope, studyId, form);
  const lock = orNotFound(await lockOf(scope, studyId), 'lock');
  if (currentLock) await noteTakeOver(scope, study, currentLock, form.reason);
  await announce(scope, { kind: 'study', studyId });
  return toReading(lock, scope.session);
};

const free = { taken_from: null, reason: '' };

/** The time in seconds for which a study stays claimed after the last input of its reader. The organization sets it. */
const claimSeconds = async ({ db }: Scope): Promise<number> => {
  const settings = await db.selectFrom('tenants').select('reading_claim_minutes').executeTakeFirstOrThrow();
  return settings.reading_claim_minutes * 60;
};

/**
 * Claims a study for reading: takes its lock for the time that the organization sets. Returns false when another user
 * holds or is just claiming it, without waiting for that user. The caller checks first that this user may write the
 * report.
 */
export const claimForReading = async (scope: Scope, studyId: string): Promise<boolean> => {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`reading claim ${studyId}`}, 0)) as "isFree"`.execute(scope.db);
  if (!rows[0]?.isFree) return false;
  const known = await lockOf(scope, studyId);
  if (known?.user_id === scope.session.userId) {
    await renewLock(scope, studyId, await claimSeconds(scope));
    return true;
  }
  const isClaimed = await put(scope, studyId, { ...free, since: undefined, lasts: await claimSeconds(scope) });
  if (isClaimed) await announce(scope, { kind: 'study', studyId });
  return isClaimed;
};

/** Returns the current lock and locks its row until the transaction ends. */
const lockToChange = async (scope: Scope, studyId: string): Promise<StoredLock | undefined> => {
  await scope.db.selectFrom('reading_locks').select('study_id').where('study_id', '=', studyId).forUpdate().execute();
  return lockOf(scope, studyId);
};

/**
 * The previous holder and the reason, for a lock that is taken over. `since`: the time when the caller began to write.
 * `lasts`: seconds until the lock ends without another heartbeat.
 */
type Origin = { taken_from: string | null; reason: string; since: string | undefined; lasts: number };

/** Stores the lock for the caller. Returns false when another user has just created one. */
const put = async (
  { db, session: { userId, username, name } }: Scope,
  studyId: string,
  { since, lasts, ...origin }: Origin,
): Promise<boolean> => {
  // Report checks count images that arrived after this time. If the lock was lost for a moment, the time when the
  // caller began to write is kept.
  const taken_at = sql<string>`least(now(), ${since ?? null}::timestamptz)`;
  const lock = { user_id: userId, username, name, ...origin, taken_at, lasts_seconds: lasts };
  const updated = await db
    .insertInto('reading_locks')
    .values({ study_id: studyId, ...lock })
    .onConflict((known) =>
      known
        .columns(['tenant_id', 'study_id'])
        .doUpdateSet({ ...lock, seen_at: sql`now()` })
        .where((where) =>
          where.or([
            where.not(isLocked('reading_locks')),
            where('reading_locks.user_id', '=', origin.taken_from ?? userId),
          ]),
        ),
    )
    .returning('study_id')
    .executeTakeFirst();
  return updated !== undefined;
};

const noteTakeOver = (scope: Scope, study: StoredStudy, { user_id: from }: StoredLock, reason: string): Promise<void> =>
  auditStudy(scope, 'study.takeOverReading', study, { from, reason });

/**
 * Extends the caller's lock. A lock that lasts longer than `lasts` seconds keeps its time. Throws 409 when the caller has
 * lost the lock.
 */
export const renewLock = async (scope: Scope, studyId: string, lasts = lapseSeconds): Promise<Reading> => {
  await studyById(scope, studyId);
  const { db, session } = scope;
  await db
    .updateTable('reading_locks')
    .set({ seen_at: sql`now()`, lasts_seconds: sql`greatest(lasts_seconds, ${lasts})` })
    .where('study_id', '=', studyId)
    .where('user_id', '=', session.userId)
    .where(isLocked('reading_locks'))
    .execute();
  const lock = await lockOf(scope, studyId);
  if (!lock) throw conflict(lockErrors.lapsed, t`This report is no longer reserved for you`);
  if (lock.user_id !== session.userId) throw heldByAnother(scope, lock);
  return toReading(lock, session);
};

const heldByAnother = ({ session }: Scope, lock: StoredLock): Problem => {
  const since = localMinute(lock.taken_at, session.timeZone);
  const isLost = lock.taken_from === session.userId;
  return conflict(
    lockErrors.held,
    isLost
      ? t`${lock.name} took over this report from you at ${since}: ${lock.reason}`
      : beingRead({ name: lock.name, since }),
  );
};

/** Releases the lock if the caller holds it. Throws 404 when the caller may not see the study. */
export const release = async (scope: Scope, studyId: string): Promise<void> => {
  await studyById(scope, studyId);
  await releaseOwn(scope, studyId);
};

/** Releases the caller's lock, even if the study was deleted meanwhile. */
export const releaseOwn = async (scope: Scope, studyId: string): Promise<void> => {
  const released = await scope.db
    .deleteFrom('reading_locks')
    .where('study_id', '=', studyId)
    .where('user_id', '=', scope.session.userId)
    .returning('study_id')
    .executeTakeFirst();
  if (released) await announce(scope, { kind: 'study', studyId });
};
