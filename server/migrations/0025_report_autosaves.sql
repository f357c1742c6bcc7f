-- What somebody has typed in a report and not saved yet. It is no version of the report and nobody else sees it: it
-- waits for its writer, at whatever machine they sign in, until it is saved or given up.
create table report_autosaves (
  -- New with every keep: whoever replaces a kept text names the one that they know.
  id uuid not null,
  tenant_id int not null default current_tenant(),
  study_id uuid not null,
  writer_id uuid not null,
  -- Null before the report was begun.
  report_id uuid,
  -- The version of the report that it was written on.
  base_revision int,
  content text not null,
  has_critical_findings boolean not null,
  critical_findings_details text not null,
  saved_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique nulls not distinct (tenant_id, study_id, writer_id, report_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, writer_id) references users (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade
-- Written again and again while somebody types.
) with (fillfactor = 50);
select confine('report_autosaves');
