-- Users who are limited to groups see few studies of a large tenant. So the index alone tells to whom a study belongs.
drop index studies_date;
create index studies_date on studies (tenant_id, study_date desc, id desc)
  include (status, modality, active_assignments, due_at, group_ids) where deleted_at is null;

-- A text finds fewer studies than a large group has. The concatenation keeps the planner from listing those of the group.
create or replace view limited.study_search as
  select * from studies
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int
    and (group_ids || '{}'::uuid[]) && study_limit();

-- Both views have the same columns.
create or replace view study_search as
  select * from studies
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int
    and coalesce(current_setting('app.study_groups', true), '') = '';
