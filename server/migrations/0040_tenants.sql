-- Organisations are made, changed and suspended in the screen, and say more about themselves.
alter table tenants
  -- What the outside knows a tenant by: its number would tell how many there are.
  add column public_id uuid not null default gen_random_uuid() unique,
  add column locale text not null default 'en-GB',
  -- What the product is called here; empty for its own name.
  add column product_name text not null default '' check (length(product_name) <= 40),
  add column recycle_bin_days int not null default 30 check (recycle_bin_days between 7 and 365),
  -- Nothing deletes the audit: this says for how long it is wanted at least.
  add column audit_years int not null default 6 check (audit_years between 6 and 100),
  -- Whether a referring physician sees every study, and not only those that concern them (C78).
  add column do_referrers_see_all boolean not null default false,
  add column suspended_reason text not null default '',
  add column settings_revision int not null default 1;
grant update (
  name, time_zone, locale, product_name, recycle_bin_days, audit_years, do_referrers_see_all, settings_revision
) on tenants to radwork_app;

-- The link of the first start, while there is no tenant; only its SHA-256 is kept.
alter table installation add column setup_token_hash bytea, add column setup_expires_at timestamptz;

-- Before a tenant is known, each answers one thing and nothing else.
create function find_product_name(asked_subdomain text) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select product_name from tenants where subdomain = asked_subdomain and suspended_at is null
$$;
create function do_referrers_see_all(asked_tenant int) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select do_referrers_see_all from tenants where id = asked_tenant
$$;

-- A number that no tenant has had. Whoever makes a tenant works under it from the start, so that its first rows are
-- written behind the wall like all later ones.
create function next_tenant_id() returns int
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select nextval(pg_get_serial_sequence('public.tenants', 'id'))::int
$$;

-- Across tenants only super administrators act. The functions below believe nobody who says so: they are given the
-- session and look for themselves whether it stands, whose it is, and what that user may do at this moment. So a
-- service that forgets to ask is refused here.
create function home_of_super_admin(asked_session uuid) returns int language plpgsql stable as $$
declare
  home int;
begin
  select s.tenant_id into home
  from sessions s
  join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
  join tenants t on t.id = s.tenant_id
  where s.id = asked_session and s.revoked_at is null and s.expires_at > now()
    and u.is_active and u.user_type = 'SUPER_ADMIN' and t.suspended_at is null
    and exists (
      select from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
      where ur.tenant_id = u.tenant_id and ur.user_id = u.id and 'tenant.manage' = any(r.permissions));
  if not found then
    raise exception 'only a super administrator acts across tenants' using errcode = '42501';
  end if;
  return home;
end $$;

create function tenants_of_installation(asked_session uuid)
returns table (
  id int, public_id uuid, name text, subdomain text, time_zone text, locale text, storage_quota_bytes bigint,
  suspended_at timestamptz, suspended_reason text, created_at timestamptz, stored_bytes bigint, active_users int,
  super_administrators int, is_home boolean, is_used boolean, settings_revision int
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  home int := home_of_super_admin(asked_session);
begin
  return query
    select t.id, t.public_id, t.name, t.subdomain, t.time_zone, t.locale, t.storage_quota_bytes,
           t.suspended_at, t.suspended_reason, t.created_at,
           coalesce((select sum(u.bytes) from storage_use u where u.tenant_id = t.id), 0)::bigint,
           (select count(*) from users u where u.tenant_id = t.id and u.is_active)::int,
           (select count(*) from users u
             where u.tenant_id = t.id and u.is_active and u.user_type = 'SUPER_ADMIN')::int,
           t.id = home,
           exists (select from users u where u.tenant_id = t.id and u.last_login_at is not null)
             or exists (select from studies s where s.tenant_id = t.id),
           t.settings_revision
    from tenants t;
end $$;

-- Makes the tenant whose number the caller already works under, and no other.
create function found_tenant(
  asked_session uuid, new_name text, new_subdomain text, new_time_zone text, new_locale text, new_quota bigint)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made uuid;
begin
  perform home_of_super_admin(asked_session);
  insert into tenants (id, name, subdomain, time_zone, locale, storage_quota_bytes, is_review_required)
    overriding system value
    values (current_tenant(), new_name, new_subdomain, new_time_zone, new_locale, new_quota, false)
    returning public_id into made;
  return made;
end $$;

-- Changes what only super administrators change, on the revision that they saw. Null when somebody else was faster.
create function change_tenant(
  asked_session uuid, asked uuid, seen int, new_name text, new_subdomain text, new_time_zone text, new_locale text,
  new_quota bigint)
returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  changed int;
begin
  perform home_of_super_admin(asked_session);
  update tenants t
    set name = new_name, subdomain = new_subdomain, time_zone = new_time_zone, locale = new_locale,
        storage_quota_bytes = new_quota, settings_revision = t.settings_revision + 1
    where t.public_id = asked and t.settings_revision = seen
      and (t.subdomain = new_subdomain or not (
        exists (select from users u where u.tenant_id = t.id and u.last_login_at is not null)
        or exists (select from studies s where s.tenant_id = t.id)))
    returning t.id into changed;
  return changed;
end $$;

-- Suspends a tenant or lets it go on. One after the other: of two super administrators who suspend each other's home
-- the second is no longer one. So there is always a tenant with an active super administrator. Null when it is so
-- already.
create function set_tenant_status(asked_session uuid, asked uuid, new_active boolean, new_reason text) returns int
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  home int;
  changed int;
begin
  perform pg_advisory_xact_lock(82749, 0);
  home := home_of_super_admin(asked_session);
  if not new_active and exists (select from tenants t where t.public_id = asked and t.id = home) then
    raise exception 'nobody suspends the tenant that they are a user of' using errcode = '42501';
  end if;
  update tenants t
    set suspended_at = case when new_active then null else now() end,
        suspended_reason = case when new_active then '' else new_reason end,
        settings_revision = t.settings_revision + 1
    where t.public_id = asked and (t.suspended_at is null) <> new_active
    returning t.id into changed;
  if changed is not null and not new_active then
    update sessions s set revoked_at = now() where s.tenant_id = changed and s.revoked_at is null;
    -- Whoever works on something of theirs hears that it is not their job any more; it is begun again afterwards.
    update jobs j set worker = null, leased_until = null, run_at = now() where j.tenant_id = changed;
  end if;
  return changed;
end $$;

-- Makes the first tenant of an installation, for whoever has the link of the first start. One wins; afterwards nobody.
create function found_first_tenant(asked_token_hash bytea, new_name text, new_subdomain text, new_time_zone text)
returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(82749, 1);
  if not is_setup_open(asked_token_hash) then
    return false;
  end if;
  update installation set setup_token_hash = null, setup_expires_at = null;
  insert into tenants (id, name, subdomain, time_zone, is_review_required) overriding system value
    values (current_tenant(), new_name, new_subdomain, new_time_zone, false);
  return true;
end $$;
create function is_setup_open(asked_token_hash bytea) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select not exists (select from tenants) and exists (
    select from installation where setup_token_hash = asked_token_hash and setup_expires_at > now())
$$;

revoke execute on function find_product_name, do_referrers_see_all, next_tenant_id, home_of_super_admin,
  tenants_of_installation, found_tenant, change_tenant, set_tenant_status, found_first_tenant, is_setup_open from public;
grant execute on function find_product_name, do_referrers_see_all, next_tenant_id,
  tenants_of_installation, found_tenant, change_tenant, set_tenant_status, found_first_tenant, is_setup_open
  to radwork_app;

-- Nothing is done for a suspended tenant, and what was begun is not gone on with.
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
      order by j.run_at, j.id limit 1
      for update of j skip locked)
    update jobs j set worker = asked_worker, leased_until = now() + lease, attempts = j.attempts + 1
    from next n where j.tenant_id = n.tenant_id and j.id = n.id
    returning j.tenant_id, j.id, j.attempts;
