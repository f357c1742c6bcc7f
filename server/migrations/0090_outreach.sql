-- Messages that leave the application: mail, web push and webhooks (docs/decisions/0061-outreach.md).

-- Choices of a person by event and channel, where they differ from the usual ones.
create table outreach_choices (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  topic text not null,
  channel text not null check (channel in ('MAIL', 'PUSH')),
  is_wanted boolean not null,
  primary key (tenant_id, user_id, topic, channel),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
select confine('outreach_choices');

-- In these hours, where the tenant is, nothing but critical findings leaves for a person.
create table quiet_hours (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  begins time not null,
  ends time not null check (ends <> begins),
  primary key (tenant_id, user_id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
select confine('quiet_hours');

-- When a message may leave that waits for the end of quiet hours; now, outside of them.
create function after_quiet_hours(begins time, ends time, zone text) returns timestamptz
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select case
    when begins is null then now()
    when begins < ends and (here::time < begins or here::time >= ends) then now()
    when begins > ends and here::time < begins and here::time >= ends then now()
    else (here::date + ends + case when here::time >= ends then interval '1 day' else interval '0' end) at time zone zone
  end
  from (select now() at time zone zone as here) clock
$$;

-- Browsers that take web push for a person. The address lets anybody push there, so it is sealed.
create table push_subscriptions (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  user_id uuid not null,
  endpoint_hash bytea not null,
  sealed text not null,
  label text not null default '',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create unique index push_subscriptions_endpoint on push_subscriptions (tenant_id, endpoint_hash);
create index push_subscriptions_user on push_subscriptions (tenant_id, user_id);
select confine('push_subscriptions');

-- Addresses of a tenant to which events are posted, for text messages and pagers.
create table webhooks (
  tenant_id int not null default current_tenant() references tenants (id),
  id uuid not null,
  name text not null,
  url text not null,
  sealed_secret text not null,
  topics text[] not null,
  is_plain_http boolean not null default false,
  is_active boolean not null default true,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  -- Messages name a webhook that is gone.
  removed_at timestamptz,
  primary key (tenant_id, id)
);
select confine('webhooks');
revoke delete on webhooks from radwork_app;

-- The outbox: a row for each message, with how it went. Address and text are made when it leaves, from what holds then.
create table outbound_messages (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  channel text not null check (channel in ('MAIL', 'PUSH', 'WEBHOOK')),
  topic text not null,
  user_id uuid,
  webhook_id uuid,
  -- Recipients of the event that a webhook is called for.
  people uuid[] not null default '{}',
  finding_id uuid,
  -- A page of the application, never an address elsewhere.
  link text not null check (link ~ '^/([^/]|$)'),
  state text not null default 'QUEUED' check (state in ('QUEUED', 'SENT', 'FAILED', 'CANCELED')),
  attempts int not null default 0,
  -- Why it did not leave so far; empty while nothing is wrong.
  error text not null default '',
  created_at timestamptz not null default clock_timestamp(),
  next_attempt_at timestamptz,
  sent_at timestamptz,
  read_at timestamptz,
  failure_told_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id),
  foreign key (tenant_id, finding_id) references critical_findings (tenant_id, id) on delete cascade,
  check ((channel = 'WEBHOOK') = (webhook_id is not null)),
  check ((channel = 'WEBHOOK') = (user_id is null)),
  check ((state = 'SENT') = (sent_at is not null))
);
create index outbound_messages_finding on outbound_messages (tenant_id, finding_id, created_at);
create index outbound_messages_webhook on outbound_messages (tenant_id, webhook_id, created_at desc);
create index outbound_messages_created on outbound_messages (created_at) where finding_id is null;
select confine('outbound_messages');
revoke delete on outbound_messages from radwork_app;

-- Forgets, in all tenants, messages that are no part of a finding's history.
create function forget_outbound_messages(days int) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  delete from outbound_messages where finding_id is null and created_at < now() - make_interval(days => days)
$$;
revoke execute on function forget_outbound_messages from public;
grant execute on function forget_outbound_messages to radwork_app;

-- The key by which push services know this installation (RFC 8292). Made once; browsers that subscribed are bound to it.
create table push_key (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  sealed text not null
);
alter table push_key enable row level security;
create function push_key_of_installation() returns table (public_key text, sealed text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select public_key, sealed from push_key
$$;
create function keep_push_key(new_public_key text, new_sealed text) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into push_key (public_key, sealed) values (new_public_key, new_sealed) on conflict do nothing
$$;
revoke execute on function push_key_of_installation, keep_push_key from public;
grant execute on function push_key_of_installation, keep_push_key to radwork_app;
