-- Attempts to sign in count before their password is compared, by the typed name and the network, alike for names that
-- somebody has and for others. `id` takes the count of one back; `sign_in` is the name with its organization, whose
-- right password forgives the wrong ones. Rows from before count two hours at most, and have none.
alter table login_failures add column id bigint generated always as identity primary key;
alter table login_failures add column sign_in bytea;
grant usage on sequence login_failures_id_seq to radwork_app;

-- Where a refused sign-in is written down whose organization is not known: at the one that runs the installation. Without
-- a place to write to, an unknown name would be answered sooner than a known one.
create or replace function tenant_of_sign_in(asked_subdomain text) returns int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(
    (select t.id from public.tenants t where t.subdomain = asked_subdomain and t.suspended_at is null),
    (select min(u.tenant_id) from public.users u join public.tenants t on t.id = u.tenant_id
     where u.user_type = 'SUPER_ADMIN' and t.suspended_at is null),
    (select min(t.id) from public.tenants t where t.suspended_at is null))
$$;
