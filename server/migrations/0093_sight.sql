-- A user who sees only some studies may upload a new one of a patient who is not theirs to know. They do not see it, and may
-- still send the rest of it: no other study that they cannot see takes their files.
alter table studies add column uploaded_by uuid;
