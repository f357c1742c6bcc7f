-- What happened: to a study, for those who work on it; and to everything, for those who answer for it.
create table task_history (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  type text not null check (type in ('STUDY_STATUS_CHANGE', 'STUDY_ASSIGNMENT', 'REPORT_STATUS', 'CRITICAL_FINDING')),
  display_value text not null,
  details text not null default '',
  -- Null when the system did it by itself; the cause then stands in details.
  user_id uuid,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index task_history_study on task_history (tenant_id, study_id, created_at desc, id desc);
select confine('task_history');
revoke update, delete on task_history from radwork_app;

create table audit_entries (
  tenant_id int not null default current_tenant() references tenants (id),
  id bigint not null generated always as identity,
  created_at timestamptz not null default now(),
  user_id uuid,
  username text not null,
  user_type text,
  action text not null,
  entity text not null,
  entity_id text not null default '',
  study_id uuid,
  patient_id uuid,
  outcome text not null check (outcome in ('SUCCESS', 'FAILURE')),
  address text not null default '',
  detail jsonb,
  primary key (tenant_id, id)
);
create index audit_entries_date on audit_entries (tenant_id, created_at desc, id desc);
create index audit_entries_study on audit_entries (tenant_id, study_id, created_at desc) where study_id is not null;
select confine('audit_entries');
revoke update, delete on audit_entries from radwork_app;
