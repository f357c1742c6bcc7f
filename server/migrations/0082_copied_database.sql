-- Which database an installation was started on. A copy (pg_dump, a template) brings the installation's id along, and by it the
-- right to the same store: whatever the other database has taken in since would be without a row in it, and removed.
alter table installation add column database_identity text;

-- The number of the cluster, and of the database in it. Null where the service that runs it does not tell.
create function database_identity() returns text
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select system_identifier from pg_control_system()) || '/' ||
         (select oid from pg_database where datname = current_database());
exception when insufficient_privilege or undefined_function then
  return null;
end
$$;

create function is_copied_database() returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce((select i.database_identity <> database_identity() from installation i), false)
$$;
revoke execute on function is_copied_database from public;
grant execute on function is_copied_database to radwork_app;
