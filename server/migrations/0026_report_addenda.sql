-- Addenda and corrections beside a signed report, what was stated when something was signed, and the list of reports.
create table report_addenda (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  kind text not null check (kind in ('ADDENDUM', 'CORRECTION')),
  author_id uuid not null,
  content text not null,
  -- The words that a correction replaces, and where they stand: 0 is the report's own text, n its n-th addendum.
  passage text not null default '',
  corrects int check (corrects >= 0),
  revision int not null default 1,
  -- From the signature on: its place among the addenda of the report.
  number int check (number > 0),
  statement text not null default '',
  signature_data text,
  content_hash bytea,
  finalized_at timestamptz,
  finalized_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id),
  foreign key (tenant_id, author_id) references users (tenant_id, id),
  foreign key (tenant_id, finalized_by) references users (tenant_id, id),
  check ((kind = 'CORRECTION') = (passage <> '')),
  check ((kind = 'CORRECTION') = (corrects is not null)),
  check ((finalized_at is null) = (content_hash is null)),
  check ((finalized_at is null) = (finalized_by is null)),
  check ((finalized_at is null) = (number is null))
);
-- Somebody writes one at a time.
create unique index report_addenda_one_draft on report_addenda (tenant_id, report_id, author_id)
  where finalized_at is null;
create unique index report_addenda_number on report_addenda (tenant_id, report_id, number)
  where finalized_at is not null;
select confine('report_addenda');

-- What is signed stays, as with reports; a draft may be discarded.
create function refuse_change_of_signed_addendum() returns trigger language plpgsql as $$
begin
  if old.finalized_at is not null then
    raise exception 'a signed addendum cannot be changed' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger signed_is_final before update or delete on report_addenda
  for each row execute function refuse_change_of_signed_addendum();

-- Reports that were signed before this had no statement kept.
alter table reports add column statement text not null default '';

-- When whoever holds a session last showed who they are by their password: signing asks for it to be recent.
alter table sessions add column authenticated_at timestamptz;
update sessions set authenticated_at = created_at;
alter table sessions alter column authenticated_at set default now(), alter column authenticated_at set not null;

-- The tabs of the list of reports, each from its newest on.
create index reports_author on reports (tenant_id, author_id, created_at desc, id desc);
create index reports_reviewer on reports (tenant_id, reviewer_id, created_at desc, id desc) where reviewer_id is not null;
create index reports_status on reports (tenant_id, status, created_at desc, id desc);
