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
  -- Lesion of the copy when the move ended; null without one, and for what users drew on the copies.
  lesion_id uuid,
  primary key (tenant_id, move_id, copy_id),
  foreign key (tenant_id, move_id) references series_moves (tenant_id, id) on delete cascade
);
-- The list of lesions asks for both.
create index copied_annotations_original on copied_annotations (tenant_id, original_id);
create index copied_annotations_copy on copied_annotations (tenant_id, copy_id);
select confine('copied_annotations');
select limit_by('copied_annotations', 'series_moves', 'move_id');

-- Links the copied measurements of a move to the lesions of the originals, and splits lesions between two patients. With
-- `is_undo`, brings back only the links that users changed on the copies, and removes those of the copies, with lesions
-- that have nothing else. Runs with the rights of the owner, because the caller may not see all studies of a lesion.
create function link_copied_lesions(series_move uuid, is_undo boolean) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  moved series_moves;
  touched uuid[];
begin
  select * into moved from series_moves where tenant_id = current_tenant() and id = series_move;
  if not is_undo then
    insert into lesion_measurements (tenant_id, measurement_id, lesion_id)
      select a.tenant_id, m.id, l.lesion_id
      from copied_annotations a
        join lesion_measurements l on l.tenant_id = a.tenant_id and l.measurement_id = a.original_id
        join measurements m on m.tenant_id = a.tenant_id and m.id = a.copy_id
      where a.tenant_id = current_tenant() and a.move_id = series_move
      on conflict do nothing;
    perform split_lesions(array[moved.from_study_id, moved.to_study_id]);
    update copied_annotations a set lesion_id = l.lesion_id
      from lesion_measurements l
      where a.tenant_id = current_tenant() and a.move_id = series_move
        and l.tenant_id = a.tenant_id and l.measurement_id = a.copy_id;
    return;
  end if;
  delete from lesion_measurements o
    using copied_annotations a
    where a.tenant_id = current_tenant() and a.move_id = series_move and a.lesion_id is not null
      and o.tenant_id = a.tenant_id and o.measurement_id = a.original_id
      and not exists (select from lesion_measurements l where l.tenant_id = a.tenant_id and l.measurement_id = a.copy_id);
  insert into lesion_measurements (tenant_id, measurement_id, lesion_id)
    select a.tenant_id, m.id, l.lesion_id
    from copied_annotations a
      join lesion_measurements l on l.tenant_id = a.tenant_id and l.measurement_id = a.copy_id
      join measurements m on m.tenant_id = a.tenant_id and m.id = a.original_id
    where a.tenant_id = current_tenant() and a.move_id = series_move and l.lesion_id is distinct from a.lesion_id
    on conflict (tenant_id, measurement_id) do update set lesion_id = excluded.lesion_id;
  -- Also those of copies that users deleted.
  with removed as (
    delete from lesion_measurements l using measurements m
      where m.tenant_id = current_tenant() and m.study_id = moved.to_study_id
        and exists (select from jsonb_each_text(moved.uids) u where u.value = m.series_instance_uid)
        and l.tenant_id = m.tenant_id and l.measurement_id = m.id
      returning l.lesion_id)
  select array_agg(lesion_id) into touched from (
    select lesion_id from removed
    union
    select lesion_id from copied_annotations where tenant_id = current_tenant() and move_id = series_move) known;
  perform split_lesions(array[moved.from_study_id, moved.to_study_id]);
  -- Those of the patient of the originals stay, unless they were first followed on the copies.
  delete from lesions l
    using studies home, studies source
    where l.tenant_id = current_tenant() and l.id = any (touched)
      and home.tenant_id = l.tenant_id and home.id = l.study_id
      and source.tenant_id = l.tenant_id and source.id = moved.from_study_id
      and (home.id = moved.to_study_id or home.patient_id <> source.patient_id)
      and not exists (select from lesion_measurements m where m.tenant_id = l.tenant_id and m.lesion_id = l.id)
      and not exists (select from lesion_assessments s where s.tenant_id = l.tenant_id and s.lesion_id = l.id);
end $$;
revoke execute on function link_copied_lesions from public;
grant execute on function link_copied_lesions to radwork_app;
