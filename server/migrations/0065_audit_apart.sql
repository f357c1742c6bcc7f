-- A chain that cannot go on, because somebody has put a link where the next one belongs, keeps no other tenant's entries
-- waiting: each is sealed by itself, and which could not be is told.
drop function seal_audit(int);
create function seal_audit(most int, out sealed int, out stuck jsonb) language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant int;
begin
  sealed := 0;
  stuck := '[]';
  for tenant in select distinct tenant_id from audit_unsealed order by 1 loop
    if pg_try_advisory_xact_lock(hashtext('radwork-audit-chain'), tenant) then
      begin
        sealed := sealed + seal_audit_of(tenant, most);
      exception when others then
        stuck := stuck || jsonb_build_object('tenantId', tenant, 'why', sqlerrm);
      end;
    end if;
  end loop;
end $$;
revoke execute on function seal_audit(int) from public;
grant execute on function seal_audit(int) to radwork_app;

-- As in 0042, but for the time: a clock that is set back while somebody's transaction is open, or between two of them,
-- is no forgery. Forward and back the same quarter of an hour is let pass.
create or replace function check_audit_chain(after_place bigint, most int)
returns table (last_place bigint, last_hash text, checked int, faults jsonb) language sql stable as $$
  with part as materialized (
    select c.position, c.entry_id, c.written_at, c.hash,
           coalesce(lag(c.position) over next, 0) as place_before, coalesce(lag(c.hash) over next, '') as hash_before
    from (
      select * from audit_chain
      where tenant_id = current_tenant() and position >= after_place order by position limit most + 1
    ) c
    window next as (order by c.position)
  ), judged as (
    select p.position, p.entry_id, p.hash, case
      when p.position <> p.place_before + 1 then 'MISSING'
      when e.id is null then 'REMOVED'
      when p.hash <> sha256(p.hash_before || audit_canon(e, p.position, p.written_at)) then 'CHANGED'
      when e.created_at not between p.written_at - interval '15 minutes' and p.written_at + interval '15 minutes' then 'TIME'
    end as fault
    from part p left join audit_entries e on e.tenant_id = current_tenant() and e.id = p.entry_id
    where p.position > after_place
  )
  select max(position), (select encode(hash, 'hex') from judged order by position desc limit 1), count(*)::int,
         coalesce(jsonb_agg(jsonb_build_object('kind', fault, 'position', position, 'entryId', entry_id::text)
                            order by position) filter (where fault is not null), '[]')
  from judged
$$;
