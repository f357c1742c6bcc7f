-- A critical finding goes on counting: for the patient whose study it is by now, in every version of its report, in the
-- recycle bin; and one of long ago raises no alarm.

alter table critical_findings
  -- Since when its clock runs: since it was recorded, or since it started again for another patient.
  add column clock_started_at timestamptz,
  -- Since when its study is filed under another patient than those who were told before have heard of.
  add column refiled_at timestamptz;
update critical_findings set clock_started_at = identified_at;
alter table critical_findings
  alter column clock_started_at set not null,
  alter column clock_started_at set default now();
grant update (due_at, clock_started_at, refiled_at) on critical_findings to radwork_app;

-- How far a finding was each time when its study was filed under another patient.
create table critical_restarts (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  finding_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  state text not null check (state in ('OPEN', 'COMMUNICATED', 'ACKNOWLEDGED')),
  communicated_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, finding_id) references critical_findings (tenant_id, id) on delete cascade,
  foreign key (tenant_id, acknowledged_by) references users (tenant_id, id)
);
create index critical_restarts_finding on critical_restarts (tenant_id, finding_id, at);
select confine('critical_restarts');
revoke update, delete on critical_restarts from radwork_app;

-- What a report was flagged with belongs to what it said; of versions from before nobody knows it.
alter table report_versions
  add column has_critical_findings boolean,
  add column critical_findings_details text;

-- Findings that were recorded before there were clocks (0027), of reports that have long been signed and sent: they stay
-- on the board, but a ladder that rises for years of them at once hides the one that is new.
update critical_findings f set escalate_at = null
  from reports r, schema_migrations m
  where r.tenant_id = f.tenant_id and r.id = f.report_id and r.status = 'FINALIZED'
    and m.name = '0027_critical_findings.sql' and f.identified_at < m.applied_at
    and f.due_at < now() and f.state = 'OPEN';

-- As in 0031, and a study with a finding that nobody has confirmed is not purged either.
create or replace function purge_study(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  tenant int := current_tenant();
  purged bytea[];
begin
  perform 1 from studies s
    where s.tenant_id = tenant and s.id = asked and not s.is_on_legal_hold
      and s.deleted_at < now() - interval '30 days'
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
