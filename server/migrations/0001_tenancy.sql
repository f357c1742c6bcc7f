-- Tenants, and the wall between them.
create extension if not exists pg_trgm;

-- The role that serves requests. It owns nothing and cannot bypass row-level security. Roles belong to the
-- whole server, so another Radwork database on it may have made it already.
do $$
begin
  create role radwork_app nologin nosuperuser nobypassrls nocreatedb nocreaterole;
exception when duplicate_object or unique_violation then null;
end $$;
grant radwork_app to current_user;
grant usage on schema public to radwork_app;

-- Puts a table behind the wall: without app.tenant_id there are no rows, and none of another tenant ever.
-- The expression stands inline and not in a sub-select, which would ruin the planner's row estimates.
create function confine(name text) returns void language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format(
    'create policy tenant on %I to radwork_app
       using (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::int)
       with check (tenant_id = nullif(current_setting(''app.tenant_id'', true), '''')::int)', name);
  execute format('grant select, insert, update, delete on %I to radwork_app', name);
end $$;

create function current_tenant() returns int language sql stable as $$
  select nullif(current_setting('app.tenant_id', true), '')::int
$$;

create table tenants (
  id int primary key generated always as identity,
  name text not null,
  subdomain text not null unique check (subdomain ~ '^[a-z0-9-]{1,63}$'),
  time_zone text not null default 'UTC',
  is_review_required boolean not null default true,
  is_signature_required boolean not null default true,
  link_days int not null default 30 check (link_days between 1 and 3650),
  created_at timestamptz not null default now(),
  suspended_at timestamptz
);
alter table tenants enable row level security;
create policy tenant on tenants for select to radwork_app
  using (id = nullif(current_setting('app.tenant_id', true), '')::int);
grant select on tenants to radwork_app;
