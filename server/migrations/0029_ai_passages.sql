-- Which passages of reports a program has drafted, and what somebody decided about each of them. And a revision of the
-- tenant's reporting settings, so that two administrators do not overwrite each other.
alter table tenants add column reporting_revision int not null default 1;
grant update (reporting_revision) on tenants to radwork_app;

create table ai_passages (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  -- Null until a text with the passage in it is saved.
  report_id uuid,
  kind text not null check (kind in ('IMPRESSION', 'REPORT', 'ENHANCEMENT')),
  provider text not null check (provider in ('RULES', 'GEMINI', 'OPENAI')),
  -- As the provider calls it; empty for the rules.
  model text not null default '',
  -- SHA-256 of what the provider was given, and of the text it answered. The texts themselves are kept in no second place.
  prompt_hash bytea not null check (octet_length(prompt_hash) = 32),
  text_hash bytea not null check (octet_length(text_hash) = 32),
  created_by uuid not null,
  created_at timestamptz not null default now(),
  decision text check (decision in ('ACCEPTED', 'REJECTED')),
  decided_by uuid,
  decided_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, report_id) references reports (tenant_id, id),
  check ((decision is null) = (decided_at is null))
);
create index ai_passages_study on ai_passages (tenant_id, study_id, created_at);
select confine('ai_passages');
revoke delete on ai_passages from radwork_app;
