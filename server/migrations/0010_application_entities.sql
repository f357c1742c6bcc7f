-- The devices that may speak DIMSE with us, and how it is found out which tenant one belongs to.

create table application_entities (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  -- AE titles: the one that the device calls, which is ours, and its own.
  called_ae_title text not null check (length(called_ae_title) between 1 and 16),
  calling_ae_title text not null check (length(calling_ae_title) between 1 and 16),
  -- The only address it may call from; null for any.
  host inet check (masklen(host) = case family(host) when 4 then 32 else 128 end),
  -- Where it listens itself, if it does: what it asks to be sent elsewhere (C-MOVE) goes there.
  port int check (port between 1 and 65535),
  description text not null default '',
  may_store boolean not null default true,
  may_read_worklist boolean not null default false,
  may_query boolean not null default false,
  is_active boolean not null default true,
  last_seen_at timestamptz,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index application_entities_device
  on application_entities (tenant_id, called_ae_title, calling_ae_title, coalesce(host, '0.0.0.0'));
select confine('application_entities');

-- An association must never be of two tenants. So a called title is one tenant's own: whoever has it first. Asked
-- across tenants, behind a lock, since a device that is made at the same moment cannot be seen yet. The error is that
-- of a broken unique index, so that nobody learns which of the two it was.
create function own_called_ae_title() returns trigger
language plpgsql security definer set search_path = pg_catalog, public as $$
begin
  perform pg_advisory_xact_lock(82748, hashtext(new.called_ae_title));
  if exists (select from application_entities a
             where a.called_ae_title = new.called_ae_title and a.tenant_id <> new.tenant_id) then
    raise unique_violation using constraint = 'application_entities_device', table = 'application_entities';
  end if;
  return new;
end $$;
create trigger own_called_ae_title before insert or update of called_ae_title, tenant_id on application_entities
  for each row execute function own_called_ae_title();

-- Before a tenant is known: whose device this is, and what it may do. One that is bound to the address goes before one
-- that may call from anywhere. Without a device, only whether anybody has the called title.
create function find_application_entity(asked_called text, asked_calling text, asked_host inet)
returns table (
  is_called_known boolean, tenant_id int, id uuid, may_store boolean, may_read_worklist boolean, may_query boolean
)
language sql stable security definer set search_path = pg_catalog, public as $$
  with called as (
    select a.* from application_entities a join tenants t on t.id = a.tenant_id
    where a.called_ae_title = asked_called and a.is_active and t.suspended_at is null),
  device as (
    select * from called c
    where c.calling_ae_title = asked_calling and (c.host is null or c.host = asked_host)
    order by c.host is null limit 1)
  select exists (select from called), d.tenant_id, d.id, d.may_store, d.may_read_worklist, d.may_query
  from (values (1)) always left join device d on true
$$;
revoke execute on function own_called_ae_title, find_application_entity from public;
grant execute on function own_called_ae_title, find_application_entity to radwork_app;
