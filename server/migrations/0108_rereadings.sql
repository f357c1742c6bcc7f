-- Grows with each change of what a stored study contains for its readers without a new file: headers that are read
-- again. Caches and entity tags of metadata, frames and rendered images include it.
drop view study_search;
alter table studies add column content_revision int not null default 1;
create view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on study_search to radwork_app;
alter table series_metadata add column content_revision int not null default 1;
-- Servers cache facts of instances for as long as access to the study does not change.
create trigger studies_content_changed after update of content_revision on studies
  for each statement execute function sight_of_studies_changed();

-- The progress of each tenant's rereading of stored headers. A restart continues after the last file.
create table header_rereadings (
  tenant_id int primary key default current_tenant() references tenants (id),
  -- Version of the reader. A newer version starts again.
  reader_version int not null,
  last_instance_id uuid,
  files_read int not null default 0,
  files_in_all int not null,
  begun_at timestamptz not null default now(),
  finished_at timestamptz
);
select confine('header_rereadings');
revoke delete on header_rereadings from radwork_app;

-- Values that differ from the stored ones when the header is read again. CHANGED: corrected. LEFT: not corrected,
-- because a user may have entered the stored value. FAILED: the file could not be read; `after` has the reason.
create table header_differences (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  reader_version int not null,
  study_id uuid not null,
  sop_instance_uid text not null,
  outcome text not null check (outcome in ('CHANGED', 'LEFT', 'FAILED')),
  keyword text not null,
  before text not null,
  after text not null,
  -- Files of the study with the same difference.
  files int not null default 1,
  found_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
create unique index header_differences_same on header_differences (
  tenant_id, study_id, reader_version, outcome, keyword, md5(before || E'\n' || after),
  (case when outcome = 'FAILED' then sop_instance_uid else '' end));
create index header_differences_latest on header_differences (tenant_id, found_at desc, id desc);
select confine('header_differences');
