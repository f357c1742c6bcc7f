-- Examinations that reports recommend. Study and patient are those of the report, so a move of the study moves the row too.
create table follow_ups (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  modality text not null check (modality in ('CT', 'MR', 'US', 'XR', 'MG', 'PT', 'NM', 'BMD', '')),
  body_part text not null check (length(body_part) <= 20),
  due_from date not null,
  due_to date not null,
  -- The sentence of the report. Empty when a user added the row without one.
  quote text not null default '' check (length(quote) <= 2000),
  owner_id uuid not null,
  state text not null check (state in ('OFFERED', 'OPEN', 'SCHEDULED', 'DONE', 'DECLINED', 'LOST', 'DISMISSED')),
  reason text not null default '' check (length(reason) <= 1000),
  -- The study that closed the row or was scheduled for it, and whether the server found it.
  matched_study_id uuid,
  is_matched_by_server boolean not null default false,
  review_cause text check (review_cause in ('CORRECTED', 'MOVED')),
  -- When the row is compared with studies next, and with those changed since when.
  compared_until timestamptz not null default now(),
  remind_at timestamptz,
  revision int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, owner_id) references users (tenant_id, id),
  foreign key (tenant_id, matched_study_id) references studies (tenant_id, id) on delete set null (matched_study_id),
  check (due_from <= due_to)
);
create index follow_ups_report on follow_ups (tenant_id, report_id);
create index follow_ups_waiting on follow_ups (tenant_id, due_to, id) where state in ('OPEN', 'SCHEDULED');
create index follow_ups_matched on follow_ups (tenant_id, matched_study_id) where matched_study_id is not null;
create index follow_ups_reminders on follow_ups (remind_at) where remind_at is not null;
select confine('follow_ups');
select limit_by('follow_ups', 'reports', 'report_id');
revoke delete on follow_ups from radwork_app;

-- Studies that agree with a row in part. A dismissed study is not offered again, and does not close the row.
create table follow_up_candidates (
  tenant_id int not null default current_tenant(),
  follow_up_id uuid not null,
  study_id uuid not null,
  dismissed_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, follow_up_id, study_id),
  foreign key (tenant_id, follow_up_id) references follow_ups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
select confine('follow_up_candidates');
select limit_by('follow_up_candidates', 'studies', 'study_id');

create table follow_up_events (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  follow_up_id uuid not null,
  event text not null check (length(event) <= 40),
  state text not null,
  reason text not null default '' check (length(reason) <= 1000),
  -- Null when the server acted.
  actor_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, follow_up_id) references follow_ups (tenant_id, id) on delete cascade,
  foreign key (tenant_id, actor_id) references users (tenant_id, id)
);
create index follow_up_events_of on follow_up_events (tenant_id, follow_up_id, created_at);
select confine('follow_up_events');
select limit_by('follow_up_events', 'follow_ups', 'follow_up_id');
revoke update, delete on follow_up_events from radwork_app;

-- One row of an organization that has changed the defaults.
create table follow_up_settings (
  tenant_id int primary key default current_tenant() references tenants (id),
  owner text not null default 'REFERRER' check (owner in ('REFERRER', 'AUTHOR')),
  reminds_author boolean not null default true
);
select confine('follow_up_settings');

create table follow_up_contacts (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('follow_up_contacts');

-- The tenants in which the server has work on the register.
create function tenants_with_waiting_follow_ups() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct f.tenant_id from follow_ups f join tenants t on t.id = f.tenant_id
  where (f.state in ('OPEN', 'SCHEDULED') or (f.state = 'DONE' and f.is_matched_by_server)) and t.suspended_at is null
$$;
revoke execute on function tenants_with_waiting_follow_ups from public;
grant execute on function tenants_with_waiting_follow_ups to radwork_app;

-- Adds a type to the checks, whatever types other migrations added before.
do $$
declare
  constrained record;
begin
  for constrained in
    select conrelid::regclass as of_table, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where conname in ('notifications_type_check', 'unwanted_notifications_type_check')
  loop
    execute format('alter table %s drop constraint %I', constrained.of_table, constrained.conname);
    execute format('alter table %s add constraint %I %s', constrained.of_table, constrained.conname,
      replace(constrained.definition, '''OVERDUE''::text', '''OVERDUE''::text, ''FOLLOW_UP''::text'));
  end loop;
end $$;
