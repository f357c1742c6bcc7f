-- What people say to one another about a study, and how far each of them has read.
create table chat_messages (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  -- The order of a conversation. Whoever writes to it waits for who wrote before, so none appears between read ones.
  number bigint not null generated always as identity,
  study_id uuid not null,
  -- Who wrote it, by the names of then. Somebody who visits the tenant is no user of it.
  user_id uuid not null,
  username text not null,
  name text not null,
  text text not null check (length(text) between 1 and 4000),
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id)
);
create index chat_messages_study on chat_messages (tenant_id, study_id, number desc);
select confine('chat_messages');
revoke update, delete on chat_messages from radwork_app;

-- Messages that were taken back. What they said stays above, and is shown to nobody.
create table chat_deletions (
  tenant_id int not null default current_tenant(),
  message_id uuid not null,
  study_id uuid not null,
  user_id uuid not null,
  deleted_at timestamptz not null default now(),
  primary key (tenant_id, message_id),
  foreign key (tenant_id, message_id) references chat_messages (tenant_id, id)
);
create index chat_deletions_study on chat_deletions (tenant_id, study_id, deleted_at desc);
select confine('chat_deletions');
revoke update, delete on chat_deletions from radwork_app;

-- The last message of a study that somebody has read.
create table chat_reads (
  tenant_id int not null default current_tenant(),
  user_id uuid not null,
  study_id uuid not null,
  last_number bigint not null,
  read_at timestamptz not null default now(),
  primary key (tenant_id, user_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id)
);
select confine('chat_reads');
