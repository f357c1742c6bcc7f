-- A list of studies by who referred their patients, each physician's newest beside one another.
create index studies_referrer on studies (tenant_id, referring_physician_name, study_date, id)
  where deleted_at is null;

-- In the order of dates follow those whom nobody reads, or until no day: the index alone must tell.
drop index studies_date;
create index studies_date on studies (tenant_id, study_date desc, id desc)
  include (status, modality, active_assignments, due_at) where deleted_at is null;

-- Of a modality with hundreds of thousands of studies few may have a status.
create index study_modalities_status on study_modalities (tenant_id, modality, status, study_date desc, study_id desc);
