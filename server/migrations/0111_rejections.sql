-- Rejections of images (IHE RAD TF-2 §4.66, IOCM): by a user, or by a rejection note (a Key Object Selection with a title
-- of PS3.16 CID 7010). Rejected images stay stored (docs/decisions/0081).
create table rejections (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  study_id uuid not null,
  -- Code value of the title, of the coding scheme DCM.
  title text not null check (title in ('113001', '113037', '113038', '113039')),
  -- Code of CID 7011 as the note or the user gives it; empty without one.
  reason_code text not null default '',
  reason_meaning text not null default '',
  comment text not null default '',
  -- SOP Instance UID of the rejection note; null when a user rejected the images.
  note_uid text,
  rejected_by uuid,
  rejected_by_name text not null,
  rejected_at timestamptz not null default now(),
  -- Why the note was not followed. RIGHT: its sender may not reject. LEGAL_HOLD, REPORT: the retention policy expired, but
  -- the study must be kept.
  withheld text check (withheld in ('RIGHT', 'LEGAL_HOLD', 'REPORT')),
  restored_by_name text,
  restored_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
create index rejections_study on rejections (tenant_id, study_id, rejected_at desc);
select confine('rejections');
revoke delete on rejections from radwork_app;

-- The images of a rejection. A note may name images that have not arrived. They are rejected when they arrive.
create table rejected_images (
  tenant_id int not null default current_tenant(),
  rejection_id uuid not null,
  study_id uuid not null,
  series_instance_uid text not null,
  sop_instance_uid text not null,
  -- False when the rejection was withheld, or the image was restored.
  is_standing boolean not null,
  primary key (tenant_id, rejection_id, sop_instance_uid),
  foreign key (tenant_id, rejection_id) references rejections (tenant_id, id) on delete cascade
);
-- An image is rejected once. A second rejection of it has no effect.
create unique index rejected_images_standing on rejected_images (tenant_id, study_id, sop_instance_uid) where is_standing;
select confine('rejected_images');
revoke delete on rejected_images from radwork_app;

-- The rejection that hides the instance; null for an instance that readers see.
alter table instances add column rejection_id uuid;
alter table instances add foreign key (tenant_id, rejection_id) references rejections (tenant_id, id);
-- Restoring finds the instances of its rejection, and so does the foreign key.
create index instances_rejection on instances (tenant_id, rejection_id) where rejection_id is not null;
-- When the instance was restored last; null for an instance that was never rejected.
alter table instances add column shown_at timestamptz;
create index instances_rejected on instances (tenant_id, study_id) where rejection_id is not null;

-- True while all instances of the series are rejected.
alter table series add column is_rejected boolean not null default false;

-- Queries find no rejected rows, unless their transaction asks for them (imaging/archive/rejection/show-rejected.ts). So a
-- query without a condition cannot show them. Foreign keys, backups and functions with owner rights see all rows.
create policy rejected on instances as restrictive to radwork_app
  using (rejection_id is null or current_setting('app.rejected', true) = 'shown')
  with check (rejection_id is null or current_setting('app.rejected', true) = 'shown');
create policy rejected on series as restrictive to radwork_app
  using (not is_rejected or current_setting('app.rejected', true) = 'shown')
  with check (not is_rejected or current_setting('app.rejected', true) = 'shown');
