-- How long a lock lasts after its holder was last heard of: two minutes for an open editor, longer for a study that was
-- opened in reading mode. The organization sets the latter.
alter table reading_locks add column lasts_seconds int not null default 120 check (lasts_seconds between 60 and 86400);
alter table tenants add column reading_claim_minutes int not null default 10 check (reading_claim_minutes between 2 and 240);
grant update (reading_claim_minutes) on tenants to radwork_app;

-- Studies that a reader has put off until a time. They are missing from this reader's queue only.
create table reading_deferrals (
  tenant_id int not null default current_tenant(),
  study_id uuid not null,
  user_id uuid not null,
  deferred_until timestamptz not null,
  reason text not null check (length(reason) between 1 and 500),
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('reading_deferrals');

-- The order of the reading queue: priority, due time, waiting since arrival.
create index studies_reading_queue on studies (
  tenant_id,
  array_position(array['STAT', 'URGENT', 'ROUTINE'], priority),
  coalesce(due_at, 'infinity'),
  created_at,
  id
) include (active_assignments) where deleted_at is null and status in ('PENDING', 'ASSIGNED');
