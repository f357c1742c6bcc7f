-- A move of a series is a job that outlives its request and the server (docs/decisions/0098).
alter table series_moves drop constraint series_moves_state_check;
-- COPYING: copies are being stored, hidden. FAILED: a copy was refused, see cause. CANCELED: by a user. In both, the copies
-- stay hidden. The job of a canceled move restores the target, and then empties refiling.
alter table series_moves add constraint series_moves_state_check
  check (state in ('COPYING', 'FAILED', 'CANCELED', 'DONE', 'UNDONE'));
alter table series_moves
  add column series_instance_uid text not null default '',
  -- The patient of the originals when the move began.
  add column from_patient_id uuid,
  -- The patient whom the copies name.
  add column to_patient_id uuid,
  -- The user in whose name the job runs, and the tenant of this user.
  add column moved_by uuid,
  add column moved_by_tenant_id int,
  -- Attributes that the copies get, and whether they lose those of the patient; null after the end.
  add column refiling jsonb,
  add column image_count int not null default 0,
  add column copied_count int not null default 0,
  -- Message for the user if the move failed.
  add column cause text not null default '',
  add column ended_at timestamptz;
-- Moves of earlier versions ran within their request. Those that have not ended were interrupted.
update series_moves set state = 'FAILED' where state = 'COPYING';
