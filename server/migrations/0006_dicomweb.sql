-- What QIDO-RS has to search by (PS3.18 10.6): names whatever their case and accents, StudyID, and of a series the
-- performed procedure step and the requests behind it. And what it has to say of a study, its time zone.

-- A name as it is compared: without case, accents and empty last components, each of its spellings between "=".
-- Marks are taken off by themselves, and what is left is put together again: Korean syllables stay single letters.
create function fold_name(name text) returns text language sql immutable parallel safe return
  regexp_replace(
    normalize(regexp_replace(normalize('=' || lower(name) || '=', nfd), '[\u0300-\u036f]', '', 'g'), nfc),
    '\^+=', '=', 'g');

alter table studies
  -- TimezoneOffsetFromUTC (0008,0201), such as +0100.
  add column timezone_offset text not null default '',
  add column folded_patient_name text not null generated always as (fold_name(patient_name)) stored,
  add column folded_referring_physician_name text not null
    generated always as (fold_name(referring_physician_name)) stored;
create index studies_folded_name on studies using gin (folded_patient_name gin_trgm_ops);
create index studies_folded_referrer on studies using gin (folded_referring_physician_name gin_trgm_ops);
create index studies_scanner_id on studies (tenant_id, scanner_study_id) where deleted_at is null;
create index patients_birth on patients (tenant_id, date_of_birth);
-- With the study in it, which classes a study has is read from the index alone.
create index instances_sop_class on instances (tenant_id, sop_class_uid, study_id);

-- A view keeps the columns that its table had when it was made.
create or replace view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;

-- Local to the scanner, like the date of a study; null when the files do not say.
alter table series add column performed_at timestamp;
create index series_performed on series (tenant_id, performed_at) where performed_at is not null;

-- Items of RequestAttributesSequence (0040,0275): one series may answer several requests.
create table series_requests (
  tenant_id int not null default current_tenant(),
  series_id uuid not null,
  item int not null,
  scheduled_procedure_step_id text not null,
  requested_procedure_id text not null,
  primary key (tenant_id, series_id, item),
  foreign key (tenant_id, series_id) references series (tenant_id, id) on delete cascade
);
create index series_requests_step on series_requests (tenant_id, scheduled_procedure_step_id);
create index series_requests_procedure on series_requests (tenant_id, requested_procedure_id);
select confine('series_requests');
