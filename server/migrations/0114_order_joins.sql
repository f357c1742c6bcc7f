-- Joins of images with their order (imaging/archive/index/join-orders.ts), with the values that a separation restores.
-- Separated pairs stay, so that they are not joined again.
create table order_joins (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  -- The order, which the images have joined.
  study_id uuid not null,
  ordered_uid text not null,
  -- StudyInstanceUID of the images.
  study_instance_uid text not null,
  -- Issuer of the Patient ID of the images. It may be the default of their source, which no file contains.
  issuer text not null,
  -- Columns of the order before the join.
  order_before jsonb not null,
  -- Active assignments before the join: [{"id", "due_at"}].
  assignments_before jsonb not null,
  joined_at timestamptz not null default clock_timestamp(),
  separated_at timestamptz,
  separated_by uuid,
  -- The study of the images after the separation. It may have been purged.
  images_study_id uuid,
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  check ((separated_at is null) = (images_study_id is null))
);
create unique index order_joins_current on order_joins (tenant_id, study_id) where separated_at is null;
create index order_joins_study on order_joins (tenant_id, study_id, study_instance_uid);
select confine('order_joins');
revoke delete on order_joins from radwork_app;
