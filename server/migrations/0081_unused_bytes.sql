-- Bytes in the store that no row refers to, and since when the upkeep has known it: they go a week after that. How old they
-- are says nothing. To a database that was restored from long before, or in part, images of years are without a row.
create table unused_bytes (
  tenant_id int not null default current_tenant() references tenants (id),
  sha256 bytea not null,
  found_at timestamptz not null default now(),
  -- What is not found again at the next look is in use, or gone.
  seen_at timestamptz not null default now(),
  primary key (tenant_id, sha256)
);
select confine('unused_bytes');
