-- Comments of author and reviewer on passages of a report. They are no part of its text
-- (docs/decisions/0092-anchor-review-comments-by-quote.md).
create table report_comments (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  -- Version of the report on which the passage was selected.
  version int not null,
  author_id uuid not null,
  text text not null check (length(text) <= 4000),
  -- Suggested text; empty to delete the passage. Null for a comment without a suggestion.
  replacement text check (length(replacement) <= 4000),
  -- The passage by its words, their surroundings and its position (W3C Web Annotation Data Model, 4.2.4 and 4.2.5).
  passage text not null check (length(passage) between 1 and 2000),
  prefix text not null,
  suffix text not null,
  passage_start int not null check (passage_start >= 0),
  passage_end int not null,
  state text not null default 'OPEN',
  settled_by uuid,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade,
  foreign key (tenant_id, author_id) references users (tenant_id, id),
  foreign key (tenant_id, settled_by) references users (tenant_id, id),
  check (passage_end > passage_start),
  check (replacement is not null or text <> ''),
  check (
    case when replacement is null then state in ('OPEN', 'RESOLVED') else state in ('OPEN', 'ACCEPTED', 'REJECTED') end
  ),
  check ((state = 'OPEN') = (settled_at is null) and (state = 'OPEN') = (settled_by is null))
);
create index report_comments_report on report_comments (tenant_id, report_id, passage_start);
select confine('report_comments');
select limit_by('report_comments', 'reports', 'report_id');

create table report_comment_replies (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  comment_id uuid not null,
  author_id uuid not null,
  text text not null check (length(text) between 1 and 4000),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, comment_id) references report_comments (tenant_id, id) on delete cascade,
  foreign key (tenant_id, author_id) references users (tenant_id, id)
);
create index report_comment_replies_comment on report_comment_replies (tenant_id, comment_id, created_at);
select confine('report_comment_replies');
select limit_by('report_comment_replies', 'report_comments', 'comment_id');
revoke update on report_comment_replies from radwork_app;
