-- Who writes the report of a study now: at most one person for a study. A lock counts for two minutes after its holder
-- was last heard of, which is judged when it is read; nothing has to remove it for it to be gone.
create table reading_locks (
  tenant_id int not null default current_tenant(),
  study_id uuid not null,
  user_id uuid not null,
  -- The names of then, so that a list needs no join.
  username text not null,
  name text not null,
  taken_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- From whom it was taken over while they held it, and why.
  taken_from uuid,
  reason text not null default '',
  primary key (tenant_id, study_id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  foreign key (tenant_id, taken_from) references users (tenant_id, id),
  check ((taken_from is null) = (reason = ''))
-- Heartbeats change rows and no index: with room in its page a row is written again in place.
) with (fillfactor = 70);
select confine('reading_locks');
