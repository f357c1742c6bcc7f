import type { Body } from '@radwork/contract/endpoint';
import { lockErrors, type Reading, type readingLocks as endpoints } from '@radwork/contract/reading-locks';
import { beingRead } from '@radwork/contract/report-rights';
import { sql } from 'kysely';
import { announce } from '#core/announce.ts';
import { auditStudy } from '#core/audit.ts';
import { localMinute } from '#core/local-minute.ts';
import { conflict, found, type Problem } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { refuseWriting } from '#features/reports/refuse-writing.ts';
import { refused } from '#features/reports/stored-report.ts';
import { type StoredStudy, studyById } from '#features/studies/study-rows.ts';
import { isHeld, lockOf, type StoredLock, toReading } from './stored-lock.ts';

type Form = Body<typeof endpoints.take>;

/**
 * Takes the lock on the report of a study, also over from somebody else, with a reason. Of two who act at once one gets
 * it. Throws a 404 when the caller may not see the study, 403 or 409 when they may not write its report, and 409 when
 * another holds the lock.
 */
export const take = async (scope: Scope, studyId: string, form: Form): Promise<Reading> => {
  const study = await studyById(scope, studyId);
  const refusal = await refuseWriting(scope, study, form.isAnother);
  if (refusal) throw refused(refusal);
  const held = await lockToChange(scope, studyId);
  if (held?.user_id === scope.session.userId) return beat(scope, studyId);
  if (held && held.username !== form.takeOverFrom) throw heldByAnother(scope, held);
  const origin = held ? { taken_from: held.user_id, reason: form.reason } : free;
  const isTaken = await put(scope, studyId, { ...origin, since: form.since });
  // Somebody else was faster by a moment: now there is a lock to look at.
  if (!isTaken) return take(scope, studyId, form);
  const lock = found(await lockOf(scope, studyId), 'lock');
  if (held) await noteTakeOver(scope, study, held, form.reason);
  await announce(scope, { kind: 'study', studyId });
  return toReading(lock, scope.session);
};

const free = { taken_from: null, reason: '' };

/** The lock on a study's report that is held now; nobody else changes it before this transaction ends. */
const lockToChange = async (scope: Scope, studyId: string): Promise<StoredLock | undefined> => {
  await scope.db.selectFrom('reading_locks').select('study_id').where('study_id', '=', studyId).forUpdate().execute();
  return lockOf(scope, studyId);
};

/** Where a lock comes from, and since when whoever takes it has been writing, if that is from before. */
type Origin = { taken_from: string | null; reason: string; since: string | undefined };

/** Whether the lock is the caller's now. It is not when somebody else has made one that did not exist before. */
const put = async (
  { db, session: { userId, username, name } }: Scope,
  studyId: string,
  { since, ...origin }: Origin,
): Promise<boolean> => {
  // What has come since the text was begun is told by this (report-checks), also where the lock was gone in between.
  const taken_at = sql<string>`least(now(), ${since ?? null}::timestamptz)`;
  const lock = { user_id: userId, username, name, ...origin, taken_at };
  const written = await db
    .insertInto('reading_locks')
    .values({ study_id: studyId, ...lock })
    .onConflict((known) =>
      known
        .columns(['tenant_id', 'study_id'])
        .doUpdateSet({ ...lock, seen_at: sql`now()` })
        .where((where) =>
          where.or([
            where.not(isHeld('reading_locks')),
            where('reading_locks.user_id', '=', origin.taken_from ?? userId),
          ]),
        ),
    )
    .returning('study_id')
    .executeTakeFirst();
  return written !== undefined;
};

const noteTakeOver = (scope: Scope, study: StoredStudy, { user_id: from }: StoredLock, reason: string): Promise<void> =>
  auditStudy(scope, 'study.takeOverReading', study, { from, reason });

/** Keeps the caller's lock for another two minutes. Throws a 409 when it is somebody else's by now, or nobody's. */
export const beat = async (scope: Scope, studyId: string): Promise<Reading> => {
  await studyById(scope, studyId);
  const { db, session } = scope;
  await db
    .updateTable('reading_locks')
    .set({ seen_at: sql`now()` })
    .where('study_id', '=', studyId)
    .where('user_id', '=', session.userId)
    .where(isHeld('reading_locks'))
    .execute();
  const lock = await lockOf(scope, studyId);
  if (!lock) throw conflict(lockErrors.lapsed, 'Nobody has been heard writing this report for two minutes');
  if (lock.user_id !== session.userId) throw heldByAnother(scope, lock);
  return toReading(lock, session);
};

const heldByAnother = ({ session }: Scope, lock: StoredLock): Problem => {
  const since = localMinute(lock.taken_at, session.timeZone);
  const isLost = lock.taken_from === session.userId;
  return conflict(
    lockErrors.held,
    isLost
      ? `${lock.name} took over this report from you at ${since}: ${lock.reason}`
      : beingRead({ name: lock.name, since }),
  );
};

/** Gives the caller's lock back, if they hold it. */
export const release = async (scope: Scope, studyId: string): Promise<void> => {
  await studyById(scope, studyId);
  const released = await scope.db
    .deleteFrom('reading_locks')
    .where('study_id', '=', studyId)
    .where('user_id', '=', scope.session.userId)
    .returning('study_id')
    .executeTakeFirst();
  if (released) await announce(scope, { kind: 'study', studyId });
};
