import { type Sentence, sentence } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { membersOf } from './group-assignments.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';

/** Maximum number of assignments of a tenant in one transaction. After an outage, many are due together. */
const mostAtOnce = 100;

/**
 * Notifies assignee and assigner of each overdue assignment in all tenants. Each assignment is reported only once, by
 * one of the servers. Assignments of deleted studies wait until the study is restored.
 */
export const notifyOverdue = async (scopes: Scopes, onError: (error: unknown) => void): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_overdue_assignments() id`.execute(db),
  );
  // An error in one tenant does not delay other tenants.
  for (const { id } of tenants) await notifyTenant(scopes, id).catch(onError);
};

const notifyTenant = async (scopes: Scopes, id: number): Promise<void> => {
  while ((await scopes.inTenant(systemSession(id), notifySome)) === mostAtOnce);
};

/**
 * Notifies users of up to `mostAtOnce` assignments of a tenant, and returns their number. Skips assignments that
 * another server has locked.
 */
const notifySome = async (scope: Scope): Promise<number> => {
  const overdue = await scope.db
    .updateTable('study_assignments')
    .set({ overdue_told_at: sql`now()` })
    .where('id', 'in', overdueIn('study_assignments'))
    .returning(['study_id', 'user_id', 'assigned_by'])
    .execute();
  for (const assignment of overdue) await notifyOf(scope, assignment);
  const ofGroups = await overdueOfGroups(scope);
  for (const { study_id, group_id, assigned_by } of ofGroups) {
    const members = await membersOf(scope, [group_id]);
    await notifyAll(scope, { study_id, assigned_by, to: members, title: sentence`A study of your group is overdue` });
  }
  return Math.max(overdue.length, ofGroups.length);
};

/** Selects the first assignments that are overdue and not yet reported, without those that another server has locked. */
const overdueIn = (table: 'study_assignments' | 'group_assignments') => sql<string>`(
  select a.id from ${sql.table(table)} a join studies s on s.id = a.study_id
  where a.status = 'ACTIVE' and a.overdue_told_at is null and a.due_at < now() and s.deleted_at is null
  order by a.due_at limit ${mostAtOnce} for update of a skip locked)`;

/** Marks overdue assignments of groups as reported, and returns them. */
const overdueOfGroups = ({ db }: Scope) =>
  db
    .updateTable('group_assignments')
    .set({ overdue_told_at: sql`now()` })
    .where('id', 'in', overdueIn('group_assignments'))
    .returning(['study_id', 'group_id', 'assigned_by'])
    .execute();

type Overdue = { study_id: string; user_id: string; assigned_by: string | null };

const notifyOf = (scope: Scope, { study_id, user_id, assigned_by }: Overdue) =>
  notifyAll(scope, { study_id, assigned_by, to: [user_id], title: sentence`A study assigned to you is overdue` });

type Notified = Pick<Overdue, 'study_id' | 'assigned_by'> & { to: string[]; title: Sentence };

const notifyAll = async (scope: Scope, { study_id, assigned_by, to, title }: Notified) => {
  const about = await aboutStudy(scope, study_id);
  await notify(scope, { to, type: 'OVERDUE', title, ...about });
  const others = [assigned_by ?? []].flat().filter((id) => !to.includes(id));
  await notify(scope, { to: others, type: 'OVERDUE', title: sentence`A study assigned by you is overdue`, ...about });
  const link = `/studies/${study_id}`;
  await reachOut(scope, { topic: 'OVERDUE', to: [...to, ...others], link, studyId: study_id });
  await announce(scope, { kind: 'study', studyId: study_id });
};
