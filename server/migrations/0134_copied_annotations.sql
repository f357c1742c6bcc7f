-- New UIDs of the series and images of a move, by their first UIDs; null for moves of earlier versions.
alter table series_moves add column uids jsonb;

-- Measurements and key images of moved images, with their copies on the copied images. The originals stay with the
-- originals of the images, and are hidden and shown with them (docs/decisions/0081).
create table copied_annotations (
  tenant_id int not null default current_tenant(),
  move_id uuid not null,
  original_id uuid not null,
  copy_id uuid not null,
  -- Revision of the copy when both were equal.
  revision int not null,
  primary key (tenant_id, move_id, copy_id),
  foreign key (tenant_id, move_id) references series_moves (tenant_id, id) on delete cascade
);
-- The list of lesions asks for both.
create index copied_annotations_original on copied_annotations (tenant_id, original_id);
create index copied_annotations_copy on copied_annotations (tenant_id, copy_id);
select confine('copied_annotations');
select limit_by('copied_annotations', 'series_moves', 'move_id');

-- Links measurements to the lesions of their counterparts: the copies of a move, or the originals after its undo. Runs with
-- the rights of the owner, because the caller may not see the study in which a lesion was first followed.
create function link_copied_lesions(move uuid, is_undo boolean) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  insert into lesion_measurements (tenant_id, measurement_id, lesion_id)
  select a.tenant_id, m.id, l.lesion_id
  from copied_annotations a
    join lesion_measurements l on l.tenant_id = a.tenant_id
      and l.measurement_id = case when is_undo then a.copy_id else a.original_id end
    join measurements m on m.tenant_id = a.tenant_id
      and m.id = case when is_undo then a.original_id else a.copy_id end
  where a.tenant_id = current_tenant() and a.move_id = move
  on conflict do nothing
$$;
revoke execute on function link_copied_lesions from public;
grant execute on function link_copied_lesions to radwork_app;
