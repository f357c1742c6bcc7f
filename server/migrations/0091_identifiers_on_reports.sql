-- A second identifier tells patients of one name apart on a report by link. The contact answers questions.
alter table tenants
  add column report_identifier text not null default 'BIRTH_DATE'
    check (report_identifier in ('BIRTH_DATE', 'PATIENT_ID', 'ACCESSION_NUMBER')),
  add column report_contact text not null default '';

grant update (report_identifier, report_contact) on tenants to radwork_app;
