-- New rows since 0030: accounts with second factors, a sealed audit, an atlas entry with a file, dashboard totals.
select set_config('app.tenant_id', '1', false);
insert into second_factors (user_id, sealed_key, recovery_salt, confirmed_at) values
  ('00000000-0000-4000-8000-000000000101', 'v1.sealed.key.of-rosa', '\x02', now());
insert into recovery_codes (user_id, code_hash) values ('00000000-0000-4000-8000-000000000101', sha256('a code'));
insert into atlases (id, title, author, updated_by) values
  ('00000000-0000-4000-8000-000000000501', 'Pneumothorax', 'Rosa Lind', 'rosa.lind');
insert into guidelines (id, title, author, content, updated_by) values
  ('00000000-0000-4000-8000-000000000502', 'Nodules', 'Rosa Lind', '<p>Measure twice.</p>', 'rosa.lind');
insert into user_identities (id, issuer, subject, user_id) values
  ('00000000-0000-4000-8000-000000000503', 'https://provider.example.org', 'rosa', '00000000-0000-4000-8000-000000000101');
insert into audit_entries (user_id, username, action, entity, outcome) values
  ('00000000-0000-4000-8000-000000000101', 'rosa.lind', 'session.login', 'session', 'FAILURE');
select seal_audit_of(1, 100);
insert into audit_entries (user_id, username, action, entity, outcome) values
  ('00000000-0000-4000-8000-000000000101', 'rosa.lind', 'session.logout', 'session', 'SUCCESS');
