-- Two clinics with users, studies and reports, as users of this version would have created them.
insert into installation default values;
insert into tenants (name, subdomain, time_zone) values
  ('Aphelion Clinic', 'aphelion', 'Europe/Zurich'), ('Perihelion Clinic', 'perihelion', 'Asia/Tokyo');

select set_config('app.tenant_id', '1', false);
insert into users (id, username, name, email, user_type, password_hash) values
  ('00000000-0000-4000-8000-000000000101', 'rosa.lind', 'Dr Rosa Lind', 'rosa@example.org', 'RADIOLOGIST', 'hash-of-rosa'),
  ('00000000-0000-4000-8000-000000000102', 'admin', 'Ada Admin', 'ada@example.org', 'ADMIN', 'hash-of-ada');
insert into roles (id, name, permissions) values ('00000000-0000-4000-8000-000000000110', 'Night shift', '{study.view}');
insert into user_roles (user_id, role_id) values
  ('00000000-0000-4000-8000-000000000101', '00000000-0000-4000-8000-000000000110');
insert into sessions (id, token_hash, user_id, expires_at, address, user_agent) values
  ('00000000-0000-4000-8000-000000000120', sha256('a token'), '00000000-0000-4000-8000-000000000101',
   '2126-01-01', '192.0.2.7', 'a browser');
insert into patients (id, patient_id, patient_name) values
  ('00000000-0000-4000-8000-000000000130', 'P-1', 'Öztürk^Jürgen=吉田^純=よしだ^じゅん'),
  ('00000000-0000-4000-8000-000000000131', 'P-2', E'Tab\tand\\backslash^Jane');
insert into studies (id, patient_id, study_instance_uid, study_date, patient_name, patient_identifier, modality, modalities,
                     description, status, series_count, instance_count) values
  ('00000000-0000-4000-8000-000000000140', '00000000-0000-4000-8000-000000000130', '1.2.3.1', '2026-01-02T10:00:00',
   'Öztürk^Jürgen=吉田^純=よしだ^じゅん', 'P-1', 'CT', '{CT}', 'Thorax', 'COMPLETED', 1, 1),
  ('00000000-0000-4000-8000-000000000141', '00000000-0000-4000-8000-000000000131', '1.2.3.2', '2026-01-03T10:00:00',
   E'Tab\tand\\backslash^Jane', 'P-2', 'MR', '{MR}', 'Knee', 'IN_PROGRESS', 1, 1);
insert into series (id, study_id, series_instance_uid) values
  ('00000000-0000-4000-8000-000000000150', '00000000-0000-4000-8000-000000000140', '1.2.3.1.1'),
  ('00000000-0000-4000-8000-000000000151', '00000000-0000-4000-8000-000000000141', '1.2.3.2.1');
insert into instances (id, study_id, series_id, sop_instance_uid, sop_class_uid, transfer_syntax_uid, is_renderable, sha256,
                       size, metadata) values
  ('00000000-0000-4000-8000-000000000160', '00000000-0000-4000-8000-000000000140', '00000000-0000-4000-8000-000000000150',
   '1.2.3.1.1.1', '1.2.840.10008.5.1.4.1.1.2', '1.2.840.10008.1.2.1', true, sha256('1.2.3.1.1.1'), 11, ''),
  ('00000000-0000-4000-8000-000000000161', '00000000-0000-4000-8000-000000000141', '00000000-0000-4000-8000-000000000151',
   '1.2.3.2.1.1', '1.2.840.10008.5.1.4.1.1.4', '1.2.840.10008.1.2.1', true, sha256('1.2.3.2.1.1'), 11, '');
insert into study_participants (study_id, user_id, role) values
  ('00000000-0000-4000-8000-000000000140', '00000000-0000-4000-8000-000000000101', 'ASSIGNEE');
insert into reports (id, study_id, author_id, content) values
  ('00000000-0000-4000-8000-000000000170', '00000000-0000-4000-8000-000000000140',
   '00000000-0000-4000-8000-000000000101', '<p>Kein Herd: «unauffällig».</p>'),
  ('00000000-0000-4000-8000-000000000171', '00000000-0000-4000-8000-000000000141',
   '00000000-0000-4000-8000-000000000101', '<p>Draft of the knee.</p>');
insert into report_versions (id, report_id, version, status, action, actor_id, content, content_hash) values
  ('00000000-0000-4000-8000-000000000180', '00000000-0000-4000-8000-000000000170', 1, 'FINALIZED', 'FINALIZED',
   '00000000-0000-4000-8000-000000000101', '<p>Kein Herd: «unauffällig».</p>',
   sha256(convert_to('<p>Kein Herd: «unauffällig».</p>', 'UTF8')));
insert into critical_findings (id, report_id, finding, severity, identified_by) values
  ('00000000-0000-4000-8000-000000000190', '00000000-0000-4000-8000-000000000170', 'Free air', 'URGENT',
   '00000000-0000-4000-8000-000000000101');
update reports set status = 'FINALIZED', finalized_at = now(), finalized_by = author_id,
                   content_hash = sha256(convert_to(content, 'UTF8'))
  where id = '00000000-0000-4000-8000-000000000170';
insert into report_links (id, report_id, nonce, token_hash, created_by, expires_at) values
  ('00000000-0000-4000-8000-0000000001a0', '00000000-0000-4000-8000-000000000170', '\x01', sha256('a link'),
   '00000000-0000-4000-8000-000000000101', '2126-01-01');
insert into remote_configurations (id, ae_title, protocol, base_url, auth_type, username, password) values
  ('00000000-0000-4000-8000-0000000001b0', 'NORTH', 'DICOMWEB', 'https://archive.example.org/dicom-web', 'BASIC', 'us',
   'v1.sealed.password.of-north');
insert into application_entities (id, called_ae_title, calling_ae_title) values
  ('00000000-0000-4000-8000-0000000001c0', 'APHELION', 'CT1');
insert into task_history (id, study_id, type, display_value) values
  ('00000000-0000-4000-8000-0000000001d0', '00000000-0000-4000-8000-000000000140', 'REPORT_STATUS', 'Finalized');
insert into audit_entries (user_id, username, action, entity, entity_id, outcome, detail) values
  ('00000000-0000-4000-8000-000000000101', 'rosa.lind', 'session.login', 'session', '', 'SUCCESS', '{"way": "password"}'),
  ('00000000-0000-4000-8000-000000000101', 'rosa.lind', 'report.finalize', 'report', '00000000-0000-4000-8000-000000000170',
   'SUCCESS', '{}');

select set_config('app.tenant_id', '2', false);
insert into users (id, username, name, email, user_type, password_hash) values
  ('00000000-0000-4000-8000-000000000201', 'rosa.lind', 'Dr Other Rosa', 'other@example.org', 'RADIOLOGIST', 'hash-of-other');
insert into patients (id, patient_id, patient_name) values ('00000000-0000-4000-8000-000000000230', 'P-1', 'Somebody^Else');
insert into audit_entries (user_id, username, action, entity, outcome) values
  ('00000000-0000-4000-8000-000000000201', 'rosa.lind', 'session.login', 'session', 'SUCCESS');
