import { clockIn } from '@radwork/contract/imaging/arrival-conditions';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  type assignmentRules,
  type DryRun,
  dryRunHours,
  mostDryRunStudies,
} from '@radwork/contract/reading/assignment-rules';
import { sql } from 'kysely';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { forbidden } from '#core/http/problem.ts';
import { anyOf } from '#core/values/any-of.ts';
import { timeZoneOf } from './assign-by-rules.ts';
import type { Outcome } from './evaluate.ts';
import { studiesToJudge, type StudyToJudge } from './judged-studies.ts';
import { candidatesOf } from './rule-rows.ts';
import { assertKnownAssignees } from './service.ts';
import { simulate } from './simulate.ts';

const mostCounted = 10_000;

/**
 * Returns what rules would have done with the studies that arrived in a period and that the caller may see. Judges the
 * newest of them, each as if it were unassigned. Throws 403 for a caller who may not view studies or is limited to
 * groups, and 422 for an unknown user or group.
 */
export const dryRun = async (scope: Scope, { period, rules }: Body<typeof assignmentRules.dryRun>): Promise<DryRun> => {
  if (!hasPermission(scope.session, 'study.view')) throw forbidden();
  refuseLimited(scope.session);
  await assertKnownAssignees(scope, rules);
  const start = new Date(Date.now() - dryRunHours[period] * 3_600_000);
  const arrivedSince = sql<boolean>`(s.created_at >= ${start.toISOString()} and ${mayKnowStudy(scope.session, 's.id')})`;
  const newest = await studiesToJudge(scope, arrivedSince, mostDryRunStudies);
  const studies = newest.toReversed();
  const candidates = await candidatesOf(scope, rules);
  const ends = await endsOf(scope, studies);
  const firstArrival = studies[0]?.arrivedAt ?? start.toISOString();
  const outcomes = simulate(
    rules.map((rule) => ({ ...rule, lastUserId: null })),
    candidates,
    {
      studies: studies.map((study) => ({
        ...study,
        arrivedAt: Date.parse(study.arrivedAt),
        endedAt: ends.get(study.id) ?? Number.POSITIVE_INFINITY,
      })),
      openAtStart: await openAt(scope, [...candidates.users.keys()], firstArrival),
      clock: clockIn(await timeZoneOf(scope)),
    },
  );
  const nameOf = (choice: Outcome['choice']) =>
    choice && (choice.kind === 'GROUP' ? candidates.groups : candidates.users).get(choice.id)?.name;
  const shown = studies.map(({ id, description, arrivedAt, isOld }, index) => {
    const { choice, passed = [] } = outcomes[index] ?? {};
    return { id, description, arrivedAt, isOld, rule: choice?.rule ?? null, assignee: nameOf(choice) ?? '', passed };
  });
  return { arrived: await countArrived(scope, arrivedSince), studies: shown.toReversed() };
};

const countArrived = async ({ db }: Scope, arrivedSince: ReturnType<typeof sql<boolean>>): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select from studies s where s.deleted_at is null and s.instance_count > 0 and ${arrivedSince}
      limit ${mostCounted}) counted`.execute(db);
  return rows[0]?.total ?? 0;
};

/** Returns when studies were completed, canceled or archived, in milliseconds since 1970. */
const endsOf = async ({ db }: Scope, studies: readonly StudyToJudge[]): Promise<Map<string, number>> => {
  const rows = await db
    .selectFrom('task_history')
    .select('study_id')
    .select(({ fn }) => fn.max('created_at').as('ended_at'))
    .where('study_id', '=', anyOf(studies.map(({ id }) => id)))
    .where('type', '=', 'STUDY_STATUS_CHANGE')
    .where('display_value', 'in', ['COMPLETED', 'CANCELLED', 'ARCHIVED'])
    .groupBy('study_id')
    .execute();
  return new Map(rows.map(({ study_id, ended_at }) => [study_id, Date.parse(ended_at)]));
};

/** Returns the assignments of users that were open at a time. */
const openAt = async ({ db }: Scope, userIds: readonly string[], time: string) => {
  const assigned = db
    .selectFrom('study_assignments')
    .select(['user_id', 'ended_at'])
    .where('user_id', '=', anyOf(userIds))
    .where('assigned_at', '<=', time);
  // Two parts, because each has an index of its own.
  const rows = await assigned
    .where('status', '=', 'ACTIVE')
    .unionAll(assigned.where('status', '<>', 'ACTIVE').where('ended_at', '>', time))
    .execute();
  return rows.map(({ user_id, ended_at }) => ({
    userId: user_id,
    until: ended_at === null ? Number.POSITIVE_INFINITY : Date.parse(ended_at),
  }));
};
