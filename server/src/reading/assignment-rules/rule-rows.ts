import type { AssignmentRuleForm } from '@radwork/contract/reading/assignment-rules';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { userSeesAllGroups } from '#core/access/study-access.ts';
import { anyOf } from '#core/values/any-of.ts';
import { isAssignable } from '#reading/workflow/assignable.ts';
import type { Candidate, Candidates, Rule } from './evaluate.ts';

export type StoredRule = Rule & { id: string; name: string };

/** Returns the rules of the tenant in their order. */
export const rulesInOrder = async ({ db }: Scope): Promise<StoredRule[]> => {
  const rows = await db.selectFrom('assignment_rules').selectAll().orderBy('position').orderBy('id').execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isActive: row.is_active,
    conditions: row.conditions,
    assignee: { kind: row.assignee_kind, id: row.user_id ?? row.group_id },
    mostOpen: row.most_open,
    lastUserId: row.last_user_id,
  }));
};

/** Whether the tenant has a rule that is on. */
export const hasActiveRule = async ({ db }: Scope): Promise<boolean> => {
  const row = await db.selectFrom('assignment_rules').select('id').where('is_active', '=', true).executeTakeFirst();
  return row !== undefined;
};

/**
 * Returns the columns of a rule from its form. The maximum of open studies applies to a user, so a rule for a group has
 * none.
 */
export const columnsOf = ({ name, isActive, conditions, assignee, mostOpen }: AssignmentRuleForm) => ({
  name,
  is_active: isActive,
  conditions: JSON.stringify(conditions),
  assignee_kind: assignee.kind,
  user_id: assignee.kind === 'USER' ? assignee.id : null,
  group_id: assignee.kind === 'USER' ? null : assignee.id,
  most_open: assignee.kind === 'GROUP' ? null : mostOpen,
});

/** Remembers the user whom a rule has chosen, for its next turn. */
export const noteTurn = async ({ db }: Scope, ruleId: string, userId: string): Promise<void> => {
  await db.updateTable('assignment_rules').set({ last_user_id: userId }).where('id', '=', ruleId).execute();
};

/** Returns the users and groups that rules name, with the members of these groups. */
export const candidatesOf = async (scope: Scope, rules: readonly Pick<Rule, 'assignee'>[]): Promise<Candidates> => {
  const idsOf = (isUser: boolean) => [
    ...new Set(rules.flatMap(({ assignee }) => ((assignee.kind === 'USER') === isUser ? (assignee.id ?? []) : []))),
  ];
  const groups = await groupsWithMembers(scope, idsOf(false));
  const memberIds = groups.flatMap((group) => group.memberIds);
  const users = await usersToChoose(scope, [...new Set([...idsOf(true), ...memberIds])]);
  return {
    users: new Map(users.map((user) => [user.id, user])),
    groups: new Map(groups.map(({ id, ...group }) => [id, group])),
  };
};

const groupsWithMembers = ({ db }: Scope, ids: readonly string[]) =>
  db
    .selectFrom('groups as g')
    .select(['g.id', 'g.name'])
    .select(
      sql<string[]>`array(select m.user_id from group_members m where m.group_id = g.id order by m.user_id)`.as(
        'memberIds',
      ),
    )
    .where('g.id', '=', anyOf(ids))
    .execute();

/** Only assignments of studies that are not deleted count as open. */
const openStudies = sql<number>`(
  select count(*)::int from study_assignments a join studies s on s.id = a.study_id
  where a.user_id = u.id and a.status = 'ACTIVE' and s.deleted_at is null)`;

const usersToChoose = async ({ db }: Scope, ids: readonly string[]): Promise<Candidate[]> => {
  const rows = await db
    .selectFrom('users as u')
    .select(['u.id', 'u.name', 'u.user_type', 'u.is_active'])
    .select(userSeesAllGroups.as('sees_all'))
    .select(sql<string[]>`array(select m.group_id from group_members m where m.user_id = u.id)`.as('group_ids'))
    .select(openStudies.as('open'))
    .where('u.id', '=', anyOf(ids))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    isAssignable: isAssignable({ active: row.is_active, userType: row.user_type }),
    isRadiologist: row.user_type === 'RADIOLOGIST',
    limitedTo: row.sees_all ? null : row.group_ids,
    open: row.open,
  }));
};
