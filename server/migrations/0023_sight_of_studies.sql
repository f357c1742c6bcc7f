-- Servers remember sessions, and apart from them who may see which study. An assignment changes the second only, and
-- was told like the first: all servers asked for every session of every tenant again.
create function sight_of_studies_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_changed', 'studies');
  return null;
end $$;

drop trigger studies_deleted on studies;
create trigger studies_deleted after update of deleted_at on studies
  for each statement execute function sight_of_studies_changed();
drop trigger study_participants_changed on study_participants;
create trigger study_participants_changed after insert or update or delete on study_participants
  for each statement execute function sight_of_studies_changed();
