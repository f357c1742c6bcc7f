-- Decisions of administrators to purge a study of the recycle bin before its time. REPLACE: as soon as a corrected file
-- with its UIDs arrives. PURGE: as soon as a second user confirms.
create table early_purges (
  tenant_id int not null default current_tenant() references tenants (id),
  study_id uuid not null,
  kind text not null check (kind in ('REPLACE', 'PURGE')),
  reason text not null,
  requested_by uuid not null,
  requested_by_name text not null,
  requested_at timestamptz not null default now(),
  confirmed_by uuid,
  primary key (tenant_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  check (confirmed_by <> requested_by)
);
select confine('early_purges');

-- Files that were refused because their study is in the recycle bin.
create table refused_arrivals (
  tenant_id int not null default current_tenant() references tenants (id),
  study_id uuid not null,
  files int not null,
  last_at timestamptz not null default now(),
  primary key (tenant_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
select confine('refused_arrivals');

-- Studies that are never purged: on legal hold, with a signed report, or with an open critical finding.
create function must_be_kept(s studies) returns boolean
language sql stable as $$
  select s.is_on_legal_hold
    or exists (
      select from reports r where r.tenant_id = s.tenant_id and r.study_id = s.id and r.status = 'FINALIZED')
    or exists (
      select from critical_findings f
      where f.tenant_id = s.tenant_id and f.study_id = s.id and f.state in ('OPEN', 'COMMUNICATED'))
$$;

-- Deletes the rows of a study. Only the functions below may call it, after their checks.
create function delete_rows_of_study(tenant int, asked uuid) returns bytea[]
language plpgsql as $$
declare
  purged bytea[];
begin
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

create or replace function purge_study(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform 1 from studies s
    where s.tenant_id = current_tenant() and s.id = asked and may_be_purged(s) and not must_be_kept(s)
    for update;
  return case when found then delete_rows_of_study(current_tenant(), asked) end;
end $$;

-- Purges a study that an administrator let be replaced, or whose purge a second user confirmed.
create function purge_study_early(asked uuid) returns bytea[]
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform 1 from studies s
    join early_purges e on e.tenant_id = s.tenant_id and e.study_id = s.id
    join tenants t on t.id = s.tenant_id
    where s.tenant_id = current_tenant() and s.id = asked and s.deleted_at is not null and t.suspended_at is null
      and not must_be_kept(s) and (e.kind = 'REPLACE' or e.confirmed_by is not null)
    for update of s;
  return case when found then delete_rows_of_study(current_tenant(), asked) end;
end $$;

revoke execute on function delete_rows_of_study, purge_study_early from public;
grant execute on function purge_study_early to radwork_app;
