import { Readable } from 'node:stream';
import type { Tenant } from '@radwork/contract/identity/tenants';
import { sql } from 'kysely';
import { pathParameter } from '#core/http/path-parameters.ts';
import { audit } from '#core/audit/audit.ts';
import type { StreamCall } from '#core/http/http.ts';
import { isId } from '#core/values/ids.ts';
import { notFound } from '#core/http/problem.ts';
import type { Scopes, Session } from '#core/access/scope.ts';
import { visiting } from './administer-tenants.ts';
import { knownTenant } from './known-tenants.ts';
import { type ExportedTable, exportedTables } from './exported-tables.ts';

/** Number of rows that are read at a time. */
const chunk = 500;

/**
 * Sends everything that is stored for an organization, one JSON object per line: first the organization, then every row
 * of every table, then the counts. A file without the counts is incomplete. The column sha256 names files of the store.
 * Credentials and keys are left out (exported-tables.ts). The export is audited before the first byte. Each table is
 * read in portions, without an open transaction. To export a single point in time, suspend the organization first.
 */
export const exportTenant = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const id = pathParameter(request, 'id');
  if (!isId(id)) throw notFound('organization');
  const { number, tenant } = await scopes.inTenant(session, (scope) => knownTenant(scope, id));
  const inside = visiting(session, number);
  const subject = { entity: 'tenant', entityId: id } as const;
  if (inside !== session) await scopes.inTenant(session, (scope) => audit(scope, 'tenant.export', subject));
  const tables = await scopes.inTenant(inside, async (scope) => {
    await audit(scope, 'tenant.export', subject);
    return exportedTables(scope);
  });
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="organization-${tenant.subdomain}.ndjson"`)
    .send(Readable.from(linesOf(scopes, inside, tenant, tables)));
};

const line = (value: object) => `${JSON.stringify(value)}\n`;

async function* linesOf(scopes: Scopes, session: Session, tenant: Tenant, tables: readonly ExportedTable[]) {
  const { isHome: _, ...organization } = tenant;
  yield line({ format: 'radwork-organization/1', exportedAt: new Date().toISOString(), organization });
  const counts: Record<string, number> = {};
  for (const table of tables) {
    counts[table.name] = 0;
    for (let last: string[] | undefined; ;) {
      const rows = await scopes.reading(session, ({ db }) =>
        rowsAfter(table, last)
          .execute(db)
          .then((read) => read.rows),
      );
      yield rows.map(({ row }) => line({ table: table.name, row })).join('');
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
      if (rows.length < chunk) break;
      last = rows.at(-1)?.key;
    }
  }
  yield line({ end: true, rows: counts });
}

/** Returns the next rows of a table in the order of its key. Names of tables and columns come from the database. */
const rowsAfter = ({ name, columns, key }: ExportedTable, last: string[] | undefined) => {
  const keys = sql.join(key.map(({ column }) => sql.ref(`t.${column}`)));
  const after = last && sql.join(key.map(({ type }, at) => sql`${last[at]}::text::${sql.raw(type)}`));
  return sql<{ row: object; key: string[] }>`
    select to_jsonb(x) - 'x_key' as row, x_key as key from (
      select ${sql.join(columns.map((column) => sql.ref(`t.${column}`)))},
             array[${sql.join(key.map(({ column }) => sql`${sql.ref(`t.${column}`)}::text`))}] as x_key
      from ${sql.table(name)} t
      where ${after ? sql`(${keys}) > (${after})` : sql`true`}
      order by ${keys} limit ${chunk}) x`;
};
