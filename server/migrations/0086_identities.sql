-- Two people can come under one PatientID, of one issuer: files that contradict the record's family name, sex
-- or birth date were filed under the record all the same, and nobody was told.

alter table patients
  -- The patient whose ID the files name: this record was made for those that contradict them, under an issuer of its own.
  add column provisional_for uuid,
  add foreign key (tenant_id, provisional_for) references patients (tenant_id, id) on delete set null (provisional_for),
  -- Birth and married names, as files and earlier versions of the record have them.
  add column known_names text[] not null default '{}';
create index patients_provisional on patients (tenant_id, provisional_for) where provisional_for is not null;

-- Someone who takes another family name keeps given name and birth date. A correction of those is no name of the same person.
create function keep_family_name() returns trigger language plpgsql as $$
begin
  if fold_text(split_part(old.patient_name, '^', 1)) <> fold_text(split_part(new.patient_name, '^', 1))
    and fold_text(split_part(old.patient_name, '^', 2)) = fold_text(split_part(new.patient_name, '^', 2))
    and split_part(old.patient_name, '^', 2) <> '' and old.date_of_birth = new.date_of_birth
    and not old.patient_name = any(new.known_names)
  then
    new.known_names := (array_append(new.known_names, old.patient_name))[greatest(1, cardinality(new.known_names) - 18):];
  end if;
  return new;
end $$;
create trigger keep_family_name before update of patient_name on patients
  for each row execute function keep_family_name();

-- A view keeps the columns that its table had when it was made.
create or replace view patient_search as
  select * from patients where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;

-- The names of both people, while it is open whose images a study has: it is found by either.
drop view study_search;
alter table studies
  drop column search_text,
  add column identity_names text not null default '',
  add column search_text text not null generated always as (fold_text(
    translate(patient_name, '^=', '  ') || ' ' || patient_identifier || ' ' || accession_number || ' ' ||
    description || ' ' || study_description || ' ' || translate(identity_names, '^=', '  '))) stored;
create index studies_search on studies using gin (search_text gin_trgm_ops);
create view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on study_search to radwork_app;

-- One question for each study whose files contradict the patient who has their PatientID.
create table identity_questions (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  study_id uuid not null,
  known_patient_id uuid not null,
  -- The patient who has the study meanwhile; null where it stayed with the known patient.
  provisional_patient_id uuid,
  said_name text not null,
  said_gender text not null,
  said_birth date,
  contradictions text[] not null,
  origin text not null check (origin in ('ARRIVED', 'ADDED', 'FOUND')),
  state text not null default 'OPEN' check (state in ('OPEN', 'SAME_PERSON', 'ANOTHER_PERSON', 'SENT_BACK')),
  opened_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by uuid,
  -- The merge or the move that carried the decision out; taking that back opens the question again.
  merge_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, known_patient_id) references patients (tenant_id, id) on delete cascade,
  foreign key (tenant_id, provisional_patient_id) references patients (tenant_id, id) on delete cascade,
  foreign key (tenant_id, merge_id) references patient_merges (tenant_id, id),
  check ((state = 'OPEN') = (decided_at is null))
);
create unique index identity_questions_open on identity_questions (tenant_id, study_id) where state = 'OPEN';
create index identity_questions_study on identity_questions (tenant_id, study_id);
create index identity_questions_known on identity_questions (tenant_id, known_patient_id);
create index identity_questions_provisional on identity_questions (tenant_id, provisional_patient_id);
create index identity_questions_decided on identity_questions (tenant_id, decided_at desc) where state <> 'OPEN';
create index identity_questions_merge on identity_questions (tenant_id, merge_id) where merge_id is not null;
select confine('identity_questions');

-- The progress of each tenant's search for patients mixed by earlier versions. A restart continues it.
create table identity_searches (
  tenant_id int primary key default current_tenant() references tenants (id),
  last_patient_id uuid,
  patients_looked_at int not null default 0,
  patients_in_all int not null,
  studies_found int not null default 0,
  begun_at timestamptz not null default now(),
  finished_at timestamptz
);
select confine('identity_searches');
revoke delete on identity_searches from radwork_app;

-- How the reader identified the patient of a study whose identity was open when they signed.
alter table reports add column identity_statement text not null default '';
alter table report_addenda add column identity_statement text not null default '';

alter table tenants
  -- KEEP takes all files that contradict the patient with their ID, REFUSE none, REFUSE_TWO none whose name and birth date or sex do.
  add column contradicting_patients text not null default 'REFUSE_TWO'
    check (contradicting_patients in ('KEEP', 'REFUSE_TWO', 'REFUSE')),
  -- The issuer of patient IDs in uploaded files that name none; may be empty.
  add column upload_issuer text not null default '';
alter table application_entities add column issuer text not null default '';
alter table remote_configurations add column issuer text not null default '';
grant update (contradicting_patients, upload_issuer) on tenants to radwork_app;
