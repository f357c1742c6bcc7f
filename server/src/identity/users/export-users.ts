import { builtInRoleNames } from '@radwork/contract/core/access';
import { mostExportedUsers, type User, userExportQuery } from '@radwork/contract/identity/users';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import type { Scopes } from '#core/access/scope.ts';
import { toUser, userRows } from '#identity/user-records/user-rows.ts';
import { listedIds } from './list-users.ts';

const heading = [
  'Name',
  'Username',
  'Email',
  'Type',
  'Roles',
  'Groups',
  'Sees own groups only',
  'Active',
  'Specialization',
  'Department',
  'Last sign-in (UTC)',
  'Created (UTC)',
];

const lineOf = (user: User): CsvRow => [
  user.name,
  user.username,
  user.email,
  builtInRoleNames[user.userType],
  user.roles.map(({ name }) => name).join(', '),
  user.groups.map(({ name }) => name).join(', '),
  user.isLimited ? 'yes' : '',
  user.active ? 'yes' : '',
  user.specialization,
  user.department,
  user.lastLoginAt ?? '',
  user.createdAt,
];

const cutLine = (limit: string): string => `This export ends at ${limit} users. More users match. Choose more filters.`;

/** Sends the list of users as CSV, and audits this before the first user is sent. */
export const exportUsers = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const most = mostExportedUsers;
  const query = streamQuery(userExportQuery, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    const found = await listedIds(scope, query, most + 1);
    await audit(scope, 'user.exportList', { entity: 'user', detail: { users: Math.min(found.length, most) } });
    return found;
  });
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => {
      const rows = (await userRows(scope).where('u.id', 'in', some).execute()).map(toUser);
      return rows.toSorted((one, other) => some.indexOf(one.id) - some.indexOf(other.id)).map(lineOf);
    });
  return sendCsv(reply, { name: namedByDay('users'), heading, portions: portionsOf(ids, { most, read, cutLine }) });
};
