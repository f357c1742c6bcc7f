-- The archives that studies are searched in and imported from: those of the tenant, which administrators configure,
-- and those that somebody has typed for themselves, which are forgotten after a day without use.
create table remote_configurations (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  revision int not null default 1,
  ae_title text not null,
  protocol text not null check (protocol in ('DICOMWEB', 'FHIR', 'DIMSE')),
  base_url text not null,
  resources_uri text not null default '',
  qido_endpoint text not null default '',
  wado_endpoint text not null default '',
  auth_type text not null check (auth_type in ('NONE', 'BASIC', 'BEARER', 'API')),
  username text not null default '',
  -- Sealed by the vault, each for its own column of its own row.
  password text,
  token text,
  api_key text,
  api_secret text,
  -- Whose typed archive it is; null for those of the tenant. A visiting super administrator is no user of this tenant.
  owner_id uuid,
  used_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index remote_configurations_address on remote_configurations (tenant_id, ae_title, base_url)
  where owner_id is null;
create index remote_configurations_typed on remote_configurations (tenant_id, used_at) where owner_id is not null;
select confine('remote_configurations');

-- Forgets typed archives of all tenants, and the passwords with them. Nobody of a tenant has to be there for it.
create function forget_connections(hours int) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  delete from remote_configurations c
  where c.owner_id is not null and c.used_at < now() - make_interval(hours => forget_connections.hours)
    and not exists (
      select from import_jobs j
      where j.tenant_id = c.tenant_id and j.remote_config_id = c.id and j.state in ('QUEUED', 'RUNNING'));
end $$;
revoke execute on function forget_connections from public;
grant execute on function forget_connections to radwork_app;
