-- The language of an organization, for the messages of calls that ask for none. A session belongs to one tenant, but it
-- is looked up before the tenant is known.
create function locale_of_tenant(asked_tenant int) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select locale from tenants where id = asked_tenant
$$;
revoke execute on function locale_of_tenant from public;
grant execute on function locale_of_tenant to radwork_app;
