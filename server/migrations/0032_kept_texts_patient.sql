-- A kept text says for whom it was begun: its study may be filed under another patient before the writer comes back to it.
alter table report_autosaves
  -- Null where that is not known: the record is gone, or the study was refiled after the text was kept.
  add column patient_id uuid,
  add foreign key (tenant_id, patient_id) references patients (tenant_id, id) on delete set null (patient_id);
create index report_autosaves_patient on report_autosaves (tenant_id, patient_id);

update report_autosaves a set patient_id = s.patient_id
  from studies s
  where s.tenant_id = a.tenant_id and s.id = a.study_id
    and not exists (
      select from patient_merges m
      where m.tenant_id = a.tenant_id and a.study_id = any(m.study_ids)
        and greatest(m.made_at, m.undone_at) > a.saved_at);
