import type { Group, GroupDetails, GroupForm, GroupMember } from '@radwork/contract/identity/groups';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { orNotFound } from '#core/http/problem.ts';
import { anyOf } from '#core/values/any-of.ts';

const mostCounted = 10_000;

const groupRows = ({ db, session }: Scope) =>
  db
    .selectFrom('groups as g')
    .select([
      'g.id',
      'g.name',
      'g.kind',
      'g.is_limiting as isLimiting',
      'g.arrival_names as arrivalNames',
      'g.revision',
    ])
    .select(sql<number>`(select count(*)::int from group_members m where m.group_id = g.id)`.as('memberCount'))
    .select(
      sql<number>`(select count(*)::int from saved_views v where v.owner_kind = 'GROUP' and v.owner_id = g.id)`.as(
        'viewCount',
      ),
    )
    .select(sql<number>`(select count(*)::int from assignment_rules rule where rule.group_id = g.id)`.as('ruleCount'))
    .select(
      sql<boolean>`exists (select from group_members m
        where m.group_id = g.id and m.user_id = nullif(${session.userId}, '')::uuid)`.as('isOwn'),
    );

/** Returns the groups of the tenant by name. */
export const allGroups = (scope: Scope): Promise<Group[]> =>
  groupRows(scope)
    .orderBy(sql`lower(g.name)`)
    .execute();

const memberRows = ({ db }: Scope, groupId: string): Promise<GroupMember[]> =>
  db
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.username', 'u.name', 'u.user_type as userType', 'u.is_active as active'])
    .select(isLimited.as('isLimited'))
    .where('m.group_id', '=', groupId)
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();

/** SQL for a row "u" of users: the user is limited to groups (migration 0117). */
const isLimited = sql<boolean>`(u.sees_own_groups_only and u.user_type not in ('SUPER_ADMIN', 'ADMIN'))`;

const countStudies = async ({ db }: Scope, groupId: string): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select from studies where group_ids @> array[${groupId}]::uuid[] and deleted_at is null limit ${mostCounted}) counted`.execute(
    db,
  );
  return rows[0]?.total ?? 0;
};

/** Returns a group with its members. Throws 404. */
export const groupById = async (scope: Scope, id: string): Promise<GroupDetails> => {
  const row = orNotFound(await groupRows(scope).where('g.id', '=', id).executeTakeFirst(), 'group');
  return { ...row, members: await memberRows(scope, id), studyCount: await countStudies(scope, id) };
};

/** Columns of a group from its form. */
export const columnsOf = ({ name, kind, isLimiting, arrivalNames }: GroupForm) => ({
  name,
  kind,
  is_limiting: isLimiting,
  arrival_names: [...new Set(arrivalNames.map((arrival) => arrival.toLowerCase()))],
});

export const addMembers = async ({ db }: Scope, groupId: string, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return;
  await db
    .insertInto('group_members')
    .values(userIds.map((user_id) => ({ group_id: groupId, user_id })))
    .execute();
};

export const removeMembers = async ({ db }: Scope, groupId: string, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return;
  await db.deleteFrom('group_members').where('group_id', '=', groupId).where('user_id', 'in', userIds).execute();
};

/** Returns what keeps a group from being deleted: devices that have it, and active assignments. */
export const usesOf = async ({ db }: Scope, id: string): Promise<{ devices: number; assignments: number }> => {
  const { rows } = await sql<{ devices: number; assignments: number }>`
    select (select count(*)::int from application_entities where group_id = ${id}) as devices,
           (select count(*)::int from group_assignments where group_id = ${id} and status = 'ACTIVE') as assignments`.execute(
    db,
  );
  return rows[0] ?? { devices: 0, assignments: 0 };
};

/**
 * Locks users. A new assignment then waits (reading/workflow/assign.ts), and sees the new groups. As there, users are
 * locked before studies.
 */
export const lockUsers = async ({ db }: Scope, userIds: readonly string[]): Promise<void> => {
  await db.selectFrom('users').select('id').where('id', '=', anyOf(userIds)).orderBy('id').forNoKeyUpdate().execute();
};

/**
 * Locks a group, so that no study is assigned to it until the transaction ends. As in an assignment, users are locked
 * before groups, and groups before studies.
 */
export const lockGroup = async ({ db }: Scope, id: string): Promise<void> => {
  await db.selectFrom('groups').select('id').where('id', '=', id).forUpdate().execute();
};

/** Returns those of these locked users whose groups hide a study that is assigned to them. */
export const usersLosingStudies = ({ db }: Scope, userIds: readonly string[]) =>
  db
    .selectFrom('users as u')
    .innerJoin('study_assignments as a', 'a.user_id', 'u.id')
    .select(['u.id', 'u.user_type', 'u.is_active'])
    .distinct()
    .where('u.id', '=', anyOf(userIds))
    .where('a.status', '=', 'ACTIVE')
    .where(sql<boolean>`not ${userIsWithinGroups(sql.ref('a.study_id'))}`)
    .orderBy('u.id')
    .execute();

/** Deletes a group, also from its studies. */
export const deleteGroup = async ({ db }: Scope, id: string): Promise<void> => {
  await sql`update studies set group_ids = array_remove(group_ids, ${id}::uuid)
    where group_ids @> array[${id}]::uuid[]`.execute(db);
  await db.deleteFrom('groups').where('id', '=', id).execute();
};
