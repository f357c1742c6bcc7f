-- What reports are begun from: an organisation's templates with all their versions, the templates of the whole
-- installation, and macros.
create table templates (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  name text not null check (length(name) between 1 and 120),
  description text not null default '',
  modality text not null,
  body_part text not null default '',
  is_active boolean not null default true,
  content text not null default '',
  sections jsonb not null default '[]',
  normal_findings jsonb not null default '[]',
  -- Name, description and names of sections in lower case: what people search.
  searched text not null default '',
  -- Whoever changes a template says which one they saw.
  version int not null default 1,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  -- One that was ever put into a report is not deleted any more.
  use_count int not null default 0,
  last_used_at timestamptz,
  -- The global template that it is a copy of. It may be gone by now.
  copied_from uuid,
  primary key (tenant_id, id)
);
create unique index templates_name on templates (tenant_id, modality, lower(name));
select confine('templates');

create table template_versions (
  tenant_id int not null default current_tenant(),
  template_id uuid not null,
  version int not null,
  -- The whole text, as the contract names its fields (templateText).
  body jsonb not null,
  saved_by text not null,
  saved_by_id uuid,
  saved_at timestamptz not null default now(),
  primary key (tenant_id, template_id, version),
  foreign key (tenant_id, template_id) references templates (tenant_id, id) on delete cascade
);
select confine('template_versions');
revoke update, delete on template_versions from radwork_app;

-- An owner has private macros; what nobody owns is shared. Somebody who visits the tenant is no user of it.
create table macros (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  owner_id uuid,
  abbreviation text not null check (length(abbreviation) between 2 and 24),
  name text not null,
  text text not null check (length(text) between 1 and 5000),
  revision int not null default 1,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create unique index macros_abbreviation on macros
  (tenant_id, coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), lower(abbreviation));
select confine('macros');

-- The templates of the whole installation, in no tenant. Nobody who serves reads or writes the table itself: everybody
-- reads it through one function, and another writes it for a super administrator and for nobody else.
create table global_templates (
  id uuid primary key,
  body jsonb not null,
  version int not null default 1,
  updated_by text not null,
  updated_at timestamptz not null default now()
);
alter table global_templates enable row level security;

create function read_global_templates() returns setof global_templates
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select * from global_templates order by lower(body ->> 'name'), id
$$;

-- Writes one on the version that its writer saw, 0 for a new one; without a body it is deleted. Answers whether it was.
create function write_global_template(asked uuid, seen int, written jsonb, writer uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  writer_name text;
begin
  select u.name into writer_name from users u
    where u.id = writer and u.user_type = 'SUPER_ADMIN' and u.is_active;
  if not found then
    raise exception 'only a super administrator changes global templates' using errcode = '42501';
  end if;
  if written is null then
    delete from global_templates where id = asked;
  elsif seen = 0 then
    insert into global_templates (id, body, updated_by) values (asked, written, writer_name);
  else
    update global_templates
      set body = written, version = version + 1, updated_by = writer_name, updated_at = now()
      where id = asked and version = seen;
  end if;
  return found;
end $$;

revoke execute on function read_global_templates() from public;
revoke execute on function write_global_template(uuid, int, jsonb, uuid) from public;
grant execute on function read_global_templates() to radwork_app;
grant execute on function write_global_template(uuid, int, jsonb, uuid) to radwork_app;
