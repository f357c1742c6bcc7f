import type { CriticalState } from '@radwork/contract/critical-findings';
import { sql } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/any-of.ts';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';

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
    .orderBy(sql`array_position(array['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED'], state)`)
    .modifyEnd(prepared)
    .execute();
  return new Map(rows.map(({ study_id, state }) => [study_id, state]));
};
