-- New rows since 0020: addenda, templates, macros, findings with time limits, drafted passages, deliveries.
select set_config('app.tenant_id', '1', false);
insert into report_addenda (id, report_id, kind, author_id, content) values
  ('00000000-0000-4000-8000-000000000401', '00000000-0000-4000-8000-000000000170', 'ADDENDUM',
   '00000000-0000-4000-8000-000000000101', '<p>Nachtrag.</p>');
insert into macros (id, abbreviation, name, text, updated_by) values
  ('00000000-0000-4000-8000-000000000402', 'nad', 'No acute disease', 'No acute disease.', 'rosa.lind');
insert into report_autosaves (id, study_id, writer_id, content, has_critical_findings, critical_findings_details) values
  ('00000000-0000-4000-8000-000000000403', '00000000-0000-4000-8000-000000000141', '00000000-0000-4000-8000-000000000101',
   '<p>Not saved yet.</p>', false, '');
insert into ai_passages (id, study_id, kind, provider, prompt_hash, text_hash, created_by) values
  ('00000000-0000-4000-8000-000000000404', '00000000-0000-4000-8000-000000000140', 'IMPRESSION', 'OPENAI', sha256('prompt'),
   sha256('text'), '00000000-0000-4000-8000-000000000101');
insert into critical_communications (id, finding_id, recipient_name, method, was_reached, has_read_back, told_at, told_by) values
  ('00000000-0000-4000-8000-000000000405', '00000000-0000-4000-8000-000000000190', 'Ward 3', 'PHONE', true, true,
   '2026-01-02T11:00:00Z', '00000000-0000-4000-8000-000000000101');
insert into report_deliveries (id, report_id, kind, remote_config_id, destination, state, error, requested_by, requested_by_tenant_id,
                               requested_by_name) values
  ('00000000-0000-4000-8000-000000000406', '00000000-0000-4000-8000-000000000170', 'FHIR',
   '00000000-0000-4000-8000-0000000001b0', 'North', 'FAILED', 'no answer',
   '00000000-0000-4000-8000-000000000101', 1, 'Dr Rosa Lind');
