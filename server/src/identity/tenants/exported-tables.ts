import { sql } from 'kysely';
import type { ReadingScope } from '#core/access/scope.ts';

/** An exported table without its secret columns. Rows are in the order of its key. */
export type ExportedTable = { name: string; columns: string[]; key: { column: string; type: string }[] };

/** Tables that are not exported: sign-in data, queues, and data that can be derived from the files. */
const passing = new Set([
  'sessions',
  'password_links',
  'signing_proofs',
  'recovery_codes',
  'mails',
  'sso_attempts',
  'sso_arrivals',
  'jobs',
  'blob_removals',
  'unused_bytes',
  'series_metadata',
]);

/**
 * A column whose name contains one of these words may contain secrets. New columns with such a name are left out until
 * they are listed as harmless.
 */
const secretName =
  /(^|_)(hash|hashes|secret|secrets|token|tokens|password|passwords|passcode|nonce|key|keys|seed|salt|totp|otp|recovery|sealed|credential|credentials)(_|$)/;

/** Hashes that prove that texts were not changed. They give no access. */
const harmless = new Set([
  'content_hash',
  'text_hash',
  'prompt_hash',
  'sha256',
  // The columns below contain academic titles, which signatures show.
  'users.credentials',
  'reports.signer_credentials',
  'report_addenda.signer_credentials',
  'audit_chain.hash',
  'audit_heads.hash',
]);

const isExported = (table: string, { name, type }: Column): boolean => {
  if (harmless.has(name) || harmless.has(`${table}.${name}`)) return true;
  // Leaves out columns of the type bytea, unless they are listed as harmless. Their bytes are derived from files of the
  // store, and would make up most of the export.
  return type !== 'bytea' && !secretName.test(name);
};

type Column = { name: string; type: string; keyAt: number | null };

/** Returns the tenant's tables with their exported columns. */
export const exportedTables = async ({ db }: ReadingScope): Promise<ExportedTable[]> => {
  const { rows } = await sql<{ name: string; columns: Column[] }>`
    select c.relname as name,
           json_agg(json_build_object(
             'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
             'keyAt', array_position(i.indkey::int2[], a.attnum)) order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    where has_table_privilege(c.oid, 'select') and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (c.relname = 'tenants' or exists (
        select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped))
    group by c.relname order by c.relname`.execute(db);
  return rows.filter(({ name }) => !passing.has(name)).map(toExported);
};

const toExported = ({ name, columns }: { name: string; columns: Column[] }): ExportedTable => ({
  name,
  columns: columns.filter((column) => isExported(name, column)).map((column) => column.name),
  key: columns
    .filter(({ keyAt }) => keyAt !== null)
    .toSorted((one, other) => (one.keyAt ?? 0) - (other.keyAt ?? 0))
    .map((column) => ({ column: column.name, type: column.type })),
});
