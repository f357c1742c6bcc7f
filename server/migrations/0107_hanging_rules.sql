-- Rules that hang studies: of one user, or of the organization without an owner. The owner may be a visitor of the
-- tenant, who is no user of it. '' and null stand for any.
create table hanging_rules (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  owner_id uuid,
  position int not null,
  modality text not null check (length(modality) <= 16),
  body_part text not null check (length(body_part) <= 16),
  monitors int check (monitors between 1 and 3),
  layout text check (layout in ('1x1', '1x2', '2x1', '1x3', '3x1', '2x2', '2x3', '3x2', '2x4', '4x2', '3x3')),
  prior text not null check (prior in ('never', 'space', 'beside', 'below', 'panes')),
  panes jsonb not null check (jsonb_typeof(panes) = 'array'),
  linked_scroll text not null check (linked_scroll in ('usual', 'on', 'off')),
  window_preset text check (length(window_preset) <= 20),
  revision int not null default 1,
  updated_by text not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
create index hanging_rules_owner on hanging_rules (tenant_id, owner_id, position);
select confine('hanging_rules');

-- Whether an image of CT or MR was only acquired to plan others, by value 3 of ImageType. Null where the header does not
-- tell, and for images that an earlier version has stored.
alter table instances add column is_localizer boolean;
