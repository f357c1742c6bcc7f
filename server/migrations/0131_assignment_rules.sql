-- Studies whose images or data have changed. A study arrives when it has stayed the same for a minute.
create table study_arrivals (
  tenant_id int not null default current_tenant(),
  study_id uuid not null,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
create index study_arrivals_changed on study_arrivals (changed_at, tenant_id);
select confine('study_arrivals');
select limit_by('study_arrivals', 'studies', 'study_id');

-- Runs with the rights of its owner: a change by a limited user may hide the study from this user.
-- An upload of many batches writes its row every ten seconds only.
create function note_arrival() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into study_arrivals (tenant_id, study_id) values (new.tenant_id, new.id)
    on conflict (tenant_id, study_id) do update set changed_at = clock_timestamp()
      where study_arrivals.changed_at < clock_timestamp() - interval '10 seconds'
        -- The study waits for its next announcement (announce-again.ts).
        or study_arrivals.changed_at > clock_timestamp();
  return null;
end $$;
revoke execute on function note_arrival from public;
grant execute on function note_arrival to radwork_app;

-- A study that loses its last assignment arrives again, because its reader may have left, and so does a restored study.
create trigger arrival_noted after update on studies for each row
  when (new.deleted_at is null and new.instance_count > 0 and (
    new.instance_count > old.instance_count
    or old.deleted_at is not null
    or new.active_assignments = 0 and old.active_assignments > 0
    or (new.modality, new.modalities, new.priority, new.description, new.study_description, new.institution_name,
        new.equipment_name, new.group_ids)
      is distinct from (old.modality, old.modalities, old.priority, old.description, old.study_description,
        old.institution_name, old.equipment_name, old.group_ids)))
  execute function note_arrival();

create function tenants_with_arrivals(quiet_seconds int) returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct a.tenant_id from study_arrivals a join tenants t on t.id = a.tenant_id
  where a.changed_at <= clock_timestamp() - make_interval(secs => quiet_seconds) and t.suspended_at is null
$$;
revoke execute on function tenants_with_arrivals from public;
grant execute on function tenants_with_arrivals to radwork_app;

-- Rules that assign arriving studies, in the order of `position`. The first that matches and finds an assignee counts.
create table assignment_rules (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  position int not null,
  name text not null check (length(name) between 1 and 80),
  is_active boolean not null default true,
  conditions jsonb not null,
  -- LEAST_LOADED: the radiologist of the group with the fewest open studies.
  assignee_kind text not null check (assignee_kind in ('USER', 'GROUP', 'LEAST_LOADED')),
  -- Both are null after the group was deleted. Such a rule assigns nothing.
  user_id uuid,
  group_id uuid,
  -- Most open studies of a user; the rule then passes the user over.
  most_open int check (most_open between 1 and 999),
  -- The user whom the rule chose last. Of users with equally few studies, the next one follows.
  last_user_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, group_id) references groups (tenant_id, id) on delete set null (group_id),
  check (case assignee_kind when 'USER' then group_id is null else user_id is null end)
);
create index assignment_rules_user on assignment_rules (tenant_id, user_id) where user_id is not null;
create index assignment_rules_group on assignment_rules (tenant_id, group_id) where group_id is not null;
select confine('assignment_rules');

-- Counts the changes of the whole list, so that two administrators do not overwrite each other.
alter table tenants add column assignment_rules_revision int not null default 0;
grant update (assignment_rules_revision) on tenants to radwork_app;

-- An assignment has an assigner: a user, or a rule with the name that it had then.
alter table study_assignments
  alter column assigned_by drop not null,
  add column assigned_by_rule text,
  -- Whether the server ended the assignment, because its user left or no longer sees the study.
  add column is_lost boolean not null default false,
  add check (num_nonnulls(assigned_by, assigned_by_rule) = 1);
-- A dry run needs the assignments that ended since a time.
create index study_assignments_ended on study_assignments (tenant_id, ended_at) where ended_at is not null;
alter table group_assignments
  alter column assigned_by drop not null,
  add column assigned_by_rule text,
  add check (num_nonnulls(assigned_by, assigned_by_rule) = 1);
