-- What people say to one another about a study, and how far each of them has read.
create table chat_messages (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  -- The order of a conversation. Whoever writes to it waits for who wrote before, so none appears between read ones.
  number bigint not null generated always as identity,
  study_id uuid not null,
  -- Who wrote it, by the names of then. Somebody who visits the tenant is no user of it.
  user_id uuid not null,
  username text not null,
  name text not null,
  text text not null check (length(text) between 1 and 4000),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id)
);
create index chat_messages_study on chat_messages (tenant_id, study_id, number desc);
select confine('chat_messages');
revoke update, delete on chat_messages from radwork_app;

-- Messages that were taken back. What they said stays above, and is shown to nobody.
create table chat_deletions (
  tenant_id int not null default current_tenant(),
  message_id uuid not null,
  study_id uuid not null,
  user_id uuid not null,
  deleted_at timestamptz not null default now(),
  primary key (tenant_id, message_id),
  foreign key (tenant_id, message_id) references chat_messages (tenant_id, id)
);
create index chat_deletions_study on chat_deletions (tenant_id, study_id, deleted_at desc);
select confine('chat_deletions');
revoke update, delete on chat_deletions from radwork_app;

-- The last message of a study that somebody has read.
create table chat_reads (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  study_id uuid not null,
  last_number bigint not null,
  read_at timestamptz not null default now(),
  primary key (tenant_id, user_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id)
);
select confine('chat_reads');

-- With a study goes what was said about it; the rest is as in 0007_storage.
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
  delete from report_links l using reports r
    where r.tenant_id = tenant and r.study_id = asked and l.tenant_id = tenant and l.report_id = r.id;
  delete from critical_findings f using reports r
    where r.tenant_id = tenant and r.study_id = asked and f.tenant_id = tenant and f.report_id = r.id;
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
