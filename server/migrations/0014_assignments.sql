-- Who is to do what with a study, and until when.
create table study_assignments (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  user_id uuid not null,
  assigned_by uuid not null,
  assigned_at timestamptz not null default now(),
  due_at timestamptz,
  -- An active one whose time has passed is overdue; that is seen when it is read and never stored (C29).
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'COMPLETED', 'CANCELLED')),
  ended_at timestamptz,
  notes text not null default '',
  -- When those concerned were told that it is overdue, which they are once.
  overdue_told_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, assigned_by) references users (tenant_id, id)
);
create unique index study_assignments_active on study_assignments (tenant_id, study_id, user_id) where status = 'ACTIVE';
create index study_assignments_mine on study_assignments (tenant_id, user_id, study_id) where status = 'ACTIVE';
create index study_assignments_due on study_assignments (tenant_id, due_at) where status = 'ACTIVE' and overdue_told_at is null;
select confine('study_assignments');

-- Repeated on the study, so that a list is filtered by them without a join; a trigger keeps them alike.
alter table studies
  add column active_assignments int not null default 0,
  -- When the first of its active assignments is due.
  add column due_at timestamptz;
create index studies_unassigned on studies (tenant_id, study_date desc, id desc)
  where deleted_at is null and active_assignments = 0 and status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS');
create index studies_due on studies (tenant_id, due_at) where deleted_at is null and due_at is not null;

create function count_assignments() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  update studies
    set active_assignments = active.count, due_at = active.due_at
    from (
      select count(*)::int as count, min(due_at) as due_at from study_assignments
      where tenant_id = changed.tenant_id and study_id = changed.study_id and status = 'ACTIVE') active
    where studies.tenant_id = changed.tenant_id and studies.id = changed.study_id;
  return null;
end $$;
create trigger assignments_counted after insert or delete or update of status, due_at on study_assignments
  for each row execute function count_assignments();

-- A view keeps the columns that its table had when it was made.
create or replace view study_search as
  select * from studies where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
