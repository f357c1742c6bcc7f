import { sql } from 'kysely';

/**
 * SQL: when a row "s" of studies may be purged from the recycle bin. The retention gives users time to notice a
 * deletion. It starts again after a restore from a backup, where users look for purged studies, and after a suspension.
 * Until then no user could open the recycle bin; otherwise the first upkeep would empty it.
 */
export const purgedAt = sql<string>`greatest(s.deleted_at, (
    select max(created_at) from audit_entries where action in ('tenant.restore', 'tenant.resume')))
  + make_interval(days => (select recycle_bin_days from tenants))`;
