-- Nobody chooses a password for somebody else: who is invited, or has forgotten theirs, gets a link that works once.
-- Until then, and for whoever signs in elsewhere, there is no password at all.
alter table users alter column password_hash drop not null;

create table password_links (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  user_id uuid not null,
  -- Only the SHA-256 of what stands in the link.
  token_hash bytea not null unique,
  purpose text not null check (purpose in ('INVITE', 'RESET')),
  created_by uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
create index password_links_user on password_links (tenant_id, user_id) where used_at is null;
select confine('password_links');
