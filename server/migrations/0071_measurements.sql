-- What was measured in a study, by whom. One that was taken away stays, so that it can be brought back.
create table measurements (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  tool text not null check (tool in (
    'LENGTH', 'ANGLE', 'COBB_ANGLE', 'BIDIRECTIONAL', 'ELLIPSE', 'RECTANGLE', 'FREEHAND', 'PROBE', 'SPHERE', 'ARROW',
    'TEXT')),
  series_instance_uid text not null,
  sop_instance_uid text,
  frame int check (frame >= 1),
  frame_of_reference_uid text,
  points jsonb not null,
  plane jsonb,
  label text not null default '',
  measured jsonb not null default '[]',
  -- Who drew it, by the names of then. Somebody who visits the tenant is no user of it.
  author_id uuid not null,
  author_username text not null,
  author_name text not null,
  revision int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  check ((sop_instance_uid is null) = (frame is null)),
  check (sop_instance_uid is not null or (plane is not null and frame_of_reference_uid is not null))
);
create index measurements_study on measurements (tenant_id, study_id, created_at) where removed_at is null;
select confine('measurements');
revoke delete on measurements from radwork_app;
