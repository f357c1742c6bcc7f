-- Work that outlives the call that asked for it, and the imports from other archives that are done so.

-- What is waiting for a server process or in the hands of one; a row that is gone is done. `id` is that of the row
-- that the work is about, in the feature's own table, where people see how it goes.
create table jobs (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  queue text not null,
  run_at timestamptz not null default now(),
  -- Who has it, and until when they need not be asked: both are null while it waits.
  worker int,
  leased_until timestamptz,
  attempts int not null default 0,
  primary key (tenant_id, id),
  check ((worker is null) = (leased_until is null))
);
create index jobs_run_at on jobs (queue, run_at, id);
select confine('jobs');

-- Wakes the workers of all servers when there is something to do, and those whose job was withdrawn.
create function job_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('job_changed', '');
  return null;
end $$;
create trigger jobs_changed after insert or delete or update of run_at on jobs
  for each statement execute function job_changed();

-- A worker holds the lock of its number as long as it is connected. One that was killed loses it at that moment;
-- one whose machine vanished from the network is found out by its lease.
create function is_worker_connected(asked_worker int) returns boolean
language sql volatile set search_path = pg_catalog, public as $$
  select exists (
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.granted
      and l.classid = 82746 and l.objid = asked_worker::oid and l.objsubid = 2)
$$;

-- Workers serve all tenants and are nobody in any: these two functions tell them which job is theirs, and no more.
-- Claims take turns, so that a tenant never has more than its share under way.
create function claim_job(asked_queue text, asked_worker int, lease interval, most_per_tenant int)
returns table (tenant_id int, id uuid, attempts int)
language plpgsql security definer set search_path = pg_catalog, public as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(82747, hashtext(asked_queue));
  return query
    with held as materialized (
      select j.tenant_id, j.id from jobs j
      where j.queue = asked_queue and j.leased_until > now() and is_worker_connected(j.worker)),
    next as (
      select j.tenant_id, j.id from jobs j
      where j.queue = asked_queue and j.run_at <= now()
        and (j.tenant_id, j.id) not in (select h.tenant_id, h.id from held h)
        and (select count(*) from held h where h.tenant_id = j.tenant_id) < most_per_tenant
      order by j.run_at, j.id limit 1
      for update of j skip locked)
    update jobs j set worker = asked_worker, leased_until = now() + lease, attempts = j.attempts + 1
    from next n where j.tenant_id = n.tenant_id and j.id = n.id
    returning j.tenant_id, j.id, j.attempts;
end $$;

create function renew_jobs(asked_worker int, lease interval)
returns table (tenant_id int, id uuid, attempts int)
language sql security definer set search_path = pg_catalog, public as $$
  update jobs j set leased_until = now() + lease where j.worker = asked_worker
  returning j.tenant_id, j.id, j.attempts
$$;

revoke execute on function claim_job, renew_jobs from public;
grant execute on function claim_job, renew_jobs to radwork_app;

create table import_jobs (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  -- What the archive was called and spoke when the import was asked for: its configuration may be gone since.
  remote_config_id uuid not null,
  remote_name text not null,
  protocol text not null check (protocol in ('DICOMWEB', 'FHIR', 'DIMSE')),
  study_instance_uid text not null,
  -- What the asker saw of the study. Once something of it is here, the study itself is shown.
  patient_name text not null default '',
  study_description text not null default '',
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'PARTIAL', 'DONE', 'FAILED', 'CANCELLED')),
  expected int,
  received int not null default 0,
  failed int not null default 0,
  cause text not null default '',
  attempts int not null default 0,
  -- A super administrator may be of another tenant than the one that they visit.
  requested_by uuid not null,
  requested_by_tenant_id int not null references tenants (id),
  requested_by_name text not null,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (tenant_id, id),
  check ((state in ('QUEUED', 'RUNNING')) = (finished_at is null))
);
-- One import at a time of a study from one archive (C61).
create unique index import_jobs_one_active on import_jobs (tenant_id, remote_config_id, study_instance_uid)
  where state in ('QUEUED', 'RUNNING');
create index import_jobs_state on import_jobs (tenant_id, state, id desc);
select confine('import_jobs');

-- Of an import that has ended: each instance that is not here, and why.
create table import_failures (
  tenant_id int not null default current_tenant(),
  import_job_id uuid not null,
  sop_instance_uid text not null,
  reason text not null,
  primary key (tenant_id, import_job_id, sop_instance_uid),
  foreign key (tenant_id, import_job_id) references import_jobs (tenant_id, id) on delete cascade
);
select confine('import_failures');
