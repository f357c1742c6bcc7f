-- The audit as a chain, one for each tenant: whoever changes, removes, swaps or slips in an entry breaks it.
--
-- Entries are still written in the transaction of what they tell of. A chain that grew there would make all of a
-- tenant's transactions wait for each other; so a sealer gives entries their place and their hash within a second of
-- their commit. A place is by sealing and not by id: an entry that commits late comes later.

-- The head of each chain: how many entries it has, and the hash of the last.
create table audit_heads (
  tenant_id int primary key default current_tenant() references tenants (id),
  position bigint not null default 0,
  hash bytea not null default ''
);
select confine('audit_heads');
revoke insert, update, delete on audit_heads from radwork_app;

create table audit_chain (
  tenant_id int not null default current_tenant() references tenants (id),
  position bigint not null,
  entry_id bigint not null,
  -- By the clock when the entry was written, whatever it says itself.
  written_at timestamptz not null,
  -- SHA-256 of the hash before it and of the entry (audit_canon).
  hash bytea not null,
  primary key (tenant_id, position),
  unique (tenant_id, entry_id)
);
select confine('audit_chain');
revoke insert, update, delete on audit_chain from radwork_app;

-- What is to be sealed.
create table audit_unsealed (
  tenant_id int not null default current_tenant() references tenants (id),
  entry_id bigint not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, entry_id)
);
select confine('audit_unsealed');
revoke insert, update, delete on audit_unsealed from radwork_app;

create function queue_audit_entry() returns trigger language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into audit_unsealed (tenant_id, entry_id) values (new.tenant_id, new.id);
  return null;
end $$;
revoke execute on function queue_audit_entry() from public;
grant execute on function queue_audit_entry() to radwork_app;
create trigger audit_entries_queue after insert on audit_entries
  for each row execute function queue_audit_entry();

-- Neither when nor under which number something happened is for whoever writes it down to choose.
revoke insert on audit_entries from radwork_app;
grant insert (user_id, username, user_type, action, entity, entity_id, study_id, patient_id, outcome, address, detail)
  on audit_entries to radwork_app;

-- The one form of an entry that is hashed. It depends on no setting of the session: times are microseconds since 1970,
-- JSON is jsonb's own text, which orders keys by itself. A column that comes later is not part of it.
create function audit_canon(entry audit_entries, place bigint, written_at timestamptz) returns bytea
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select convert_to(jsonb_build_array(
    entry.tenant_id, place, (extract(epoch from written_at) * 1000000)::bigint, entry.id,
    (extract(epoch from entry.created_at) * 1000000)::bigint, entry.user_id, entry.username, entry.user_type,
    entry.action, entry.entity, entry.entity_id, entry.study_id, entry.patient_id, entry.outcome, entry.address,
    entry.detail)::text, 'UTF8')
$$;

-- Seals what one tenant's queue holds, oldest first. Whoever calls has the tenant's lock.
create function seal_audit_of(tenant int, most int) returns int language plpgsql as $$
declare
  head audit_heads;
  one record;
  places bigint[] := '{}';
  ids bigint[] := '{}';
  times timestamptz[] := '{}';
  hashes bytea[] := '{}';
begin
  insert into audit_heads (tenant_id) values (tenant) on conflict do nothing;
  select * into head from audit_heads where tenant_id = tenant for update;
  for one in
    select q.written_at, e as entry, q.entry_id
    from audit_unsealed q join audit_entries e on e.tenant_id = q.tenant_id and e.id = q.entry_id
    where q.tenant_id = tenant order by q.entry_id limit most
  loop
    head.position := head.position + 1;
    head.hash := sha256(head.hash || audit_canon(one.entry, head.position, one.written_at));
    places := places || head.position;
    ids := ids || one.entry_id;
    times := times || one.written_at;
    hashes := hashes || head.hash;
  end loop;
  if places = '{}' then return 0; end if;
  insert into audit_chain (tenant_id, position, entry_id, written_at, hash)
    select tenant, sealed.* from unnest(places, ids, times, hashes) sealed;
  delete from audit_unsealed where tenant_id = tenant and entry_id = any(ids);
  update audit_heads set position = head.position, hash = head.hash where tenant_id = tenant;
  return cardinality(places);
