-- Assignments of studies to groups, beside those to users (study_assignments).
create table group_assignments (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  group_id uuid not null,
  assigned_by uuid not null,
  assigned_at timestamptz not null default now(),
  due_at timestamptz,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'COMPLETED', 'CANCELLED')),
  ended_at timestamptz,
  notes text not null default '',
  overdue_told_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, assigned_by) references users (tenant_id, id)
);
create unique index group_assignments_active on group_assignments (tenant_id, study_id, group_id) where status = 'ACTIVE';
create index group_assignments_of_group on group_assignments (tenant_id, group_id, study_id) where status = 'ACTIVE';
create index group_assignments_due on group_assignments (tenant_id, due_at)
  where status = 'ACTIVE' and overdue_told_at is null;
select confine('group_assignments');
select limit_by('group_assignments', 'studies', 'study_id');

create or replace function count_assignments() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  update studies
    set active_assignments = active.count, due_at = active.due_at
    from (
      select count(*)::int as count, min(due_at) as due_at from (
        select due_at from study_assignments
        where tenant_id = changed.tenant_id and study_id = changed.study_id and status = 'ACTIVE'
        union all
        select due_at from group_assignments
        where tenant_id = changed.tenant_id and study_id = changed.study_id and status = 'ACTIVE') each) active
    where studies.tenant_id = changed.tenant_id and studies.id = changed.study_id;
  return null;
end $$;
create trigger assignments_counted after insert or delete or update of status, due_at on group_assignments
  for each row execute function count_assignments();

create or replace function tenants_with_overdue_assignments() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct a.tenant_id from (
    select tenant_id from study_assignments where status = 'ACTIVE' and overdue_told_at is null and due_at < now()
    union all
    select tenant_id from group_assignments where status = 'ACTIVE' and overdue_told_at is null and due_at < now()) a
  join tenants t on t.id = a.tenant_id
  where t.suspended_at is null
$$;

-- InstitutionName (0008,0080), by which an arriving study finds its groups.
alter table studies add column institution_name text not null default '';

-- A study gets groups when it arrives: those of the device that sends its first images, and those that have its institution
-- or station name. Later changes by users stay. A study that is hidden from its uploader, who is limited to groups, stays
-- hidden, because files can name any station.
create function take_groups_of_arrival() returns trigger language plpgsql as $$
begin
  if new.uploaded_by is not null and groups_of_new_rows() <> '{}' then return new; end if;
  new.group_ids := array(
    select unnest(new.group_ids)
    union
    select unnest(groups_of_new_rows())
    union
    select g.id from groups g
    where g.tenant_id = new.tenant_id
      and g.arrival_names && array_remove(array[lower(new.institution_name), lower(new.equipment_name)], ''));
  return new;
end $$;
create trigger take_groups_of_arrival before update of instance_count, institution_name, equipment_name on studies
  for each row when (old.instance_count = 0 and new.instance_count > 0)
  execute function take_groups_of_arrival();

-- The group of a device: its studies get the group, and it finds only studies of the group.
alter table application_entities add column group_id uuid;
alter table application_entities add foreign key (tenant_id, group_id) references groups (tenant_id, id);
create index application_entities_group on application_entities (tenant_id, group_id) where group_id is not null;
drop function find_application_entity;
create function find_application_entity(asked_called text, asked_calling text, asked_host inet)
returns table (
  is_called_known boolean, tenant_id int, id uuid, may_store boolean, may_read_worklist boolean, may_query boolean,
  is_bound boolean, group_id uuid
)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with called as (
    select a.* from application_entities a join tenants t on t.id = a.tenant_id
    where a.called_ae_title = asked_called and a.is_active and t.suspended_at is null),
  device as (
    select * from called c
    where c.calling_ae_title = asked_calling and (c.host is null or c.host = asked_host)
    order by c.host is null limit 1)
  select exists (select from called), d.tenant_id, d.id, d.may_store, d.may_read_worklist, d.may_query,
         d.host is not null or d.may_ask_from_anywhere, d.group_id
  from (values (1)) always left join device d on true
$$;
revoke execute on function find_application_entity from public;
grant execute on function find_application_entity to radwork_app;
