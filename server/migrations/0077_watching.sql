-- What whoever runs the server watches it by: figures of all tenants together, and nothing of any of them.

-- A running server sees that another one has brought the database to a newer version.
grant select on schema_migrations to radwork_app;

-- How many jobs of each kind wait for their time, are due, and are in somebody's hands; and since when the oldest is due.
create function job_figures() returns table (queue text, later bigint, due bigint, running bigint, oldest_due_seconds float8)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select j.queue,
         count(*) filter (where j.worker is null and j.run_at > now()),
         count(*) filter (where j.worker is null and j.run_at <= now()),
         count(*) filter (where j.worker is not null),
         coalesce(extract(epoch from now() - min(j.run_at) filter (where j.worker is null and j.run_at <= now())), 0)::float8
  from jobs j group by j.queue order by j.queue
$$;

-- How long the chains of the audit are together, how many entries wait to become part of them, and since when.
create function audit_figures() returns table (sealed bigint, unsealed bigint, oldest_unsealed_seconds float8)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select (select coalesce(sum(h.position), 0)::bigint from audit_heads h),
         count(*),
         coalesce(extract(epoch from clock_timestamp() - min(u.written_at)), 0)::float8
  from audit_unsealed u
$$;

revoke execute on function job_figures, audit_figures from public;
grant execute on function job_figures, audit_figures to radwork_app;
