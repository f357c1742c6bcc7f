-- An act of another person that could hand over the signature of an account. Until the account proves itself, or a second
-- administrator confirms it, nothing is signed under its name.
create table signing_holds (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  user_id uuid not null,
  cause text not null check (
    cause in ('INVITED', 'PASSWORD', 'EMAIL', 'SECOND_FACTOR', 'RIGHTS', 'NAME', 'SINGLE_SIGN_ON')),
  -- Null where the server acted. No foreign key: a super administrator may be a user of another tenant.
  placed_by uuid,
  placed_by_name text not null,
  placed_at timestamptz not null default now(),
  -- The address that the account had before anybody else changed it; empty where another person chose it.
  address_before text not null default '',
  lifted_at timestamptz,
  lifted_how text check (lifted_how in ('SECOND_FACTOR', 'MAIL', 'CONFIRMED')),
  lifted_by uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade,
  check ((lifted_at is null) = (lifted_how is null))
);
select confine('signing_holds');
revoke delete on signing_holds from radwork_app;
create index signing_holds_open on signing_holds (tenant_id, user_id, placed_at) where lifted_at is null;

-- Links by which an account proves that it still reads its mail. Each works in the session that asked for it.
create table signing_proofs (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  token_hash bytea not null,
  sent_to text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
);
select confine('signing_proofs');
create index signing_proofs_user on signing_proofs (tenant_id, user_id, created_at);

-- A link that was mailed and used proves the mail box that it went to.
alter table password_links add column sent_to text not null default '';

-- For an organisation with one administrator and no mail. Each signature made under it says so.
alter table tenants add column may_sign_unproven boolean not null default false;

create function set_unproven_signing(asked_session uuid, asked uuid, new_allowed boolean) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform home_of_super_admin(asked_session);
  update tenants t set may_sign_unproven = new_allowed, settings_revision = t.settings_revision + 1
    where t.public_id = asked and t.may_sign_unproven <> new_allowed;
  return found;
end $$;
revoke execute on function set_unproven_signing from public;
grant execute on function set_unproven_signing to radwork_app;

-- The administrator who set the provider. Newcomers from it are held as if that person had invited them.
alter table single_sign_on add column provider_set_by uuid;
alter table single_sign_on add column provider_set_by_name text not null default '';

-- The remark beside a signature, made with it; empty as a rule.
alter table reports add column signing_remark text not null default '';
alter table report_addenda add column signing_remark text not null default '';

-- The name as it was signed under: a later name of the account changes no signature.
alter table reports add column signer_name text;
alter table report_addenda add column signer_name text;
alter table reports disable trigger finalized_is_final;
update reports r set signer_name = u.name from users u
  where u.tenant_id = r.tenant_id and u.id = r.finalized_by and r.status = 'FINALIZED';
alter table reports enable trigger finalized_is_final;
alter table report_addenda disable trigger signed_is_final;
update report_addenda a set signer_name = u.name from users u
  where u.tenant_id = a.tenant_id and u.id = a.finalized_by and a.finalized_at is not null;
alter table report_addenda enable trigger signed_is_final;

-- A link that is unused at the upgrade was shown to the person who made it.
insert into signing_holds (tenant_id, id, user_id, cause, placed_by, placed_by_name, placed_at, address_before)
select l.tenant_id, gen_random_uuid(), l.user_id,
       case l.purpose when 'INVITE' then 'INVITED' else 'PASSWORD' end,
       l.created_by, coalesce(maker.name, 'Another administrator'), l.created_at,
       case l.purpose when 'INVITE' then '' else u.email end
from password_links l
join users u on u.tenant_id = l.tenant_id and u.id = l.user_id
left join users maker on maker.tenant_id = l.tenant_id and maker.id = l.created_by
where l.used_at is null and l.expires_at > now() and l.created_by is not null;
