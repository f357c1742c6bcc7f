-- What the archive takes up, what it has lost, and how a study leaves it for good (docs/decisions/0013-durability.md).

-- How many bytes a tenant's instances may take up together; null for as many as there is room for.
alter table tenants add column storage_quota_bytes bigint check (storage_quota_bytes >= 0);

-- A study that has to be kept whatever anybody wants, such as one that a court has asked for.
alter table studies add column is_on_legal_hold boolean not null default false;
create or replace view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
create index studies_deleted on studies (tenant_id, deleted_at) where deleted_at is not null;

-- Since when the bytes of an instance have not been where they should be; null while they are there.
alter table instances add column missing_since timestamptz;
create index instances_missing on instances (tenant_id, id) where missing_since is not null;

-- How many bytes the instances of a tenant have together, in slots that are to be added up. Each database connection
-- counts into one slot, so that uploads of one tenant hardly ever wait for one another here.
create table storage_use (
  tenant_id int not null default current_tenant() references tenants (id),
  slot smallint not null,
  bytes bigint not null,
  primary key (tenant_id, slot)
);
select confine('storage_use');
insert into storage_use (tenant_id, slot, bytes) select tenant_id, 0, sum(size) from instances group by tenant_id;

create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_use (tenant_id, slot, bytes)
    select tenant_id, pg_backend_pid() % 64, sum(size) from stored group by tenant_id
  on conflict (tenant_id, slot) do update set bytes = storage_use.bytes + excluded.bytes;
  return null;
end $$;
create function count_removed_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_use (tenant_id, slot, bytes)
    select tenant_id, pg_backend_pid() % 64, -sum(size) from removed group by tenant_id
  on conflict (tenant_id, slot) do update set bytes = storage_use.bytes + excluded.bytes;
  return null;
end $$;
create trigger instances_stored after insert on instances
  referencing new table as stored for each statement execute function count_stored_bytes();
create trigger instances_removed after delete on instances
  referencing old table as removed for each statement execute function count_removed_bytes();

-- Bytes that are being removed from the store at this moment. An upload of the very same bytes waits until they are
-- gone: what it then puts there stays.
create table blob_removals (
  tenant_id int not null default current_tenant() references tenants (id),
  sha256 bytea not null,
  claimed_at timestamptz not null default now(),
  primary key (tenant_id, sha256)
);
select confine('blob_removals');

-- The tenants whose storage is looked after; nothing but their ids is told.
create function stored_tenants() returns setof int
language sql stable security definer set search_path = pg_catalog, public as $$
  select id from tenants order by id
$$;
revoke execute on function stored_tenants from public;
grant execute on function stored_tenants to radwork_app;

-- A trigger before a deletion lets it happen by returning the old row. Until now that of a draft was skipped.
create or replace function refuse_change_of_finalized() returns trigger language plpgsql as $$
begin
  if old.status = 'FINALIZED' then
    raise exception 'a finalized report cannot be changed' using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

-- The one way for images to leave the archive: a study that has been in the recycle bin for thirty days, that nobody
-- has to keep and that no signed report is about. Returns the SHA-256 of its instances, so that their bytes can
-- follow; null when the study stays.
create function purge_study(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  tenant int := current_tenant();
  purged bytea[];
begin
  perform 1 from studies s
    where s.tenant_id = tenant and s.id = asked and not s.is_on_legal_hold
      and s.deleted_at < now() - interval '30 days'
      and not exists (
        select 1 from reports r where r.tenant_id = tenant and r.study_id = asked and r.status = 'FINALIZED')
    for update;
  if not found then
    return null;
  end if;
  delete from report_links l using reports r
    where r.tenant_id = tenant and r.study_id = asked and l.tenant_id = tenant and l.report_id = r.id;
  delete from critical_findings f using reports r
    where r.tenant_id = tenant and r.study_id = asked and f.tenant_id = tenant and f.report_id = r.id;
  delete from report_versions v using reports r
    where r.tenant_id = tenant and r.study_id = asked and v.tenant_id = tenant and v.report_id = r.id;
  delete from reports where tenant_id = tenant and study_id = asked;
  delete from task_history where tenant_id = tenant and study_id = asked;
  with gone as (
    delete from instances where tenant_id = tenant and study_id = asked returning sha256)
  select coalesce(array_agg(sha256), '{}') into purged from gone;
  delete from series where tenant_id = tenant and study_id = asked;
  delete from studies where tenant_id = tenant and id = asked;
  return purged;
end $$;
revoke execute on function purge_study from public;
grant execute on function purge_study to radwork_app;
revoke delete on instances, series, studies from radwork_app;
