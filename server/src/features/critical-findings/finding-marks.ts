import type { CriticalState } from '@radwork/contract/critical-findings';
import { sql } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/any-of.ts';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';

const howPressing = sql`array_position(array['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED'], state)`;

/** How far the most pressing finding of a report is, given the column that holds its id. */
export const criticalState = (idColumn: string) =>
  sql<CriticalState | null>`(
    select state from critical_findings where report_id = ${sql.ref(idColumn)} and state <> 'WITHDRAWN'
    order by ${howPressing} limit 1)`;

/** How far the most pressing finding of each of these studies is, by the study's id; none for what was withdrawn. */
export const criticalStatesOf = async ({ db }: Scope, ids: Ids): Promise<Map<string, CriticalState>> => {
  if (isNone(ids)) return new Map();
  const rows = await db
    .selectFrom('critical_findings')
    .select(['study_id', 'state'])
    .distinctOn('study_id')
    .where('state', '!=', 'WITHDRAWN')
    .where('study_id', '=', anyOf(ids))
    .orderBy('study_id')
    .orderBy(howPressing)
    .modifyEnd(prepared)
    .execute();
  return new Map(rows.map(({ study_id, state }) => [study_id, state]));
};
