-- Patients as people work with them: lists that are fast at a million of them, records that turn out to be of one person
-- put together and taken apart again, and what files say of a patient otherwise than the record does.

alter table patients
  -- A record that was put together with another one stays, and points to it: its ID goes on naming that patient, and
  -- whatever arrives under it belongs there. Never to one that points on itself.
  add column merged_into uuid,
  add foreign key (tenant_id, merged_into) references patients (tenant_id, id),
  add check (merged_into <> id),
  -- Without case and accents, and in the order people expect of a list.
  add column folded_name text not null generated always as (fold_name(patient_name)) stored,
  add column search_text text not null generated always as (
    translate(fold_name(patient_name || ' ' || patient_id), '^=', '  ')) stored,
  -- Digits alone: the same number is written in many ways. The last nine leave out how a country is dialled.
  add column phone_digits text not null generated always as (
    right(regexp_replace(phone_number, '\D', '', 'g'), 9)) stored;

create index patients_name on patients (tenant_id, folded_name, id) where merged_into is null;
create index patients_identifier on patients (tenant_id, patient_id, id) where merged_into is null;
create index patients_gender on patients (tenant_id, gender, folded_name, id) where merged_into is null;
create index patients_youngest on patients (tenant_id, date_of_birth desc nulls last, id desc) where merged_into is null;
create index patients_oldest on patients (tenant_id, date_of_birth, id) where merged_into is null;
create index patients_created on patients (tenant_id, created_at, id) where merged_into is null;
create index patients_merged on patients (tenant_id, merged_into) where merged_into is not null;
create index patients_phone on patients (tenant_id, phone_digits) where merged_into is null and phone_digits <> '';
create index patients_search on patients using gin (search_text gin_trgm_ops);
-- Index-only counts need a fresh visibility map.
alter table patients set (
  autovacuum_vacuum_insert_scale_factor = 0.02,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);

-- Text search runs through this view, for the reason that study_search has (0003_archive.sql).
create view patient_search as
  select * from patients where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on patient_search to radwork_app;

-- The patient whom the files of a study name, where that is another one than the study is filed under: somebody moved
-- it, or it arrived under an ID that had been merged. Further files of the study may name either.
alter table studies
  add column named_patient_id uuid,
  add foreign key (tenant_id, named_patient_id) references patients (tenant_id, id),
  add check (named_patient_id <> patient_id);
create index studies_named_patient on studies (tenant_id, named_patient_id) where named_patient_id is not null;

-- A view keeps the columns that its table had when it was made.
create or replace view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;

-- What was put together or moved, by whom, and all that it takes to undo it.
create table patient_merges (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  kind text not null check (kind in ('MERGE', 'MOVE')),
  -- Where everything went, and where it came from.
  survivor_id uuid not null,
  source_id uuid not null,
  study_ids uuid[] not null default '{}',
  -- The records whose IDs name the survivor since.
  identifier_ids uuid[] not null default '{}',
  -- Of the survivor, each demographic field that the merge changed: {"column": {"before": ..., "after": ...}}.
  changes jsonb not null default '{}',
  made_by uuid,
  made_at timestamptz not null default now(),
  undone_by uuid,
  undone_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, survivor_id) references patients (tenant_id, id),
  foreign key (tenant_id, source_id) references patients (tenant_id, id),
  check (survivor_id <> source_id)
);
create index patient_merges_survivor on patient_merges (tenant_id, survivor_id, made_at desc);
create index patient_merges_source on patient_merges (tenant_id, source_id, made_at desc);
select confine('patient_merges');
revoke delete on patient_merges from radwork_app;

-- What files say of a patient otherwise than the record. It is asked once about each thing they say.
create table patient_differences (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  patient_id uuid not null,
  field text not null
    check (field in ('patient_name', 'gender', 'date_of_birth', 'address', 'phone_number')),
  value text not null,
  -- The first study whose files said so; it may be gone since.
  study_id uuid not null,
  status text not null default 'OPEN' check (status in ('OPEN', 'ACCEPTED', 'DISMISSED')),
  found_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, patient_id, field, value),
  foreign key (tenant_id, patient_id) references patients (tenant_id, id) on delete cascade
);
select confine('patient_differences');
