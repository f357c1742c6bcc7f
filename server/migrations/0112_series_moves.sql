-- Series that were moved to another study. The images arrive there as copies with new UIDs, and the originals are rejected
-- (docs/decisions/0081). The stored files of the sender do not change.
create table series_moves (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  from_study_id uuid not null,
  -- Null after the study was purged.
  to_study_id uuid,
  is_new_study boolean not null,
  -- COPYING: copies are being stored, hidden. FAILED: a copy was refused; the copies stay hidden.
  state text not null check (state in ('COPYING', 'FAILED', 'DONE', 'UNDONE')),
  -- Columns of an existing target before the move, for a move that fails or is undone; null for a new study.
  target_before jsonb,
  moved_by_name text not null,
  moved_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, from_study_id) references studies (tenant_id, id) on delete cascade,
  foreign key (tenant_id, to_study_id) references studies (tenant_id, id) on delete set null (to_study_id)
);
create index series_moves_from on series_moves (tenant_id, from_study_id);
create index series_moves_to on series_moves (tenant_id, to_study_id);
select confine('series_moves');
revoke delete on series_moves from radwork_app;

-- The move for which images were rejected. `is_copy`: the copies of a move that has not ended, or was undone.
alter table rejections add column move_id uuid;
alter table rejections add column is_copy boolean not null default false;
