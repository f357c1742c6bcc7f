-- Groups of users: subspecialty, department, site. Studies can belong to groups. A user who is limited to groups sees
-- only the studies of these groups (docs/decisions/0086).
create table groups (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  name text not null check (length(name) between 1 and 80),
  kind text not null check (kind in ('SUBSPECIALTY', 'DEPARTMENT', 'SITE')),
  -- Users become limited when they become members.
  is_limiting boolean not null default false,
  -- Institution and station names in lower case. A study that arrives with one of them gets the group.
  arrival_names text[] not null default '{}',
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index groups_name on groups (tenant_id, lower(name));
select confine('groups');

create table group_members (
  tenant_id int not null default current_tenant(),
  group_id uuid not null,
  user_id uuid not null,
  added_at timestamptz not null default now(),
  primary key (tenant_id, user_id, group_id),
  foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index group_members_group on group_members (tenant_id, group_id);
select confine('group_members');

-- The limit is a fact of the user. So removing a member, or deleting a group, never shows more to anybody.
alter table users add column sees_own_groups_only boolean not null default false;

create function limit_new_members() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'groups' then
    update users set sees_own_groups_only = true
      where tenant_id = new.tenant_id and not sees_own_groups_only
        and id in (select user_id from group_members where tenant_id = new.tenant_id and group_id = new.id);
  else
    update users set sees_own_groups_only = true
      where tenant_id = new.tenant_id and id = new.user_id and not sees_own_groups_only
        and exists (select from groups where tenant_id = new.tenant_id and id = new.group_id and is_limiting);
  end if;
  return null;
end $$;
create trigger limit_members after update of is_limiting on groups
  for each row when (new.is_limiting and not old.is_limiting) execute function limit_new_members();
create trigger limit_member after insert on group_members for each row execute function limit_new_members();

-- Servers remember the groups of a session.
create trigger users_limited after update of sees_own_groups_only on users
  for each statement execute function session_changed();
create trigger group_members_changed after insert or update or delete on group_members
  for each statement execute function session_changed();

-- Administrators manage the limits and could lift their own, so they are never limited.
create function is_limited(u users) returns boolean language sql immutable as $$
  select u.sees_own_groups_only and u.user_type not in ('SUPER_ADMIN', 'ADMIN')
$$;

-- The groups to which a user is limited; null for a user who is not limited. Asked before a tenant is known.
create function study_groups_of(asked_tenant int, asked_user uuid) returns uuid[]
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case when is_limited(u) then array(
    select m.group_id from group_members m where m.tenant_id = u.tenant_id and m.user_id = u.id order by m.group_id) end
  from users u where u.tenant_id = asked_tenant and u.id = asked_user
$$;
revoke execute on function study_groups_of from public;
grant execute on function study_groups_of to radwork_app;

-- The groups that new rows of this transaction belong to.
create function groups_of_new_rows() returns uuid[] language sql stable as $$
  select coalesce(nullif(current_setting('app.new_study_groups', true), ''), '{}')::uuid[]
$$;

-- The groups to which this transaction is limited; null without a limit.
create function study_limit() returns uuid[] language sql stable as $$
  select nullif(current_setting('app.study_groups', true), '')::uuid[]
$$;

-- An array and not a table of pairs: a policy then reads no second table for each study. It may name deleted groups.
alter table studies add column group_ids uuid[] not null default groups_of_new_rows();
create index studies_groups on studies using gin (group_ids);
create trigger studies_grouped after update of group_ids on studies
  for each statement execute function sight_of_studies_changed();

-- The groups of the limited user who created the record, who sees it before it has studies.
alter table patients add column group_ids uuid[] not null default groups_of_new_rows();

-- From then on, its studies decide who sees it.
create function patient_has_study() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update patients set group_ids = '{}' where tenant_id = new.tenant_id and id = new.patient_id and group_ids <> '{}';
  return null;
end $$;
revoke execute on function patient_has_study from public;
grant execute on function patient_has_study to radwork_app;
create trigger patient_has_study after insert or update of patient_id on studies
  for each row execute function patient_has_study();

-- The role of transactions that are limited to groups. The policies below apply to it only, so the plans of other
-- transactions do not change. It inherits the rights and the policies of radwork_app.
do $$
begin
  create role radwork_limited nologin nosuperuser nobypassrls nocreatedb nocreaterole inherit;
exception when duplicate_object or unique_violation then null; end $$;
do $$
begin
  -- Another Radwork database on the server may have done this.
  if not pg_has_role('radwork_limited', 'radwork_app', 'member') then grant radwork_app to radwork_limited; end if;
end $$;
grant radwork_limited to current_user;

-- Hides rows from limited transactions, for reads and writes. `visible` is a condition on a row of the table. Subqueries
-- in it find only visible rows, because the policies of their tables apply to them too.
create function limit_to_groups(name text, visible text) returns void language plpgsql as $$
begin
  execute format(
    'create policy groups on %I as restrictive to radwork_limited using (%s) with check (%s)', name, visible, visible);
end $$;

-- For a table whose rows belong to a row of another table.
create function limit_by(name text, owner text, key text) returns void language plpgsql as $$
begin
  perform limit_to_groups(name, format(
    'exists (select from %I visible where visible.tenant_id = %I.tenant_id and visible.id = %I.%I)',
    owner, name, name, key));
end $$;
revoke execute on function limit_to_groups, limit_by from public;

select limit_to_groups('studies', 'group_ids && study_limit()');

-- Each part has an index of its own.
select limit_to_groups('patients', $$
  group_ids && study_limit()
  or exists (select from studies s
    where s.tenant_id = patients.tenant_id and s.patient_id = patients.id and s.deleted_at is null)
  or exists (select from studies s
    where s.tenant_id = patients.tenant_id and s.patient_id = patients.id and s.deleted_at is not null)
  or exists (select from studies s
    where s.tenant_id = patients.tenant_id and s.named_patient_id = patients.id and s.named_patient_id is not null)$$);

select limit_by(name, 'studies', 'study_id') from unnest(array[
  'ai_passages', 'chat_deletions', 'chat_invitations', 'chat_messages', 'chat_reads', 'critical_findings',
  'early_purges', 'header_differences', 'identity_questions', 'instances', 'key_images', 'measurements', 'order_joins',
  'patient_differences', 'reading_deferrals', 'reading_locks', 'refused_arrivals', 'rejected_images', 'rejections',
  'report_autosaves', 'reports', 'series', 'study_assignments', 'study_modalities', 'study_participants', 'task_history',
  'worklist_told']) name;
select limit_by(name, 'series', 'series_id') from unnest(array['series_metadata', 'series_requests']) name;
select limit_by(name, 'reports', 'report_id') from unnest(array[
  'report_addenda', 'report_deliveries', 'report_links', 'report_objects', 'report_versions']) name;
select limit_by('report_link_opens', 'report_links', 'link_id');
select limit_by(name, 'critical_findings', 'finding_id') from unnest(array[
  'critical_communications', 'critical_restarts']) name;
select limit_by('patient_merges', 'patients', 'survivor_id');
select limit_by('series_moves', 'studies', 'from_study_id');
-- Critical findings reach users who do not see the study, because a patient may be in danger.
select limit_to_groups('notifications', $$study_id is null or type = 'CRITICAL_FINDING' or exists (
  select from studies s where s.tenant_id = notifications.tenant_id and s.id = notifications.study_id)$$);
select limit_to_groups('outbound_messages', $$finding_id is null or exists (
  select from critical_findings f
  where f.tenant_id = outbound_messages.tenant_id and f.id = outbound_messages.finding_id)$$);

-- Imports of the user, and of studies that the user sees.
select limit_to_groups('import_jobs', $$
  requested_by = nullif(current_setting('app.user_id', true), '')::uuid
  or exists (select from studies s
    where s.tenant_id = import_jobs.tenant_id and s.study_instance_uid = import_jobs.study_instance_uid)$$);
select limit_by('import_failures', 'import_jobs', 'import_job_id');

-- Every act is recorded, also one on a study that was hidden meanwhile.
create policy groups on audit_entries as restrictive to radwork_limited
  using (
    (study_id is null or exists (
      select from studies s where s.tenant_id = audit_entries.tenant_id and s.id = audit_entries.study_id))
    and (patient_id is null or exists (
      select from patients p where p.tenant_id = audit_entries.tenant_id and p.id = audit_entries.patient_id)))
  with check (true);

-- Sums over all studies of the tenant. Triggers add to them.
create policy groups on dashboard_changes as restrictive to radwork_limited using (false) with check (true);
create policy groups on dashboard_days as restrictive to radwork_limited using (false) with check (false);

-- Search views run with the rights of their owner, to whom no policy applies. A limited transaction finds those of its
-- own schema first (core/database/database.ts), and the others show it nothing.
create or replace view study_search as
  select * from studies
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int
    and coalesce(current_setting('app.study_groups', true), '') = '';
create or replace view patient_search as
  select * from patients
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int
    and coalesce(current_setting('app.study_groups', true), '') = '';
create schema limited;
grant usage on schema limited to radwork_limited;
create view limited.study_search as
  select * from studies
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int and group_ids && study_limit();
create view limited.patient_search as
  select * from patients p
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int
    and (group_ids && study_limit()
      or exists (select from studies s
        where s.tenant_id = p.tenant_id and s.patient_id = p.id and s.deleted_at is null
          and s.group_ids && study_limit())
      or exists (select from studies s
        where s.tenant_id = p.tenant_id and s.named_patient_id = p.id and s.named_patient_id is not null
          and s.group_ids && study_limit()));
grant select on limited.study_search, limited.patient_search to radwork_limited;

-- A limited user corrects a patient, and all studies of the patient follow, also hidden ones.
alter function keep_patient_on_studies() security definer set search_path = pg_catalog, public, pg_temp;
-- A user with records in hidden studies is deactivated and not deleted.
alter function user_has_records(uuid) security definer set search_path = pg_catalog, public, pg_temp;
revoke execute on function keep_patient_on_studies, user_has_records from public;
grant execute on function keep_patient_on_studies, user_has_records to radwork_app;

-- An accession number is unique in the tenant, also among hidden studies.
create function is_accession_number_taken(number text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from studies s where s.tenant_id = current_tenant() and s.accession_number = number and s.deleted_at is null)
$$;
revoke execute on function is_accession_number_taken from public;
grant execute on function is_accession_number_taken to radwork_app;

-- These two run with the rights of the owner, so they check the limit themselves.
create or replace function purge_study(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform 1 from studies s
    where s.tenant_id = current_tenant() and s.id = asked and may_be_purged(s) and not must_be_kept(s)
      and (study_limit() is null or s.group_ids && study_limit())
    for update;
  return case when found then delete_rows_of_study(current_tenant(), asked) end;
end $$;

create or replace function purge_study_early(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform 1 from studies s
    join early_purges e on e.tenant_id = s.tenant_id and e.study_id = s.id
    join tenants t on t.id = s.tenant_id
    where s.tenant_id = current_tenant() and s.id = asked and s.deleted_at is not null and t.suspended_at is null
      and not must_be_kept(s) and (e.kind = 'REPLACE' or e.confirmed_by is not null)
      and (study_limit() is null or s.group_ids && study_limit())
    for update of s;
  return case when found then delete_rows_of_study(current_tenant(), asked) end;
end $$;
