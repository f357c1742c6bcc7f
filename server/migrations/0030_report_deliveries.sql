-- Signed reports on their way out of Radwork: to FHIR servers, and as DICOM into the study that they are about.

-- One row for each report and destination: how the latest sending went. Earlier ones are in the audit.
create table report_deliveries (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  report_id uuid not null,
  kind text not null check (kind in ('FHIR', 'STUDY')),
  -- What the server was called when it was chosen: its configuration may be gone since.
  remote_config_id uuid,
  destination text not null,
  state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'SENT', 'FAILED')),
  attempts int not null default 0,
  -- In words; of a sending that will be tried again, why it did not succeed so far.
  error text not null default '',
  next_attempt_at timestamptz,
  -- What the other side has made of it: [{"type": "Patient", "id": "17"}].
  resources jsonb not null default '[]',
  -- How many signed parts the report had that was sent last: the text, and each addendum and correction.
  sent_parts int not null default 0,
  sent_at timestamptz,
  -- A super administrator may be of another tenant than the one that they visit.
  requested_by uuid not null,
  requested_by_tenant_id int not null references tenants (id),
  requested_by_name text not null,
  requested_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, report_id) references reports (tenant_id, id),
  check ((kind = 'FHIR') = (remote_config_id is not null))
);
-- Nothing is ever sent twice at once to the same place: a second request finds the first.
create unique index report_deliveries_destination
  on report_deliveries (tenant_id, report_id, kind, remote_config_id) nulls not distinct;
select confine('report_deliveries');
revoke delete on report_deliveries from radwork_app;

-- What the identifiers of a tenant's patients, studies and users are numbered under where other systems see them: no two
-- tenants, of whatever installation, may mean two patients by the same identifier.
alter table tenants add column identifier_root uuid not null default gen_random_uuid();
