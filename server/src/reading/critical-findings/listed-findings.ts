import type { criticalFindings as endpoints } from '@radwork/contract/reading/critical-findings';
import { unsettledStates } from '@radwork/contract/reading/critical-finding-states';
import type { Query } from '@radwork/contract/core/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { endOfDay, startOfDay } from '#core/values/days.ts';
import type { Scope } from '#core/access/scope.ts';

type FindingQuery = Partial<Query<typeof endpoints.list>>;

/**
 * Returns the condition for a finding `f` of a list. Without a state or a due time, it selects the findings that are
 * not settled.
 */
export const listedFindings = (scope: Scope, query: FindingQuery): RawBuilder<boolean> => {
  const { severity, state } = query;
  const parts: RawBuilder<unknown>[] = [...ofDueTime(scope, query)];
  const states = state ? [state] : unsettledStates;
  if (state ?? parts.length === 0) parts.push(sql`f.state in (${sql.join(states)})`);
  if (severity) parts.push(sql`f.severity = ${severity}`);
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
};

const ofDueTime = (
  { session: { timeZone } }: Scope,
  { timeliness, dueFrom, dueTo }: FindingQuery,
): RawBuilder<unknown>[] => {
  if (!timeliness && !dueFrom && !dueTo) return [];
  const parts: RawBuilder<unknown>[] = [sql`f.state <> 'WITHDRAWN' and f.due_at < now()`];
  if (dueFrom) parts.push(sql`f.due_at >= ${startOfDay(dueFrom, timeZone)}`);
  if (dueTo) parts.push(sql`f.due_at < ${endOfDay(dueTo, timeZone)}`);
  if (timeliness === 'IN_TIME') parts.push(isInTime);
  if (timeliness === 'LATE') parts.push(sql`not ${isInTime}`);
  return parts;
};

/** SQL condition: whether a finding `f` was acknowledged before it was due. */
export const isInTime = sql<boolean>`coalesce(f.state = 'ACKNOWLEDGED' and f.acknowledged_at <= f.due_at, false)`;
