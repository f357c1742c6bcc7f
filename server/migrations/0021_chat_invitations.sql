-- Referring physicians who were brought into the conversation about a study that they asked for, by being mentioned
-- there. It is their part in the study together with this that lets them in: whom it no longer concerns stays out.
create table chat_invitations (
  tenant_id int not null default current_tenant(),
  study_id uuid not null,
  user_id uuid not null,
  -- Who mentioned them. Somebody who visits the tenant is no user of it.
  invited_by uuid not null,
  invited_at timestamptz not null default now(),
  primary key (tenant_id, study_id, user_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
select confine('chat_invitations');
revoke update, delete on chat_invitations from radwork_app;
