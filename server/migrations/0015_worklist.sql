-- Lists of a million studies in every order that they offer, without an index more for each study that arrives. What is
-- sorted by its main modality or its number of series is sorted in the table of modalities, whose rows are written anew
-- whenever these change; on the studies themselves, every new series would otherwise touch all of their indexes.
drop index study_modalities_date;
truncate study_modalities;
alter table study_modalities
  add column is_main boolean not null,
  -- Of the study's main modality only.
  add column series_count int;

-- Each study has a row of its main modality, even when nobody said which it is: otherwise it would be in no such list.
create or replace function keep_study_modalities() returns trigger language plpgsql as $$
begin
  delete from study_modalities where tenant_id = new.tenant_id and study_id = new.id;
  if new.deleted_at is null then
    insert into study_modalities (tenant_id, modality, study_date, study_id, status, is_main, series_count)
      select new.tenant_id, m, new.study_date, new.id, new.status, m = new.modality,
             case when m = new.modality then new.series_count end
      from unnest(new.modalities || new.modality) m
      on conflict do nothing;
  end if;
  return null;
end $$;
insert into study_modalities (tenant_id, modality, study_date, study_id, status, is_main, series_count)
  select distinct tenant_id, m, study_date, id, status, m = modality, case when m = modality then series_count end
  from studies, unnest(modalities || modality) m where deleted_at is null;

create index study_modalities_date on study_modalities (tenant_id, modality, study_date desc, study_id desc)
  include (status, is_main);
create index study_modalities_series on study_modalities (tenant_id, series_count, study_date, study_id)
  include (status) where is_main;

-- A new series counts and names its modality in the same statement.
drop trigger keep_modalities on studies;
create trigger keep_modalities
  after insert or update of modality, modalities, study_date, status, deleted_at on studies
  for each row execute function keep_study_modalities();

-- The description as lists show it (C18).
create index studies_description on studies (tenant_id, coalesce(nullif(description, ''), study_description), id)
  where deleted_at is null;
-- Nearly all are routine, as all are that arrive; those are found by their date.
create index studies_priority on studies (tenant_id, priority, study_date, id) include (status)
  where deleted_at is null and priority <> 'ROUTINE';
-- Lists by accession number tell equals apart by their id. What is numbered or arrives in order changes its status in
-- order, too: to skip all that have another status, the index alone must tell.
drop index studies_accession;
create index studies_accession on studies (tenant_id, accession_number, id) include (status) where deleted_at is null;
drop index studies_created;
create index studies_created on studies (tenant_id, created_at desc, id desc) include (status) where deleted_at is null;
-- An open study is found by its status.
drop index studies_open;
