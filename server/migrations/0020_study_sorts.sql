-- A list of studies by who referred their patients, each physician's newest beside one another.
create index studies_referrer on studies (tenant_id, referring_physician_name, study_date, id)
  where deleted_at is null;
