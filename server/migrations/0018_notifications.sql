-- What people are told: each row is one notice in the inbox of one user; and what they do not want to be told.
create table notifications (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  user_id uuid not null,
  type text not null check (
    type in ('ASSIGNMENT', 'STUDY_STATUS', 'REVIEW_REQUEST', 'REVIEW_RESULT', 'CRITICAL_FINDING', 'MENTION', 'IMPORT', 'OVERDUE')),
  title text not null,
  message text not null default '',
  -- A page of the application, never an address elsewhere.
  link text check (link ~ '^/([^/]|$)'),
  -- No finer than browsers count: they say up to which notice they have shown the inbox.
  created_at timestamptz(3) not null default clock_timestamp(),
  seen_at timestamptz,
  -- Taken out of the inbox by one act of its user, which can be undone by its id for a moment.
  removal_id uuid,
  removed_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  check ((removal_id is null) = (removed_at is null))
);
create index notifications_inbox on notifications (tenant_id, user_id, created_at desc, id desc)
  where removed_at is null;
-- Every browser asks it for the badge.
create index notifications_unseen on notifications (tenant_id, user_id, created_at desc, id desc)
  where removed_at is null and seen_at is null;
create index notifications_seen on notifications (seen_at) where removed_at is null and seen_at is not null;
create index notifications_removed on notifications (removed_at) where removed_at is not null;
create index notifications_removal on notifications (tenant_id, removal_id) where removal_id is not null;
select confine('notifications');

create table unwanted_notifications (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  type text not null check (
    -- Nobody turns critical findings off.
    type in ('ASSIGNMENT', 'STUDY_STATUS', 'REVIEW_REQUEST', 'REVIEW_RESULT', 'MENTION', 'IMPORT', 'OVERDUE')),
  primary key (tenant_id, user_id, type),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
select confine('unwanted_notifications');

-- Forgets, in all tenants, what was read long ago, and what was removed and can no longer be brought back.
create function forget_notifications(seen_days int, removed_hours int) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from notifications where removed_at is null and seen_at < now() - make_interval(days => seen_days);
  delete from notifications where removed_at < now() - make_interval(hours => removed_hours);
$$;

-- Where somebody has not yet been told that an assignment is overdue; which one, only the tenant's own rows say.
create function tenants_with_overdue_assignments() returns setof int
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select distinct a.tenant_id from study_assignments a join tenants t on t.id = a.tenant_id
  where a.status = 'ACTIVE' and a.overdue_told_at is null and a.due_at < now() and t.suspended_at is null
$$;

revoke execute on function forget_notifications, tenants_with_overdue_assignments from public;
grant execute on function forget_notifications, tenants_with_overdue_assignments to radwork_app;
