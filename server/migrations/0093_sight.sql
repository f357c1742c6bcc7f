-- A user who sees only some studies may upload a new one of a patient who is not theirs to know. They do not see it, and may
-- still send the rest of it: no other study that they cannot see takes their files.
alter table studies add column uploaded_by uuid;

-- The inbox names the patient to readers who may know the study. The name is never stored with a notice: it is joined when the
-- inbox is read, under the rights of that moment.
alter table notifications add column study_id uuid;
update notifications set study_id = substring(link from '^/studies/([0-9a-f]{8}-[0-9a-f-]{27})(#|$)')::uuid
where link ~ '^/studies/[0-9a-f]{8}-[0-9a-f-]{27}(#|$)';
update notifications n set study_id = r.study_id
from critical_findings f join reports r on r.tenant_id = f.tenant_id and r.id = f.report_id
where f.tenant_id = n.tenant_id and n.link = '/critical-findings?findingId=' || f.id;
