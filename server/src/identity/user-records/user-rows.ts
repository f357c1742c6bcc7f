import { type Permission, type UserType, userTypes } from '@radwork/contract/core/access';
import type { RoleChoice, User } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { ReadingScope, Scope } from '#core/access/scope.ts';

type HeldRole = { id: string; name: string; permissions: Permission[] };

/** Sort key of a user type. The type with most rights comes first. */
export const byRank = (column: string) => sql`array_position(${[...userTypes]}::text[], ${sql.ref(column)})`;

/** A stored user with the permissions from the user's roles. */
export type UserRow = Awaited<ReturnType<ReturnType<typeof userRows>['executeTakeFirstOrThrow']>>;

const heldRoles = sql<HeldRole[]>`coalesce((
  select json_agg(json_build_object('id', r.id, 'name', r.name, 'permissions', r.permissions) order by r.name)
  from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
  where ur.tenant_id = u.tenant_id and ur.user_id = u.id), '[]'::json)`;

const ownGroups = sql<{ id: string; name: string; isLimiting: boolean }[]>`coalesce((
  select json_agg(json_build_object('id', g.id, 'name', g.name, 'isLimiting', g.is_limiting) order by lower(g.name))
  from group_members m join groups g on g.tenant_id = m.tenant_id and g.id = m.group_id
  where m.tenant_id = u.tenant_id and m.user_id = u.id), '[]'::json)`;

/** Selects the users of the tenant. */
export const userRows = ({ db }: ReadingScope) =>
  db
    .selectFrom('users as u')
    .innerJoin('tenants as t', 't.id', 'u.tenant_id')
    .select(['u.id', 'u.username', 'u.name', 'u.email', 'u.user_type', 'u.is_active', 'u.specialization'])
    .select([
      'u.department',
      'u.credentials',
      'u.created_at',
      'u.last_login_at',
      'u.revision',
      't.public_id as tenantId',
      't.name as tenantName',
    ])
    .select(sql<boolean>`u.password_hash is not null`.as('hasPassword'))
    .select(
      sql<boolean>`exists (select from second_factors f
        where f.tenant_id = u.tenant_id and f.user_id = u.id and f.confirmed_at is not null)`.as('hasSecondFactor'),
    )
    .select(
      sql<boolean>`exists (select from signing_holds h
        where h.tenant_id = u.tenant_id and h.user_id = u.id and h.lifted_at is null)`.as('isHeld'),
    )
    .select('u.sees_own_groups_only as isLimited')
    .select(ownGroups.as('groups'))
    .select(heldRoles.as('roles'));

/** Returns a user of the tenant. Throws 404. */
export const userById = async (scope: ReadingScope, id: string): Promise<UserRow> =>
  orNotFound(await userRows(scope).where('u.id', '=', id).executeTakeFirst(), 'user');

export const permissionsOf = ({ roles }: { roles: readonly { permissions: Permission[] }[] }): Permission[] => [
  ...new Set(roles.flatMap(({ permissions }) => permissions)),
];

export const toUser = (row: UserRow): User => ({
  id: row.id,
  username: row.username,
  name: row.name,
  email: row.email,
  userType: row.user_type,
  roles: row.roles.map(({ id, name }) => ({ id, name })),
  permissions: permissionsOf(row),
  tenant: { id: row.tenantId, name: row.tenantName },
  active: row.is_active,
  specialization: row.specialization,
  department: row.department,
  credentials: row.credentials,
  createdAt: row.created_at,
  lastLoginAt: row.last_login_at,
  hasPassword: row.hasPassword,
  hasSecondFactor: row.hasSecondFactor,
  isHeld: row.isHeld,
  groups: row.groups.map(({ id, name }) => ({ id, name })),
  isLimited: row.isLimited && row.user_type !== 'SUPER_ADMIN' && row.user_type !== 'ADMIN',
  revision: row.revision,
});

/** Lists the roles of the tenant: built-in roles first, by rank, then other roles by name. */
export const roleChoices = async ({ db }: Scope): Promise<RoleChoice[]> => {
  const rows = await db
    .selectFrom('roles')
    .select(['id', 'name', 'permissions', 'built_in_for'])
    .orderBy(byRank('built_in_for'))
    .orderBy(sql`lower(name)`)
    .execute();
  return rows.map(({ id, name, permissions, built_in_for }) => ({
    id,
    name,
    permissions,
    builtInFor: built_in_for as UserType | null,
  }));
};
