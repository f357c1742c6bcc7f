import { sql } from 'kysely';

/**
 * SQL for the time from which a row "s" of studies may be purged from the recycle bin. The retention time lets users
 * notice a deletion. It starts again after a restore from a backup, because users then look for deleted studies. It
 * also starts again after a suspension of the tenant, because its users could not open the recycle bin before.
 */
export const purgedAt = sql<string>`greatest(s.deleted_at, (
    select max(created_at) from audit_entries where action in ('tenant.restore', 'tenant.resume')))
  + make_interval(days => (select recycle_bin_days from tenants))`;
