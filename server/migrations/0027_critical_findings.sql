-- Critical findings until somebody has confirmed them: who was told, by when, and who hears of it when nobody was (D-30).
-- And links to reports with a question, a limit and a log (D-10).
alter table critical_findings
  add column study_id uuid,
  add column due_at timestamptz,
  add column state text not null default 'OPEN' check (state in ('OPEN', 'COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN')),
  add column communicated_at timestamptz,
  add column acknowledged_at timestamptz,
  -- Null also for somebody outside, who confirmed by repeating what they heard.
  add column acknowledged_by uuid,
  add column withdrawn_at timestamptz,
  add column withdrawn_by uuid,
  add column withdrawn_reason text not null default '',
  -- How many rungs of the ladder were taken, and when the next one is due; null when there is none.
  add column escalation_step int not null default 0 check (escalation_step between 0 and 3),
  add column escalate_at timestamptz,
  add foreign key (tenant_id, acknowledged_by) references users (tenant_id, id),
  add foreign key (tenant_id, withdrawn_by) references users (tenant_id, id);

update critical_findings f set
  study_id = r.study_id,
  due_at = f.identified_at + make_interval(mins =>
    case f.severity when 'CRITICAL' then t.critical_minutes when 'URGENT' then t.urgent_minutes else t.significant_minutes end)
  from reports r, tenants t where r.tenant_id = f.tenant_id and r.id = f.report_id and t.id = f.tenant_id;
update critical_findings set escalate_at = due_at - (due_at - identified_at) / 3;

alter table critical_findings
  alter column study_id set not null,
  alter column due_at set not null,
  add foreign key (tenant_id, study_id) references studies (tenant_id, id),
  add check ((state = 'WITHDRAWN') = (withdrawn_at is not null)),
  add check (state <> 'ACKNOWLEDGED' or acknowledged_at is not null),
  add check (state <> 'COMMUNICATED' or communicated_at is not null),
  add check (escalate_at is null or state = 'OPEN');
create index critical_findings_study on critical_findings (tenant_id, study_id);
create index critical_findings_board on critical_findings (tenant_id, state, due_at, id);
create index critical_findings_ladder on critical_findings (escalate_at) where escalate_at is not null;
-- What was found, by whom and when is never written over, nor taken away: a mistake is withdrawn.
revoke update, delete on critical_findings from radwork_app;
grant update (
  state, communicated_at, acknowledged_at, acknowledged_by, withdrawn_at, withdrawn_by, withdrawn_reason,
  escalation_step, escalate_at
) on critical_findings to radwork_app;

-- Every attempt to tell somebody, those without success too.
create table critical_communications (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  finding_id uuid not null,
  -- A user, or the name of somebody outside.
  recipient_id uuid,
  recipient_name text not null,
  method text not null check (method in ('PHONE', 'IN_PERSON', 'SECURE_MESSAGE', 'OTHER')),
  was_reached boolean not null,
  has_read_back boolean not null check (was_reached or not has_read_back),
  told_at timestamptz not null,
  told_by uuid not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, finding_id) references critical_findings (tenant_id, id),
  foreign key (tenant_id, recipient_id) references users (tenant_id, id),
  foreign key (tenant_id, told_by) references users (tenant_id, id)
);
create index critical_communications_finding on critical_communications (tenant_id, finding_id, told_at);
select confine('critical_communications');
revoke update, delete on critical_communications from radwork_app;

-- Whom the ladder leads to. Where a rung has nobody, the administrators are told.
create table critical_contacts (
  tenant_id int not null default current_tenant(),
  rung text not null check (rung in ('ON_CALL', 'LEAD')),
  user_id uuid not null,
  primary key (tenant_id, rung, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
select confine('critical_contacts');

-- Where a rung is due; of what, only the tenant's own rows say.
create function tenants_with_critical_findings_to_escalate() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct f.tenant_id from critical_findings f join tenants t on t.id = f.tenant_id
  where f.escalate_at <= now() and t.suspended_at is null
$$;
revoke execute on function tenants_with_critical_findings_to_escalate from public;
grant execute on function tenants_with_critical_findings_to_escalate to radwork_app;

alter table report_links
  -- argon2; it is never shown again.
  add column passcode_hash text,
  add column asks_birth_date boolean not null default false,
  add column max_opens int check (max_opens between 1 and 1000),
  -- Wrong codes since the last right one or the last pause, and in all since the last right one.
  add column wrong_codes int not null default 0,
  add column wrong_codes_in_all int not null default 0,
  add column locked_until timestamptz,
  add check (passcode_hash is null or not asks_birth_date);

-- Who opened a link or tried to; nobody's whole address is kept.
create table report_link_opens (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  link_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  outcome text not null check (outcome in ('OPENED', 'WRONG_CODE', 'LOCKED', 'EXPIRED', 'REVOKED', 'USED_UP')),
  network text not null default '',
  primary key (tenant_id, id),
  foreign key (tenant_id, link_id) references report_links (tenant_id, id)
);
create index report_link_opens_link on report_link_opens (tenant_id, link_id, at desc);
select confine('report_link_opens');
revoke update, delete on report_link_opens from radwork_app;

-- Which tenant and link a token belongs to, before anything else is known of the caller, and why it does not open.
drop function find_report_link;
create function find_report_link(asked_token_hash bytea)
returns table (tenant_id int, link_id uuid, refusal text, passcode_hash text, asks_birth_date boolean)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.tenant_id, l.id,
    case
      when l.revoked_at is not null then 'REVOKED'
      when l.expires_at <= now() then 'EXPIRED'
      when l.open_count >= l.max_opens then 'USED_UP'
      when l.locked_until > now() then 'LOCKED'
    end,
    l.passcode_hash, l.asks_birth_date
  from report_links l
  join tenants t on t.id = l.tenant_id
  join reports r on r.tenant_id = l.tenant_id and r.id = l.report_id
  join studies s on s.tenant_id = r.tenant_id and s.id = r.study_id
  where l.token_hash = asked_token_hash and t.suspended_at is null and s.deleted_at is null
$$;
revoke execute on function find_report_link from public;
grant execute on function find_report_link to radwork_app;
