import { sentence } from '@radwork/contract/core/translate';
import type { FollowUpState } from '@radwork/contract/reading/follow-up-states';
import { sql } from 'kysely';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { noteChange } from './change-follow-up.ts';
import { storeEvent } from './follow-up-rows.ts';
import { linkTo } from './offer-follow-ups.ts';
import { reminded } from './settings.ts';

/** Rows of a tenant in one transaction. */
const mostAtOnce = 100;

/** Days after which an overdue row is mentioned again. */
const repeatedAfter = 14;

/**
 * Reminds of the overdue rows of signed reports in all tenants: the owner, and the users whom the settings name. One of
 * several servers sends each reminder. Rows of deleted studies wait until the study is restored.
 */
export const remindOfFollowUps = async (scopes: Scopes, onError: (error: unknown) => void): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_waiting_follow_ups() id`.execute(db),
  );
  for (const { id } of tenants) await remindTenant(scopes, id).catch(onError);
};

const remindTenant = async (scopes: Scopes, tenantId: number): Promise<void> => {
  while ((await scopes.inTenant(systemSession(tenantId), remindSome)) === mostAtOnce);
};

type OverdueRow = {
  id: string;
  state: FollowUpState;
  owner_id: string;
  author_id: string;
  study_id: string;
  patient_id: string;
};

const remindSome = async (scope: Scope): Promise<number> => {
  const { rows } = await sql<OverdueRow>`
    with due as (
      select f.id, r.author_id, s.id as study_id, s.patient_id
      from follow_ups f join reports r on r.id = f.report_id join studies s on s.id = r.study_id
      where f.remind_at <= now() and f.state in ('OPEN', 'SCHEDULED') and r.status = 'FINALIZED'
        and s.deleted_at is null
      order by f.remind_at limit ${mostAtOnce} for no key update of f skip locked)
    update follow_ups f set remind_at = now() + make_interval(days => ${repeatedAfter})
    from due where due.id = f.id
    returning f.id, f.state, f.owner_id, due.author_id, due.study_id, due.patient_id`.execute(scope.db);
  for (const row of rows) await remindOf(scope, row);
  return rows.length;
};

const remindOf = async (scope: Scope, row: OverdueRow): Promise<void> => {
  await notify(scope, {
    to: await reminded(scope, row),
    type: 'FOLLOW_UP',
    title: sentence`A recommended examination is overdue`,
    ...(await aboutStudy(scope, row.study_id)),
    link: linkTo(row.id),
  });
  await storeEvent(scope, { followUpId: row.id, event: 'REMINDED', state: row.state });
  await noteChange(scope, row, 'follow_up.remind');
};
