-- Reports, every version of them, and the links by which people without an account read them.
create table reports (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  author_id uuid not null,
  status text not null default 'DRAFT'
    check (status in ('DRAFT', 'PENDING_REVIEW', 'REVISION_REQUIRED', 'APPROVED', 'FINALIZED')),
  content text not null,
  revision int not null default 1,
  has_critical_findings boolean not null default false,
  critical_findings_details text not null default '',
  reviewer_id uuid,
  review_notes text not null default '',
  review_comments text not null default '',
  review_requested_at timestamptz,
  review_completed_at timestamptz,
  finalized_at timestamptz,
  finalized_by uuid,
  -- SHA-256 of the finalized text, so that a later change of it can be told.
  content_hash bytea,
  signature_data text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id),
  foreign key (tenant_id, author_id) references users (tenant_id, id),
  foreign key (tenant_id, reviewer_id) references users (tenant_id, id),
  foreign key (tenant_id, finalized_by) references users (tenant_id, id),
  check ((status = 'FINALIZED') = (finalized_at is not null)),
  check ((status = 'FINALIZED') = (content_hash is not null))
);
-- One open report for each study; another may begin when the earlier one is finalized (C40).
create unique index reports_one_open on reports (tenant_id, study_id) where status <> 'FINALIZED';
create index reports_study on reports (tenant_id, study_id, created_at desc);
create index reports_created on reports (tenant_id, created_at desc, id desc);
select confine('reports');
revoke delete on reports from radwork_app;

-- The last wall before a signed text: not even a mistake in our own code can change it.
create function refuse_change_of_finalized() returns trigger language plpgsql as $$
begin
  if old.status = 'FINALIZED' then
    raise exception 'a finalized report cannot be changed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger finalized_is_final before update or delete on reports
  for each row execute function refuse_change_of_finalized();

create table report_versions (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  version int not null,
  status text not null,
  action text not null,
  actor_id uuid not null,
  comment text not null default '',
  content text not null,
  content_hash bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, report_id, version),
  foreign key (tenant_id, report_id) references reports (tenant_id, id),
  foreign key (tenant_id, actor_id) references users (tenant_id, id)
);
select confine('report_versions');
revoke update, delete on report_versions from radwork_app;

create table critical_findings (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  finding text not null,
  severity text not null check (severity in ('CRITICAL', 'URGENT', 'SIGNIFICANT')),
  identified_by uuid not null,
  identified_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id),
  foreign key (tenant_id, identified_by) references users (tenant_id, id)
);
create index critical_findings_report on critical_findings (tenant_id, report_id);
select confine('critical_findings');

-- The token of a link is HMAC(server's key, report, nonce): shown again to whoever may share, useless from a copy of the database.
create table report_links (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  nonce bytea not null,
  token_hash bytea not null unique,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  open_count int not null default 0,
  last_opened_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id),
  foreign key (tenant_id, created_by) references users (tenant_id, id)
);
create unique index report_links_one_open on report_links (tenant_id, report_id) where revoked_at is null;
select confine('report_links');

-- Which tenant and report an open link belongs to, before anything else is known of the caller.
create function find_report_link(asked_token_hash bytea)
returns table (tenant_id int, link_id uuid, report_id uuid)
language sql stable security definer set search_path = pg_catalog, public as $$
  select l.tenant_id, l.id, l.report_id
  from report_links l join tenants t on t.id = l.tenant_id
  where l.token_hash = asked_token_hash and l.revoked_at is null and l.expires_at > now() and t.suspended_at is null
$$;
revoke execute on function find_report_link from public;
grant execute on function find_report_link to radwork_app;
