-- Of two tenants whose jobs wait, the one goes first that has fewer under way: a long backlog, or work that does not end,
-- is in nobody's way but its own.
create or replace function claim_job(asked_queue text, asked_worker int, lease interval, most_per_tenant int)
returns table (tenant_id int, id uuid, attempts int)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(82747, hashtext(asked_queue));
  return query
    with held as materialized (
      select j.tenant_id, j.id, j.lane from jobs j
      where j.queue = asked_queue and j.leased_until > now() and is_worker_connected(j.worker)),
    next as (
      select j.tenant_id, j.id from jobs j join tenants t on t.id = j.tenant_id
      where j.queue = asked_queue and j.run_at <= now() and t.suspended_at is null
        and (j.tenant_id, j.id) not in (select h.tenant_id, h.id from held h)
        and (select count(*) from held h where h.tenant_id = j.tenant_id) < most_per_tenant
        and not exists (select from held h where h.tenant_id = j.tenant_id and h.lane = j.lane and j.lane <> '')
      order by (select count(*) from held h where h.tenant_id = j.tenant_id), j.run_at, j.id limit 1
      for update of j skip locked)
    update jobs j set worker = asked_worker, leased_until = now() + lease, attempts = j.attempts + 1
    from next n where j.tenant_id = n.tenant_id and j.id = n.id
    returning j.tenant_id, j.id, j.attempts;
end $$;
