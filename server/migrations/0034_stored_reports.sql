-- What a report that has left Radwork says of its patient, so that it is known when that is not true any more.

-- All that a report on paper says of a patient, as one value: it changes when a record is corrected, and when a study is
-- filed under another one.
create function patient_naming(p patients) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    p.id, p.patient_name, p.patient_id, p.issuer, p.date_of_birth, p.gender)::text, 'UTF8')), 'hex')
$$;

-- Whom the report named that was sent last. Of earlier ones it is known that their study was not filed elsewhere since.
alter table report_deliveries add column sent_naming text not null default '';
update report_deliveries d set sent_naming = patient_naming(p)
  from reports r
  join studies s on s.tenant_id = r.tenant_id and s.id = r.study_id
  join patients p on p.tenant_id = s.tenant_id and p.id = s.patient_id
  where r.tenant_id = d.tenant_id and r.id = d.report_id and d.sent_at is not null
    and not exists (
      select from patient_merges m
      where m.tenant_id = d.tenant_id and s.id = any(m.study_ids) and (m.made_at > d.sent_at or m.undone_at > d.sent_at));

-- Each DICOM object that was made of a signed report for its study: only these are ever taken out of it again. A row is
-- there before the object is, so that none is forgotten whenever a server stops.
create table report_objects (
  tenant_id int not null default current_tenant(),
  sop_instance_uid text not null,
  report_id uuid not null,
  -- Whom it names: the record, and all that it says of it.
  patient_id uuid not null,
  naming text not null,
  -- Since when the archive has it for certain.
  stored_at timestamptz,
  -- Since when it must not be in its study any more, and the study in the recycle bin that it was moved to.
  taken_out_at timestamptz,
  bin_study_id uuid,
  primary key (tenant_id, sop_instance_uid),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade
);
create index report_objects_report on report_objects (tenant_id, report_id);
create index report_objects_bin on report_objects (tenant_id, bin_study_id) where bin_study_id is not null;
select confine('report_objects');
revoke delete on report_objects from radwork_app;

-- Objects that were stored before, with those that an addendum was stored after: all stand in one series.
insert into report_objects (tenant_id, sop_instance_uid, report_id, patient_id, naming, stored_at)
  select distinct i.tenant_id, i.sop_instance_uid, d.report_id, s.patient_id, d.sent_naming, i.created_at
  from report_deliveries d
  cross join jsonb_array_elements(d.resources) made
  join instances latest on latest.tenant_id = d.tenant_id and latest.sop_instance_uid = made ->> 'id'
  join instances i on i.tenant_id = d.tenant_id and i.series_id = latest.series_id
    and i.sop_class_uid = '1.2.840.10008.5.1.4.1.1.104.1'
  join reports r on r.tenant_id = d.tenant_id and r.id = d.report_id and r.study_id = i.study_id
  join studies s on s.tenant_id = i.tenant_id and s.id = i.study_id
  where d.kind = 'STUDY'
  on conflict do nothing;
