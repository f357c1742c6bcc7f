import { sql } from 'kysely';

/**
 * When a row "s" of studies may leave the recycle bin for good. Its days are there for somebody to miss what was deleted. They begin
 * anew when the tenant comes back from a backup, where people look for what has left the bin, or from a suspension: nobody
 * could look into the bin before, and the first upkeep would have emptied it.
 */
export const purgedAt = sql<string>`greatest(s.deleted_at, (
    select max(created_at) from audit_entries where action in ('tenant.restore', 'tenant.resume')))
  + make_interval(days => (select recycle_bin_days from tenants))`;
