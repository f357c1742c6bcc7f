-- The administrator who last chose the rights that groups of the provider give. Who gains the right to sign by that choice is
-- held, as if that person had given it by hand. Null where nobody chose since this migration: such rights put no hold.
alter table single_sign_on
  add column rights_set_by uuid,
  add column rights_set_by_name text not null default '',
  add column rights_set_at timestamptz;
