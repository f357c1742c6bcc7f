-- Who manages users says which version of one they have changed. People change their own profile elsewhere, and other
-- systems say who somebody is: so the database counts, whoever writes.
alter table users add column if not exists revision int not null default 1;

create function user_revised() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger users_revised before update of username, name, email, user_type, is_active, specialization, department
  on users for each row execute function user_revised();

alter table roles
  add column description text not null default '',
  add column revision int not null default 1,
  add column updated_at timestamptz not null default now();
-- Rights are asked for by a role's name in any case of letters (contract/src/sessions.ts).
create unique index roles_name on roles (tenant_id, lower(name));
-- What a role's holders are counted by.
create index user_roles_role on user_roles (tenant_id, role_id);

-- Whether anything was done by a user or is about them that has to stay: then they are deactivated and not deleted. New
-- tables are asked by themselves. What is deleted with a user is no record of them.
create function user_has_records(asked uuid) returns boolean language plpgsql stable as $$
declare
  place record;
  is_found boolean;
begin
  for place in
    select f.conrelid::regclass as name, a.attname as field
    from pg_constraint f
    join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname <> 'tenant_id'
    where f.contype = 'f' and f.confrelid = 'users'::regclass and f.confdeltype <> 'c'
      and f.conrelid::regclass::text not in ('user_roles', 'notifications', 'unwanted_notifications')
  loop
    execute format('select exists (select from %s where tenant_id = current_tenant() and %I = $1)', place.name, place.field)
      into is_found using asked;
    if is_found then return true; end if;
  end loop;
  return false;
end $$;
