-- The worklist finds names whatever their accents, as the list of patients and QIDO-RS do; and all of them find what has
-- one letter in upper case and two in lower case: σ is ς at the end of a word, and i has no dot in some languages.
create or replace function fold_text(text text) returns text language sql immutable parallel safe return
  normalize(regexp_replace(normalize(translate(lower(text), 'ςı', 'σi'), nfd), '[\u0300-\u036f]', '', 'g'), nfc);

-- As migration 0006 has it.
create or replace function fold_name(name text) returns text language sql immutable parallel safe return
  regexp_replace(fold_text('=' || name || '='), '\^+=', '=', 'g');

-- What was folded before has these letters still, in few rows: it is made anew when what it is made of is written.
update studies set patient_name = patient_name, referring_physician_name = referring_physician_name
  where folded_patient_name ~ '[ςı]' or folded_referring_physician_name ~ '[ςı]';
update patients set patient_name = patient_name where search_text ~ '[ςı]';
update atlases set title = title where search_text ~ '[ςı]';
update guidelines set title = title where search_text ~ '[ςı]';

-- A view keeps the columns that its table had when it was made, and a column that a view has cannot be dropped.
drop view study_search;
alter table studies
  drop column search_text,
  add column search_text text not null generated always as (fold_text(
    translate(patient_name, '^=', '  ') || ' ' || patient_identifier || ' ' || accession_number || ' ' ||
    description || ' ' || study_description)) stored;
create index studies_search on studies using gin (search_text gin_trgm_ops);
create view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on study_search to radwork_app;
