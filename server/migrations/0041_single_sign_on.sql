-- Signing in at the tenant's own provider (OpenID Connect): how it is reached, who of it is whom here, and who came.

-- At most one for each tenant.
create table single_sign_on (
  tenant_id int primary key default current_tenant() references tenants (id),
  revision int not null default 1,
  is_on boolean not null default false,
  label text not null default '',
  issuer text not null default '',
  client_id text not null default '',
  -- Sealed by the vault; none for a public client.
  client_secret text,
  scopes text not null default 'openid profile email',
  username_claim text not null default 'preferred_username',
  name_claim text not null default 'name',
  email_claim text not null default 'email',
  groups_claim text not null default '',
  -- [{ value, userType, roleIds }]; the first that matches decides.
  rules jsonb not null default '[]',
  is_admin_by_claim boolean not null default false,
  fallback_type text check (fallback_type in ('RADIOLOGIST', 'REFERRING_PHYSICIAN')),
  is_enrolling boolean not null default false,
  is_password_allowed boolean not null default true,
  required_acr text not null default '',
  required_amr text not null default '',
  updated_at timestamptz not null default now(),
  check (is_on or is_password_allowed)
);
select confine('single_sign_on');

-- Somebody is known by issuer and subject alone: names and addresses are the provider's to give to somebody else.
create table user_identities (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  -- Who connected the two; empty where the account was made for them as they came.
  linked_by text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, issuer, subject),
  unique (tenant_id, user_id, issuer),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('user_identities');

-- Who came and was not let in because nobody here is them; an administrator may connect them.
create table sso_arrivals (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  issuer text not null,
  subject text not null,
  username text not null,
  name text not null,
  email text not null,
  last_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, issuer, subject)
);
select confine('sso_arrivals');

-- Sign-ins under way. Of state, browser and ticket only the SHA-256 is kept; nonce and code verifier are sealed.
create table sso_attempts (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  state_hash bytea not null unique,
  browser_hash bytea not null,
  secrets text not null,
  -- Of the settings that it was begun with.
  revision int not null,
  redirect_address text not null,
  -- Where to go afterwards; a path of this site.
  path text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  returned_at timestamptz,
  user_id uuid,
  ticket_hash bytea unique,
  ticket_expires_at timestamptz,
  ticket_used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index sso_attempts_age on sso_attempts (tenant_id, created_at);
select confine('sso_attempts');

-- Asked before a tenant is known: what the sign-in page may offer. Without a name, the only tenant that there is.
create function find_sso_offer(asked_subdomain text)
returns table (subdomain text, label text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.subdomain, s.label
  from public.tenants t join public.single_sign_on s on s.tenant_id = t.id
  where s.is_on and t.suspended_at is null
    and (t.subdomain = asked_subdomain
      or (asked_subdomain is null and not exists (
        select from public.tenants o where o.id <> t.id and o.suspended_at is null)))
$$;
revoke execute on function find_sso_offer from public;
grant execute on function find_sso_offer to radwork_app;
