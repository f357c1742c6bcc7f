-- What the dashboard counts of a period, without reading the period's studies: sums by day, and what has changed since
-- they were last added up. Changes are only ever appended, by whoever changes a study or signs a report, so that nobody
-- waits for a row that somebody else counts in; a round adds them to the sums (server/src/features/dashboard/fold.ts).
create table dashboard_changes (
  tenant_id int not null default current_tenant(),
  id bigint generated always as identity,
  -- ARRIVED counts studies by their main modality, SIGNED reports by who signed them, TURNAROUND studies by their
  -- priority and by how long their first signed report took.
  kind text not null check (kind in ('ARRIVED', 'SIGNED', 'TURNAROUND')),
  at timestamptz not null,
  key text not null,
  bucket int not null default 0,
  change int not null,
  primary key (tenant_id, id)
);
create index dashboard_changes_at on dashboard_changes (tenant_id, kind, at);
select confine('dashboard_changes');

create table dashboard_days (
  tenant_id int not null default current_tenant(),
  kind text not null,
  -- In the time zone that the tenant's row of dashboard_folds names.
  day date not null,
  key text not null,
  bucket int not null,
  total int not null,
  primary key (tenant_id, kind, day, key, bucket) include (total)
);
select confine('dashboard_days');

-- Until a tenant has this row, or while it names another time zone than the tenant has, the dashboard counts by reading.
create table dashboard_folds (
  tenant_id int primary key default current_tenant(),
  time_zone text not null,
  -- When the sums were last compared with a count of everything, and how many of them were wrong then.
  checked_at timestamptz not null default now(),
  differences int not null default 0
);
select confine('dashboard_folds');

-- Bucket b holds from 1.1^b to 1.1^(b+1) minutes: whatever is read as the middle of it is wrong by 5 % at most.
create function turnaround_bucket(taken interval) returns int language sql immutable as $$
  select least(200, floor(ln(greatest(extract(epoch from taken)::float8 / 60, 1)) / ln(1.1::float8)))::int
$$;

create function note_study_on_dashboard() returns trigger language plpgsql as $$
declare
  was_there boolean := tg_op <> 'INSERT' and old.deleted_at is null;
  is_there boolean := tg_op <> 'DELETE' and new.deleted_at is null;
begin
  if was_there and not (is_there and (old.modality, old.created_at) = (new.modality, new.created_at)) then
    insert into dashboard_changes (tenant_id, kind, at, key, change)
      values (old.tenant_id, 'ARRIVED', old.created_at, old.modality, -1);
  end if;
  if is_there and not (was_there and (old.modality, old.created_at) = (new.modality, new.created_at)) then
    insert into dashboard_changes (tenant_id, kind, at, key, change)
      values (new.tenant_id, 'ARRIVED', new.created_at, new.modality, 1);
  end if;
  if tg_op <> 'UPDATE' then
    return null;
  end if;
  if was_there <> is_there then
    insert into dashboard_changes (tenant_id, kind, at, key, change)
      select tenant_id, 'SIGNED', finalized_at, coalesce(finalized_by::text, ''), case when is_there then 1 else -1 end
      from reports where tenant_id = new.tenant_id and study_id = new.id and status = 'FINALIZED';
  end if;
  insert into dashboard_changes (tenant_id, kind, at, key, bucket, change)
    select first.tenant_id, 'TURNAROUND', first.finalized_at, moved.priority,
           turnaround_bucket(first.finalized_at - moved.created_at), moved.change
    from (
      select * from reports where tenant_id = new.tenant_id and study_id = new.id and status = 'FINALIZED'
      order by finalized_at, id limit 1) first,
      (values (was_there, old.priority, old.created_at, -1), (is_there, new.priority, new.created_at, 1))
        moved (counts, priority, created_at, change)
    where moved.counts
      and (was_there, old.priority, old.created_at) is distinct from (is_there, new.priority, new.created_at);
  return null;
end $$;
create trigger dashboard_of_new after insert or delete on studies
  for each row execute function note_study_on_dashboard();
-- The condition is looked at first: what a series more changes on its study costs nothing.
create trigger dashboard_of_changed after update on studies for each row
  when ((old.deleted_at is null) is distinct from (new.deleted_at is null)
    or (old.modality, old.priority, old.created_at) is distinct from (new.modality, new.priority, new.created_at))
  execute function note_study_on_dashboard();

-- A report that is signed was none before, and is one for ever. The study is locked as whoever signs has locked it
-- already: what it is counted under cannot change before this is committed.
create function note_report_on_dashboard() returns trigger language plpgsql as $$
declare
  study studies;
begin
  select * into study from studies where tenant_id = new.tenant_id and id = new.study_id for no key update;
  if study.deleted_at is not null then
    return null;
  end if;
  insert into dashboard_changes (tenant_id, kind, at, key, change)
    values (new.tenant_id, 'SIGNED', new.finalized_at, coalesce(new.finalized_by::text, ''), 1);
  insert into dashboard_changes (tenant_id, kind, at, key, bucket, change)
    select new.tenant_id, 'TURNAROUND', new.finalized_at, study.priority,
           turnaround_bucket(new.finalized_at - study.created_at), 1
    where not exists (
      select from reports where tenant_id = new.tenant_id and study_id = new.study_id and status = 'FINALIZED'
        and id <> new.id);
  return null;
end $$;
create trigger dashboard_of_begun_signed after insert on reports for each row
  when (new.status = 'FINALIZED') execute function note_report_on_dashboard();
create trigger dashboard_of_signed after update of status on reports for each row
  when (new.status = 'FINALIZED' and old.status <> 'FINALIZED') execute function note_report_on_dashboard();

-- The lists that the figures open: what has no report by when it arrived, and what was signed when.
create index studies_unreported on studies (tenant_id, created_at)
  where deleted_at is null and status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS');
create index reports_signed on reports (tenant_id, finalized_at desc, id) include (finalized_by, study_id)
  where status = 'FINALIZED';
create index critical_findings_due on critical_findings (tenant_id, due_at) include (severity, state);

-- Where there is something to add up, to count anew for another time zone, or to compare again.
create function tenants_with_dashboard_work() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.id from tenants t left join dashboard_folds f on f.tenant_id = t.id
  where t.suspended_at is null
    and (f.tenant_id is null or f.time_zone <> t.time_zone or f.checked_at < now() - interval '1 day'
         or exists (select from dashboard_changes c where c.tenant_id = t.id))
$$;
-- Whose sums can be compared.
create function tenants_with_dashboard() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select tenant_id from dashboard_folds
$$;
revoke execute on function tenants_with_dashboard from public;
grant execute on function tenants_with_dashboard to radwork_app;
revoke execute on function tenants_with_dashboard_work from public;
grant execute on function tenants_with_dashboard_work to radwork_app;
