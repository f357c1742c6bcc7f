-- Who may sign in, as what, and the sessions they hold.
create table users (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  username text not null check (length(username) between 3 and 64),
  name text not null,
  email text not null,
  user_type text not null check (user_type in ('SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN', 'PATIENT')),
  password_hash text not null,
  is_active boolean not null default true,
  specialization text not null default '',
  department text not null default '',
  created_at timestamptz not null default now(),
  last_login_at timestamptz,
  primary key (tenant_id, id)
);
create unique index users_username on users (tenant_id, lower(username));
select confine('users');

create table roles (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  name text not null,
  permissions text[] not null,
  -- A built-in role belongs to a user type and cannot be changed, only cloned.
  built_in_for text,
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
select confine('roles');

create table user_roles (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  role_id uuid not null,
  primary key (tenant_id, user_id, role_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id)
);
select confine('user_roles');

-- Only the SHA-256 of a session's token is kept: a stolen copy of this table opens nothing.
create table sessions (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  token_hash bytea not null unique,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  address text not null,
  user_agent text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index sessions_user on sessions (tenant_id, user_id) where revoked_at is null;
select confine('sessions');

-- Wrong passwords, by account and address. It belongs to no tenant: an attacker tries names that do not exist.
create table login_failures (
  account bytea not null,
  address text not null,
  failed_at timestamptz not null default now()
);
create index login_failures_account on login_failures (account, address, failed_at);
create index login_failures_address on login_failures (address, failed_at);
grant select, insert, delete on login_failures to radwork_app;

-- The three questions that are asked before a tenant is known. Each answers one thing and nothing else.

create function find_login(asked_subdomain text, asked_username text)
returns table (tenant_id int, user_id uuid, password_hash text)
language sql stable security definer set search_path = pg_catalog, public as $$
  select u.tenant_id, u.id, u.password_hash
  from users u join tenants t on t.id = u.tenant_id
  where lower(u.username) = lower(asked_username)
    and u.is_active and t.suspended_at is null
    and (asked_subdomain is null or t.subdomain = asked_subdomain)
$$;

create function find_session(asked_token_hash bytea, idle interval)
returns table (
  id uuid, tenant_id int, user_id uuid, username text, name text, email text, user_type text,
  tenant_name text, subdomain text, time_zone text, last_seen_at timestamptz, expires_at timestamptz, roles json
)
language sql stable security definer set search_path = pg_catalog, public as $$
  select s.id, s.tenant_id, u.id, u.username, u.name, u.email, u.user_type,
         t.name, t.subdomain, t.time_zone, s.last_seen_at, s.expires_at,
         coalesce((
           select json_agg(json_build_object('name', r.name, 'permissions', r.permissions) order by r.name)
           from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
           where ur.tenant_id = u.tenant_id and ur.user_id = u.id), '[]'::json)
  from sessions s
  join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
  join tenants t on t.id = s.tenant_id
  where s.token_hash = asked_token_hash
    and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - idle
    and u.is_active and t.suspended_at is null
$$;

create function find_tenant(asked_subdomain text)
returns table (id int, name text, subdomain text, time_zone text)
language sql stable security definer set search_path = pg_catalog, public as $$
  select id, name, subdomain, time_zone from tenants where subdomain = asked_subdomain and suspended_at is null
$$;

revoke execute on function find_login, find_session, find_tenant from public;
grant execute on function find_login, find_session, find_tenant to radwork_app;

-- Servers keep sessions in memory for a moment; this tells all of them, at commit, that one has changed.
create function session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_changed', '');
  return null;
end $$;
create trigger sessions_changed after update of revoked_at, expires_at on sessions
  for each statement execute function session_changed();
create trigger users_changed after update of is_active, user_type, password_hash on users
  for each statement execute function session_changed();
create trigger roles_changed after update or delete on roles for each statement execute function session_changed();
create trigger user_roles_changed after insert or update or delete on user_roles
  for each statement execute function session_changed();
create trigger tenants_changed after update on tenants for each statement execute function session_changed();
