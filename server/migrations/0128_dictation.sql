-- The organization's own server that converts speech to text.
alter table tenants
  -- Base URL before /audio/transcriptions. Empty without such a server.
  add column dictation_url text not null default '',
  add column dictation_model text not null default '',
  -- Sealed by the vault.
  add column dictation_key text,
  -- Whether users may dictate with the recognizer of their browser, which may send the voice to its vendor.
  add column is_browser_dictation_allowed boolean not null default true;
grant update (dictation_url, dictation_model, dictation_key, is_browser_dictation_allowed) on tenants to radwork_app;

-- Words that a recognizer writes wrongly for a reader, and the words that this reader says. Also for a user who visits
-- the tenant and has no account in it.
create table dictation_corrections (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  user_id uuid not null,
  written text not null check (length(written) between 1 and 120),
  said text not null check (length(said) between 1 and 120),
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index dictation_corrections_written on dictation_corrections (tenant_id, user_id, lower(written));
select confine('dictation_corrections');
