import { criticalSeverities } from '@radwork/contract/reading/critical-finding-states';
import type {
  DashboardCritical,
  DashboardTurnaround,
  DashboardVolume,
  DashboardWorkload,
} from '@radwork/contract/insight/dashboard';
import { priorities } from '@radwork/contract/core/priorities';
import { sql } from 'kysely';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { isInTime, listedFindings } from '#reading/critical-findings/listed-findings.ts';
import { knownFindings } from '#reading/critical-findings/finding-rows.ts';
import type { FiguresOfFewStudies } from './figures-of-few-studies.ts';
import { columnsOf, type Period, stepOf } from './period.ts';
import { sumsByBucket, sumsByColumn, sumsByKey } from './sums.ts';
import { percentile } from './turnaround-buckets.ts';

export const volume = async (scope: Scope, period: Period, few?: FiguresOfFewStudies): Promise<DashboardVolume> => {
  const step = stepOf(period);
  const rows = few?.arrived ?? (await sumsByColumn(scope, 'ARRIVED', period, step));
  const byBeginning = Map.groupBy(rows, ({ beginning }) => beginning);
  const totals = new Map<string, number>();
  for (const { key, total } of rows) totals.set(key, (totals.get(key) ?? 0) + total);
  return {
    step,
    columns: columnsOf(period, step).map(({ beginning, from, to }) => ({
      from,
      to,
      counts: Object.fromEntries((byBeginning.get(beginning) ?? []).map(({ key, total }) => [key, total])),
    })),
    modalities: [...totals]
      .map(([modality, total]) => ({ modality, total }))
      .toSorted((one, other) => other.total - one.total || (one.modality < other.modality ? -1 : 1)),
  };
};

export const turnaround = async (
  scope: Scope,
  period: Period,
  few?: FiguresOfFewStudies,
): Promise<DashboardTurnaround> => {
  const sums = few?.turnaround ?? (await sumsByBucket(scope, 'TURNAROUND', period));
  const byPriority = Map.groupBy(sums, ({ key }) => key);
  return priorities.map((priority) => {
    const buckets = byPriority.get(priority) ?? [];
    return {
      priority,
      count: buckets.reduce((sum, { total }) => sum + total, 0),
      p50Minutes: percentile(buckets, 0.5),
      p90Minutes: percentile(buckets, 0.9),
    };
  });
};

/** Returns the workload of each reader. Only for administrators; null for other users. */
export const workload = async (scope: Scope, period: Period): Promise<DashboardWorkload | null> => {
  const { db, session } = scope;
  if (session.userType !== 'ADMIN' && session.userType !== 'SUPER_ADMIN') return null;
  const signed = new Map((await sumsByKey(scope, 'SIGNED', period)).map(({ key, total }) => [key, total]));
  const assigned = await db
    .selectFrom('study_assignments as a')
    .innerJoin('studies as s', 's.id', 'a.study_id')
    .select(['a.user_id', ({ fn }) => fn.countAll<number>().as('total')])
    .where('a.status', '=', 'ACTIVE')
    .where('s.deleted_at', 'is', null)
    .groupBy('a.user_id')
    .execute();
  const byUser = new Map(assigned.map(({ user_id, total }) => [user_id, total]));
  const ids = [...new Set([...signed.keys(), ...byUser.keys()])].filter(Boolean);
  if (ids.length === 0) return [];
  const people = await db.selectFrom('users').select(['id', 'username', 'name']).where('id', 'in', ids).execute();
  return people
    .map((reader) => ({ reader, signed: signed.get(reader.id) ?? 0, assigned: byUser.get(reader.id) ?? 0 }))
    .toSorted(
      (one, other) =>
        other.signed - one.signed || other.assigned - one.assigned || (one.reader.name < other.reader.name ? -1 : 1),
    );
};

export const critical = async (scope: Scope, { from, to }: Period): Promise<DashboardCritical | null> => {
  if (!hasPermission(scope.session, 'report.view')) return null;
  const open = await knownFindings(scope)
    .where(listedFindings(scope, {}))
    .select(({ fn }) => [
      'f.severity',
      fn.countAll<number>().as('unsettled'),
      sql<string | null>`min(f.due_at) filter (where f.state = 'OPEN')`.as('nextDueAt'),
    ])
    .groupBy('f.severity')
    .execute();
  const { due, inTime } = await knownFindings(scope)
    .where(listedFindings(scope, { timeliness: 'EITHER', dueFrom: from, dueTo: to }))
    .select(({ fn }) => [
      fn.countAll<number>().as('due'),
      sql<number>`count(*) filter (where ${isInTime})`.as('inTime'),
    ])
    .executeTakeFirstOrThrow();
  return {
    bySeverity: criticalSeverities.map((severity) => {
      const counts = open.find((row) => row.severity === severity);
      return { severity, unsettled: counts?.unsettled ?? 0, nextDueAt: counts?.nextDueAt ?? null };
    }),
    due,
    inTime,
  };
};
