-- Prepared comments of a review. A phrase without an owner is shared by the organization.
create table review_phrases (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  owner_id uuid,
  text text not null check (length(text) between 1 and 500),
  decision text not null check (decision in ('APPROVE', 'REVISE')),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references users (tenant_id, id)
);
create unique index review_phrases_text on review_phrases
  (tenant_id, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), decision, text);
select confine('review_phrases');

-- The version up to which an author has read what a colleague changed in a report.
create table report_feedback_reads (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  report_id uuid not null,
  version int not null,
  read_at timestamptz not null default now(),
  primary key (tenant_id, user_id, report_id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('report_feedback_reads');
select limit_by('report_feedback_reads', 'reports', 'report_id');