end $$;
revoke execute on function seal_audit_of(int, int) from public;

-- Seals up to so many entries of each tenant that nobody else is sealing, and says how many it was in all.
create function seal_audit(most int) returns int language plpgsql
security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant int;
  sealed int := 0;
begin
  for tenant in select distinct tenant_id from audit_unsealed order by 1 loop
    if pg_try_advisory_xact_lock(hashtext('radwork-audit-chain'), tenant) then
      sealed := sealed + seal_audit_of(tenant, most);
    end if;
  end loop;
  return sealed;
end $$;
revoke execute on function seal_audit(int) from public;
grant execute on function seal_audit(int) to radwork_app;

-- The heads of all chains, to be kept outside of the database: numbers and hashes, nothing of what happened.
create function audit_heads_to_anchor() returns table (tenant_id int, "position" bigint, hash text) language sql
stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.tenant_id, h.position, encode(h.hash, 'hex') from audit_heads h where h.position > 0 order by 1
$$;
revoke execute on function audit_heads_to_anchor() from public;
grant execute on function audit_heads_to_anchor() to radwork_app;

-- Looks at so many links of the tenant's chain after a place: how far it came, and at which places what is wrong.
create function check_audit_chain(after_place bigint, most int)
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
      when e.created_at > p.written_at or e.created_at < p.written_at - interval '15 minutes' then 'TIME'
    end as fault
    from part p left join audit_entries e on e.tenant_id = current_tenant() and e.id = p.entry_id
    where p.position > after_place
  )
  select max(position), (select encode(hash, 'hex') from judged order by position desc limit 1), count(*)::int,
         coalesce(jsonb_agg(jsonb_build_object('kind', fault, 'position', position, 'entryId', entry_id::text)
                            order by position) filter (where fault is not null), '[]')
  from judged
$$;

-- What is in the audit is only added to, by whomever: for the database's owner too.
create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  -- A head only moves on.
  if tg_op = 'UPDATE' and tg_table_name = 'audit_heads' then
    if new.tenant_id = old.tenant_id and new.position > old.position then return new; end if;
  end if;
  raise exception 'The audit is only added to (%)', tg_table_name;
end $$;
do $$
declare name text;
begin
  foreach name in array array['audit_entries', 'audit_chain', 'audit_heads'] loop
    execute format('create trigger %I before update or delete on %I for each row execute function refuse_change_of_audit()',
                   name || '_only_added_to', name);
    execute format('create trigger %I before truncate on %I for each statement execute function refuse_change_of_audit()',
                   name || '_not_emptied', name);
  end loop;
end $$;

-- By whom, what, from where, and what failed; each as the audit's list walks it, newest first.
create index audit_entries_patient on audit_entries (tenant_id, patient_id, created_at desc, id desc)
  where patient_id is not null;
create index audit_entries_user on audit_entries (tenant_id, user_id, created_at desc, id desc);
create index audit_entries_action on audit_entries (tenant_id, action, created_at desc, id desc);
create index audit_entries_address on audit_entries (tenant_id, address, created_at desc, id desc);
create index audit_entries_failure on audit_entries (tenant_id, created_at desc, id desc) where outcome = 'FAILURE';
-- A study or a patient is found by its own column.
create index audit_entries_subject on audit_entries (tenant_id, entity_id, created_at desc, id desc)
  where entity not in ('study', 'patient') and entity_id <> '';

-- What was written before there was a chain begins it, in the order of its numbers.
insert into audit_unsealed (tenant_id, entry_id, written_at) select tenant_id, id, created_at from audit_entries;
do $$
declare tenant int;
begin
  for tenant in select distinct tenant_id from audit_unsealed order by 1 loop
    while seal_audit_of(tenant, 10000) > 0 loop end loop;
  end loop;
end $$;
