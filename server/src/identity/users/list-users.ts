import type { Query } from '@radwork/contract/core/endpoint';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { FoundUser, User, users } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { byRank, toUser, userById, userRows } from '#identity/user-records/user-rows.ts';

type UserQuery = Query<typeof users.list>;

const words = sql<string>`lower(concat_ws(' ', u.name, u.username, u.email))`;

/** Sort keys of the fields. User types are sorted by rank. */
const sortKeys = {
  username: sql`lower(u.username)`,
  name: sql`lower(u.name)`,
  email: sql`lower(u.email)`,
  userType: byRank('u.user_type'),
  active: sql`u.is_active`,
  lastLoginAt: sql`u.last_login_at`,
};

/** Returns a page of the users of the tenant. */
export const list = async (scope: Scope, query: UserQuery): Promise<Page<User>> => {
  const [{ count }, rows] = await Promise.all([
    fitting(scope, query)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
    userRows(scope)
      .where('u.id', 'in', fitting(scope, query).select('u.id'))
      .orderBy(orderOf(query.sort))
      .orderBy('u.id')
      .limit(query.size)
      .offset(query.page * query.size)
      .execute(),
  ]);
  return pageOf(rows.map(toUser), Number(count), query);
};

/** Returns the ids of the listed users in their order, at most `most`. */
export const listedIds = async (
  scope: Scope,
  query: Omit<UserQuery, 'page' | 'size'>,
  most: number,
): Promise<string[]> => {
  const rows = await fitting(scope, query)
    .select('u.id')
    .orderBy(orderOf(query.sort))
    .orderBy('u.id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
};

const orderOf = ({ field, direction }: UserQuery['sort']) =>
  sql`${sortKeys[field]} ${direction === 'asc' ? sql`asc` : sql`desc`} nulls last`;

const fitting = ({ db }: Scope, { query = '', active, userType, roleId }: Partial<UserQuery>) => {
  let users = db.selectFrom('users as u');
  if (query !== '') users = users.where(heldInWords(query));
  if (active !== undefined) users = users.where('u.is_active', '=', active);
  if (userType) users = users.where('u.user_type', '=', userType);
  if (roleId) {
    const holdsRole = sql<boolean>`exists (select from user_roles ur where ur.user_id = u.id and ur.role_id = ${roleId})`;
    users = users.where(holdsRole);
  }
  return users;
};

/** SQL condition: the user matches every typed word, in any order. */
const heldInWords = (searchText: string) => {
  const conditions = searchText
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => sql<boolean>`${words} like lower(${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`})`);
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};

const mostFound = 20;

export const search = async (scope: Scope, { query, active }: Query<typeof users.search>): Promise<FoundUser[]> => {
  const rows = await fitting(scope, { query, active })
    .select(['u.id', 'u.username', 'u.name', 'u.user_type', 'u.is_active'])
    .orderBy(sql`lower(u.name)`)
    .orderBy('u.id')
    .limit(mostFound)
    .execute();
  return rows.map(({ id, username, name, user_type, is_active }) => ({
    id,
    username,
    name,
    userType: user_type,
    active: is_active,
  }));
};

export const get = async (scope: Scope, id: string): Promise<User> => toUser(await userById(scope, id));
