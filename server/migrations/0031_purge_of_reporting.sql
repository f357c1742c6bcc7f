-- A study that is purged takes along what was written about it since: who was told of a critical finding, what a model
-- proposed, what was begun beside its report. One with a signed report is still never purged.
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
