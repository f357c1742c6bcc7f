-- How somebody wants studies of a kind to stand in the viewer. Also somebody who visits the tenant, and is no user of it.
create table kept_layouts (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  kind text not null check (length(kind) between 1 and 60),
  layout text not null check (layout in ('1x1', '1x2', '2x1', '1x3', '2x2', '2x3', '3x2', '3x3')),
  roles text[] not null,
  primary key (tenant_id, user_id, kind)
);
select confine('kept_layouts');
