-- One's own account: a second factor, its recovery codes, what the tenant asks for; and mail that waits to be sent.

-- Who needs a second factor beside the password. An organisation that is there already decides for itself.
alter table tenants add column second_factor_policy text not null default 'OPTIONAL'
  check (second_factor_policy in ('OPTIONAL', 'ADMINISTRATORS', 'EVERYBODY'));

-- What one types into one's own account and what an administrator types into it may meet.
alter table users add column if not exists revision int not null default 1;

-- Whoever comes by the organisation's own sign-in has shown there who they are, and with as many factors as it asks for.
alter table sessions add column is_single_sign_on boolean not null default false;

create table second_factors (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  -- Sealed by the vault.
  sealed_key text not null,
  -- Until a first code has shown that the app has the key, it counts for nothing.
  confirmed_at timestamptz,
  -- The time step of the last code that was taken: neither that code nor an earlier one opens anything again.
  last_step bigint not null default 0,
  wrong_codes int not null default 0,
  locked_until timestamptz,
  recovery_salt bytea not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('second_factors');

create table recovery_codes (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  -- Argon2id with the factor's salt.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (tenant_id, user_id, code_hash),
  foreign key (tenant_id, user_id) references second_factors (tenant_id, user_id) on delete cascade
);
select confine('recovery_codes');

-- Mail on its way. It may hold a link that opens an account, so that it is sealed; sent or out of date, it is gone.
create table mails (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  sealed text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
select confine('mails');

-- SET: a code is asked for at sign-in. NEEDED: the organisation wants one and there is none yet. NONE: neither.
create function second_factor_of(asked_tenant int, asked_user uuid) returns text
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select case
    when exists (
      select from second_factors f
      where f.tenant_id = u.tenant_id and f.user_id = u.id and f.confirmed_at is not null) then 'SET'
    when t.second_factor_policy = 'EVERYBODY'
      or t.second_factor_policy = 'ADMINISTRATORS' and u.user_type in ('SUPER_ADMIN', 'ADMIN') then 'NEEDED'
    else 'NONE' end
  from users u join tenants t on t.id = u.tenant_id
  where u.tenant_id = asked_tenant and u.id = asked_user
$$;

drop function find_login;
create function find_login(asked_subdomain text, asked_username text)
returns table (tenant_id int, user_id uuid, password_hash text, second_factor text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select u.tenant_id, u.id, u.password_hash, second_factor_of(u.tenant_id, u.id)
  from users u join tenants t on t.id = u.tenant_id
  where lower(u.username) = lower(asked_username)
    and u.is_active and t.suspended_at is null
    and (asked_subdomain is null or t.subdomain = asked_subdomain)
$$;

drop function find_session;
create function find_session(asked_token_hash bytea, idle interval)
returns table (
  id uuid, tenant_id int, user_id uuid, username text, name text, email text, user_type text,
  tenant_name text, subdomain text, time_zone text, last_seen_at timestamptz, expires_at timestamptz, roles json,
  second_factor text
)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.id, s.tenant_id, u.id, u.username, u.name, u.email, u.user_type,
         t.name, t.subdomain, t.time_zone, s.last_seen_at, s.expires_at,
         coalesce((
           select json_agg(json_build_object('name', r.name, 'permissions', r.permissions) order by r.name)
           from user_roles ur join roles r on r.tenant_id = ur.tenant_id and r.id = ur.role_id
           where ur.tenant_id = u.tenant_id and ur.user_id = u.id), '[]'::json),
         case when s.is_single_sign_on then replace(second_factor_of(u.tenant_id, u.id), 'NEEDED', 'NONE')
              else second_factor_of(u.tenant_id, u.id) end
  from sessions s
  join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
  join tenants t on t.id = s.tenant_id
  where s.token_hash = asked_token_hash
    and s.revoked_at is null and s.expires_at > now() and s.last_seen_at > now() - idle
    and u.is_active and t.suspended_at is null
$$;

-- Whose password a link sets: asked before anybody is signed in, by the SHA-256 of what stands in the link.
create function find_password_link(asked_token_hash bytea)
returns table (tenant_id int, id uuid, user_id uuid, purpose text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select l.tenant_id, l.id, l.user_id, l.purpose
  from password_links l
  join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
  join tenants t on t.id = l.tenant_id
  where l.token_hash = asked_token_hash and l.used_at is null and l.expires_at > now()
    and u.is_active and t.suspended_at is null
$$;

revoke execute on function find_login, find_session, find_password_link from public;
grant execute on function find_login, find_session, find_password_link to radwork_app;

-- What a server remembers of somebody follows these, too.
create or replace trigger users_changed after update of is_active, user_type, password_hash, username, name, email on users
  for each statement execute function session_changed();
create trigger second_factors_changed after insert or update of confirmed_at or delete on second_factors
  for each statement execute function session_changed();

-- What concerns one's own account is told to everybody, and cannot be turned off.
alter table notifications drop constraint notifications_type_check;
alter table notifications add constraint notifications_type_check check (
  type in ('ASSIGNMENT', 'STUDY_STATUS', 'REVIEW_REQUEST', 'REVIEW_RESULT', 'CRITICAL_FINDING', 'MENTION', 'IMPORT', 'OVERDUE', 'ACCOUNT'));
