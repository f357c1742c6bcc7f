-- A name is looked for as it stands in the entries: whoever visits from elsewhere may be called like somebody here.
create index audit_entries_username on audit_entries (tenant_id, username, created_at desc, id desc);
