-- Asked before anybody is signed in: whose sign-in page a name was typed at that nobody there has. That page is of one
-- tenant where the call names it, and where there is no other; else it is nobody's.
create function tenant_of_sign_in(asked_subdomain text) returns int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select t.id from public.tenants t
  where t.suspended_at is null
    and (t.subdomain = asked_subdomain
      or (asked_subdomain is null and not exists (
        select from public.tenants o where o.id <> t.id and o.suspended_at is null)))
$$;
revoke execute on function tenant_of_sign_in from public;
grant execute on function tenant_of_sign_in to radwork_app;
