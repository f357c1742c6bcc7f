-- Studies by how the name of their patient begins, which most searches by name ask for (PatientName=Smit* of QIDO-RS).
-- Keys and dates of the studies that match are in these indexes. A name's second and third spelling (PS3.5 6.2.1) have
-- columns of their own, so that no other index holds them; they are folded like the whole name, and mostly empty.
alter table studies
  add column folded_second_spelling text not null generated always as (
    case when split_part(patient_name, '=', 2) = '' then '' else fold_name(split_part(patient_name, '=', 2)) end) stored,
  add column folded_third_spelling text not null generated always as (
    case when split_part(patient_name, '=', 3) = '' then '' else fold_name(split_part(patient_name, '=', 3)) end) stored;

create index studies_name_beginning on studies (tenant_id, folded_patient_name text_pattern_ops, study_date, id)
  where deleted_at is null;
create index studies_second_spelling on studies (tenant_id, folded_second_spelling text_pattern_ops, study_date, id)
  where deleted_at is null and folded_second_spelling <> '';
create index studies_third_spelling on studies (tenant_id, folded_third_spelling text_pattern_ops, study_date, id)
  where deleted_at is null and folded_third_spelling <> '';

-- A view keeps the columns that its table had when it was made.
create or replace view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
