-- Servers remember with who may see a study also whose it is, and a study that was filed under another patient was written
-- down for ten seconds as looked at for the former one.
drop trigger studies_deleted on studies;
create trigger studies_deleted_or_moved after update of deleted_at, patient_id on studies
  for each statement execute function sight_of_studies_changed();