end $$;

-- When the recycle bin may be emptied of a study is the tenant's own setting; of a suspended tenant nothing is removed.
create function may_be_purged(s studies) returns boolean
language sql stable as $$
  select s.deleted_at < now() - make_interval(days => t.recycle_bin_days) and t.suspended_at is null
  from tenants t where t.id = s.tenant_id
$$;
create or replace function purge_study(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant int := current_tenant();
  purged bytea[];
begin
  perform 1 from studies s
    where s.tenant_id = tenant and s.id = asked and not s.is_on_legal_hold
      and may_be_purged(s)
      and not exists (
        select 1 from reports r where r.tenant_id = tenant and r.study_id = asked and r.status = 'FINALIZED')
      and not exists (
        select 1 from critical_findings f
        where f.tenant_id = tenant and f.study_id = asked and f.state in ('OPEN', 'COMMUNICATED'))
    for update;
  if not found then
    return null;
  end if;
  delete from report_link_opens o using report_links l, reports r
    where r.tenant_id = tenant and r.study_id = asked and l.tenant_id = tenant and l.report_id = r.id
      and o.tenant_id = tenant and o.link_id = l.id;
  delete from report_links l using reports r
    where r.tenant_id = tenant and r.study_id = asked and l.tenant_id = tenant and l.report_id = r.id;
  delete from critical_communications c using critical_findings f
    where f.tenant_id = tenant and f.study_id = asked and c.tenant_id = tenant and c.finding_id = f.id;
  delete from critical_findings where tenant_id = tenant and study_id = asked;
  delete from report_addenda a using reports r
    where r.tenant_id = tenant and r.study_id = asked and a.tenant_id = tenant and a.report_id = r.id;
  delete from report_deliveries d using reports r
    where r.tenant_id = tenant and r.study_id = asked and d.tenant_id = tenant and d.report_id = r.id;
  delete from ai_passages where tenant_id = tenant and study_id = asked;
  delete from report_versions v using reports r
    where r.tenant_id = tenant and r.study_id = asked and v.tenant_id = tenant and v.report_id = r.id;
  delete from reports where tenant_id = tenant and study_id = asked;
  delete from chat_reads where tenant_id = tenant and study_id = asked;
  delete from chat_deletions where tenant_id = tenant and study_id = asked;
  delete from chat_messages where tenant_id = tenant and study_id = asked;
  delete from task_history where tenant_id = tenant and study_id = asked;
  with gone as (
    delete from instances where tenant_id = tenant and study_id = asked returning sha256)
  select coalesce(array_agg(sha256), '{}') into purged from gone;
  delete from series where tenant_id = tenant and study_id = asked;
  delete from studies where tenant_id = tenant and id = asked;
  return purged;
end $$;
