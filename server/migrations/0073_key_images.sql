-- The images of a study that matter, by whom and as they saw them. One that was taken away stays, so that it can be
-- brought back.
create table key_images (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  series_instance_uid text not null,
  sop_instance_uid text not null,
  frame int not null check (frame >= 1),
  note text not null default '',
  look jsonb not null,
  -- Who marked it, by the names of then. Somebody who visits the tenant is no user of it.
  author_id uuid not null,
  author_username text not null,
  author_name text not null,
  revision int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
create index key_images_study on key_images (tenant_id, study_id, created_at) where removed_at is null;
select confine('key_images');
revoke delete on key_images from radwork_app;
