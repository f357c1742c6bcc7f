import type { CriticalState } from '@radwork/contract/imaging/study-marks';
import { sql } from 'kysely';
import { anyOf, type Ids, isNone } from '#core/values/any-of.ts';
import { prepared } from '#core/database/database.ts';
import type { Scope } from '#core/access/scope.ts';

const howPressing = sql`array_position(array['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED'], state)`;

/** Selects the state of the most urgent finding of a report. `idColumn` contains the id of the report. */
export const criticalState = (idColumn: string) =>
  sql<CriticalState | null>`(
    select state from critical_findings where report_id = ${sql.ref(idColumn)} and state <> 'WITHDRAWN'
    order by ${howPressing} limit 1)`;

/** Returns the state of the most urgent finding of each study, by study id. Withdrawn findings do not count. */
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
