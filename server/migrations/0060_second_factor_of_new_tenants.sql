-- Administrators decide who signs in with a second factor; in a new tenant those do who can change something in it.
grant update (second_factor_policy) on tenants to radwork_app;

create or replace function found_tenant(
  asked_session uuid, new_name text, new_subdomain text, new_time_zone text, new_locale text, new_quota bigint)
returns uuid
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  made uuid;
begin
  perform home_of_super_admin(asked_session);
  insert into tenants (
      id, name, subdomain, time_zone, locale, storage_quota_bytes, is_review_required, second_factor_policy)
    overriding system value
    values (current_tenant(), new_name, new_subdomain, new_time_zone, new_locale, new_quota, false, 'ADMINISTRATORS')
    returning public_id into made;
  return made;
end $$;

create or replace function found_first_tenant(
  asked_token_hash bytea, new_name text, new_subdomain text, new_time_zone text)
returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(82749, 1);
  if not is_setup_open(asked_token_hash) then
    return false;
  end if;
  update installation set setup_token_hash = null, setup_expires_at = null;
  insert into tenants (id, name, subdomain, time_zone, is_review_required, second_factor_policy)
    overriding system value
    values (current_tenant(), new_name, new_subdomain, new_time_zone, false, 'ADMINISTRATORS');
  return true;
end $$;
