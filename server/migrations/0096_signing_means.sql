-- Academic titles and the like ("MD, FACR"). Each signature keeps those that it was made under.
alter table users add column credentials text not null default '' check (char_length(credentials) <= 60);
alter table reports add column signer_credentials text not null default '';
alter table report_addenda add column signer_credentials text not null default '';

drop trigger users_revised on users;
create trigger users_revised
  before update of username, name, email, user_type, is_active, specialization, department, credentials
  on users for each row execute function user_revised();

-- The proof that the organisation asks for at a signature. RECENT_SIGN_IN counts for some minutes; the others are asked
-- for at each signature.
alter table tenants add column signing_proof text not null default 'RECENT_SIGN_IN'
  check (signing_proof in ('RECENT_SIGN_IN', 'PASSWORD', 'PIN', 'CODE'));
grant update (signing_proof) on tenants to radwork_app;

-- A person's own signature, sealed. It is used only after its owner has shown who they are.
create table saved_signatures (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  sealed_picture text not null,
  saved_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('saved_signatures');

-- The hash of a signing PIN is sealed: six digits would be found in hours from a stolen copy of their hash.
create table signing_pins (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  sealed_hash text not null,
  saved_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('signing_pins');

-- When the owner of a session last signed in again at the provider, and which of these moments a signature has used.
alter table sessions
  add column provider_shown_at timestamptz,
  add column provider_used_at timestamptz;
