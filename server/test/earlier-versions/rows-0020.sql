-- New rows since 0012: assignments, merged patients, chat, notifications, reading locks.
select set_config('app.tenant_id', '1', false);
insert into study_assignments (id, study_id, user_id, assigned_by, notes, due_at) values
  ('00000000-0000-4000-8000-000000000301', '00000000-0000-4000-8000-000000000141', '00000000-0000-4000-8000-000000000101',
   '00000000-0000-4000-8000-000000000102', 'Please today', '2026-02-01');
insert into patients (id, patient_id, patient_name, merged_into) values
  ('00000000-0000-4000-8000-000000000302', 'P-1b', 'Oeztuerk^Juergen', '00000000-0000-4000-8000-000000000130');
insert into patient_merges (id, kind, survivor_id, source_id, made_by) values
  ('00000000-0000-4000-8000-000000000303', 'MERGE', '00000000-0000-4000-8000-000000000130',
   '00000000-0000-4000-8000-000000000302', '00000000-0000-4000-8000-000000000102');
insert into chat_messages (id, study_id, user_id, username, name, text) values
  ('00000000-0000-4000-8000-000000000304', '00000000-0000-4000-8000-000000000141', '00000000-0000-4000-8000-000000000101',
   'rosa.lind', 'Dr Rosa Lind', 'Is this the left one?');
insert into notifications (id, user_id, type, title, message) values
  ('00000000-0000-4000-8000-000000000305', '00000000-0000-4000-8000-000000000101', 'MENTION', 'You were named', 'In a chat');
insert into reading_locks (study_id, user_id, username, name) values
  ('00000000-0000-4000-8000-000000000141', '00000000-0000-4000-8000-000000000101', 'rosa.lind', 'Dr Rosa Lind');
