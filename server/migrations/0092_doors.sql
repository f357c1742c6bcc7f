-- Attempts to sign in count before their password is compared, by the typed name and the network, alike for names that
-- somebody has and for others. `id` takes the count of one back; `sign_in` is the name with its organization, whose
-- right password forgives the wrong ones. Rows from before count two hours at most, and have none.
alter table login_failures add column id bigint generated always as identity primary key;
alter table login_failures add column sign_in bytea;
grant usage on sequence login_failures_id_seq to radwork_app;

-- The audit of a refused sign-in without a known organisation: that of the installation. Without
-- a place to write to, an unknown name would be answered sooner than a known one.
create or replace function tenant_of_sign_in(asked_subdomain text) returns int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(
    (select t.id from public.tenants t where t.subdomain = asked_subdomain and t.suspended_at is null),
    (select min(u.tenant_id) from public.users u join public.tenants t on t.id = u.tenant_id
     where u.user_type = 'SUPER_ADMIN' and t.suspended_at is null),
    (select min(t.id) from public.tenants t where t.suspended_at is null))
$$;

-- A device that searches or reads the worklist receives names. Its AE titles are no secret: it needs an address, a
-- certificate, or the word of an administrator that it may ask from anywhere. Devices from before keep what they could
-- do; the list says so.
alter table application_entities add column may_ask_from_anywhere boolean not null default false;
update application_entities set may_ask_from_anywhere = true where host is null and (may_query or may_read_worklist);

drop function find_application_entity;
create function find_application_entity(asked_called text, asked_calling text, asked_host inet)
returns table (
  is_called_known boolean, tenant_id int, id uuid, may_store boolean, may_read_worklist boolean, may_query boolean,
  is_bound boolean
)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  with called as (
    select a.* from application_entities a join tenants t on t.id = a.tenant_id
    where a.called_ae_title = asked_called and a.is_active and t.suspended_at is null),
  device as (
    select * from called c
    where c.calling_ae_title = asked_calling and (c.host is null or c.host = asked_host)
    order by c.host is null limit 1)
  select exists (select from called), d.tenant_id, d.id, d.may_store, d.may_read_worklist, d.may_query,
         d.host is not null or d.may_ask_from_anywhere
  from (values (1)) always left join device d on true
$$;
revoke execute on function find_application_entity from public;
grant execute on function find_application_entity to radwork_app;
