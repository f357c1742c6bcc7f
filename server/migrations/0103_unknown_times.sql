-- False when the files have a StudyDate but no StudyTime that can be read: `study_date` is then the start of that day,
-- and only its day is shown. Likewise for the start of the performed procedure step of a series.
drop view study_search;
alter table studies add column is_study_time_known boolean not null default true;
alter table series add column is_performed_time_known boolean not null default true;
-- Earlier versions stored midnight for an unknown time. Which of these times are real is in the files only.
update studies set is_study_time_known = false where study_date::time = '00:00';
update series set is_performed_time_known = false where performed_at::time = '00:00';
create view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on study_search to radwork_app;
