-- Whose study an order is, as the worklist told scanners. They keep that, and send images that say so also when the record of
-- the patient was corrected before the first of them came: all were refused as of somebody else.
create table worklist_told (
  tenant_id int not null default current_tenant() references tenants (id),
  study_id uuid not null,
  patient_id text not null,
  issuer text not null,
  patient_name text not null,
  primary key (tenant_id, study_id, patient_id, issuer, patient_name),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
select confine('worklist_told');
