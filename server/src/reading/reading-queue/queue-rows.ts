import { mostCountedInQueue, type QueuedStudy } from '@radwork/contract/reading/reading-queue';
import { priorities } from '@radwork/contract/core/priorities';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { conditionsOnEach, isUnread } from '#imaging/studies/study-filter.ts';
import { isAssignedToNoOtherReader } from '#reading/report-records/new-report-facts.ts';
import { mayWriteReport } from '#reading/report-records/refuse-writing.ts';
import { isLocked, isLockedByAnother } from '#reading/report-records/stored-lock.ts';
import type { JudgedQueue, QueuePart } from './queue-parts.ts';

/** Must be equal to the expressions of the index studies_reading_queue (migration 0116). */
const inOrder = sql`
  array_position(array[${sql.join(priorities.map((priority) => sql.lit(priority)))}], s.priority),
  coalesce(s.due_at, 'infinity'), s.created_at, s.id`;

/** SQL condition on a study `s`: the caller has not put it off. */
const isNotDeferred = ({ session }: Scope): RawBuilder<boolean> => sql`not exists (
  select from reading_deferrals d
  where d.study_id = s.id and d.user_id = ${session.userId} and d.deferred_until > now())`;

const isNotReadByAnother = ({ session }: Scope): RawBuilder<boolean> => sql`not exists (
  select from reading_locks l where l.study_id = s.id and ${isLockedByAnother(session, 'l')})`;

/** Views of the study list whose studies are assigned to the caller, or to no user. */
const ownViews = new Set<QueuePart['view']>(['MINE', 'UNASSIGNED']);

/**
 * Returns the unread studies with images of one part of a queue that wait for the caller, except the studies in
 * `without`. Includes only studies whose reports the caller may write. The studies are checked in the order of the
 * queue, so that the first ones are found without reading all.
 */
const waitingIn = (scope: Scope, part: QueuePart, without: readonly string[]): RawBuilder<unknown> => sql`
  from studies s
  where ${conditionsOnEach(scope, part)} and ${isUnread} and s.instance_count > 0
    and s.id <> all(${without}::uuid[])
    and ${isNotDeferred(scope)} and ${isNotReadByAnother(scope)} and ${mayWriteReport(scope)}
    ${ownViews.has(part.view) ? sql`` : sql`and ${isAssignedToNoOtherReader(scope)}`}`;

/** Returns the query for the first studies of one part of a queue, in their order. */
export const firstWaiting = (
  scope: Scope,
  part: QueuePart,
  without: readonly string[],
  limit: number,
): RawBuilder<QueuedStudy> => sql`
  select s.id, s.study_instance_uid as "studyInstanceUID" ${waitingIn(scope, part, without)}
  order by ${inOrder} limit ${limit}`;

/** Returns the first studies of a queue, at most `limit`, without these. */
export const waitingStudies = async (
  scope: Scope,
  { parts }: JudgedQueue,
  without: readonly string[],
  limit: number,
): Promise<QueuedStudy[]> => {
  const waiting: QueuedStudy[] = [];
  for (const part of parts) {
    if (waiting.length >= limit) break;
    const { rows } = await firstWaiting(scope, part, without, limit - waiting.length).execute(scope.db);
    waiting.push(...rows);
  }
  return waiting;
};

/** Counts the studies of a queue, up to `mostCountedInQueue`. */
export const countWaiting = async (
  scope: Scope,
  { parts }: JudgedQueue,
  without: readonly string[],
): Promise<number> => {
  const selections = parts.map(
    (part) => sql`(select s.id ${waitingIn(scope, part, without)} limit ${mostCountedInQueue})`,
  );
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (${sql.join(selections, sql` union `)}) counted`.execute(scope.db);
  return Math.min(rows[0]?.total ?? 0, mostCountedInQueue);
};

/**
 * Returns the unread studies that the caller has claimed for reading and whose report the caller may write, the earliest
 * first, without these.
 */
export const claimedStudies = async (scope: Scope, without: readonly string[]): Promise<QueuedStudy[]> => {
  const { rows } = await sql<QueuedStudy>`
    select s.id, s.study_instance_uid as "studyInstanceUID"
    from reading_locks l join studies s on s.id = l.study_id
    where l.user_id = ${scope.session.userId} and ${isLocked('l')}
      and ${conditionsOnEach(scope, { stage: 'UNREAD' })} and s.id <> all(${without}::uuid[])
      and ${mayWriteReport(scope)}
    order by l.taken_at`.execute(scope.db);
  return rows;
};
