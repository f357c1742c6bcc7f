-- How a tenant reports: what its administrators decide about dictation, drafting, critical findings, links and paper.
alter table tenants
  -- A browser's speech engine may send the voice to its vendor.
  add column is_dictation_allowed boolean not null default true,
  -- NONE hides drafting; RULES is the built-in drafter, which sends nothing anywhere.
  add column ai_provider text not null default 'RULES' check (ai_provider in ('NONE', 'RULES', 'GEMINI', 'OPENAI')),
  add column ai_model text not null default '',
  add column ai_base_url text not null default '',
  -- Sealed by the vault.
  add column ai_key text,
  -- Who agreed, and when, that texts without identifiers leave for that provider.
  add column ai_agreed_by text not null default '',
  add column ai_agreed_at timestamptz,
  -- Until when somebody must have been told of a critical finding (ACR categories 1 to 3).
  add column critical_minutes int not null default 60 check (critical_minutes between 1 and 525600),
  add column urgent_minutes int not null default 1440 check (urgent_minutes between 1 and 525600),
  add column significant_minutes int not null default 10080 check (significant_minutes between 1 and 525600),
  -- Whether a link may be made without a passcode or a date of birth.
  add column is_link_code_required boolean not null default false,
  -- What stands at the head and at the foot of a printed report.
  add column letterhead text not null default '',
  add column letterhead_footer text not null default '',
  -- A PNG or JPEG as a data URL.
  add column letterhead_logo text,
  -- Whether a signed report is also kept in the study, as DICOM with the PDF in it.
  add column is_report_stored_as_dicom boolean not null default false;

create policy reporting_settings on tenants for update to radwork_app
  using (id = nullif(current_setting('app.tenant_id', true), '')::int)
  with check (id = nullif(current_setting('app.tenant_id', true), '')::int);
grant update (
  is_review_required, is_signature_required, link_days, is_dictation_allowed, ai_provider, ai_model, ai_base_url, ai_key,
  ai_agreed_by, ai_agreed_at, critical_minutes, urgent_minutes, significant_minutes, is_link_code_required, letterhead,
  letterhead_footer, letterhead_logo, is_report_stored_as_dicom
) on tenants to radwork_app;
