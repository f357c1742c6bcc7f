-- The order of the reading queue and of the study list: priority, due time, waiting since arrival. The list also has the
-- studies in progress, so one index serves both.
drop index studies_reading_queue;
create index studies_reading_queue on studies (
  tenant_id,
  array_position(array['STAT', 'URGENT', 'ROUTINE'], priority),
  coalesce(due_at, 'infinity'),
  created_at,
  id
) include (status, active_assignments) where deleted_at is null and status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS');

-- Studies of a body part and of a device, and the values that exist.
create index series_body_part on series (tenant_id, body_part_examined, study_id) where body_part_examined <> '';
create index studies_device on studies (tenant_id, equipment_name, id) where deleted_at is null and equipment_name <> '';
