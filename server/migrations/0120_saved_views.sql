-- Saved views of the study list: of a user, or of the organization without an owner. The owner may be a visitor of the
-- tenant, who is no user of it. The kind is a text, so that other owners can follow.
create table saved_views (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  owner_kind text not null check (owner_kind in ('USER', 'ORGANIZATION')),
  owner_id uuid,
  position int not null,
  name text not null check (length(name) between 1 and 60),
  search jsonb not null check (jsonb_typeof(search) = 'object'),
  revision int not null default 1,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check ((owner_kind = 'ORGANIZATION') = (owner_id is null))
);
create index saved_views_owner on saved_views (tenant_id, owner_id, position);
select confine('saved_views');

-- The view with which the study list of a user opens.
create table default_saved_views (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  view_id uuid not null,
  primary key (tenant_id, user_id),
  foreign key (tenant_id, view_id) references saved_views (tenant_id, id) on delete cascade
);
create index default_saved_views_view on default_saved_views (tenant_id, view_id);
select confine('default_saved_views');
