-- Lesions that are followed over several studies of a patient. The patient is that of the studies.
create table lesions (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  -- The study in which the lesion was first followed.
  study_id uuid not null,
  label text not null default '' check (length(label) <= 200),
  organ text not null default '' check (length(organ) <= 60),
  is_node boolean not null default false,
  kind text not null check (kind in ('FOLLOWED', 'TARGET', 'NON_TARGET', 'NEW')),
  revision int not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
create index lesions_study on lesions (tenant_id, study_id);
select confine('lesions');
select limit_by('lesions', 'studies', 'study_id');

create table lesion_measurements (
  tenant_id int not null default current_tenant(),
  measurement_id uuid not null,
  lesion_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, measurement_id),
  foreign key (tenant_id, measurement_id) references measurements (tenant_id, id) on delete cascade,
  foreign key (tenant_id, lesion_id) references lesions (tenant_id, id) on delete cascade
);
create index lesion_measurements_lesion on lesion_measurements (tenant_id, lesion_id);
select confine('lesion_measurements');
select limit_by('lesion_measurements', 'lesions', 'lesion_id');

create table lesion_assessments (
  tenant_id int not null default current_tenant(),
  lesion_id uuid not null,
  study_id uuid not null,
  state text not null check (state in ('ABSENT', 'TOO_SMALL', 'PRESENT', 'PROGRESSED', 'NOT_EVALUATED')),
  assessed_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, lesion_id, study_id),
  foreign key (tenant_id, lesion_id) references lesions (tenant_id, id) on delete cascade,
  foreign key (tenant_id, study_id) references studies (tenant_id, id) on delete cascade
);
create index lesion_assessments_study on lesion_assessments (tenant_id, study_id);
select confine('lesion_assessments');
select limit_by('lesion_assessments', 'studies', 'study_id');

-- Studies in which a lesion was first followed, measured or judged.
create function studies_of_lesion(tenant int, lesion uuid) returns setof uuid language sql stable as $$
  select study_id from lesions where tenant_id = tenant and id = lesion
  union
  select m.study_id from lesion_measurements l
    join measurements m on m.tenant_id = l.tenant_id and m.id = l.measurement_id
    where l.tenant_id = tenant and l.lesion_id = lesion
  union
  select study_id from lesion_assessments where tenant_id = tenant and lesion_id = lesion
$$;
revoke execute on function studies_of_lesion from public;

-- Splits the lesions of these studies that belong to several patients. The lesion stays with the patient of the study in
-- which it was first followed; each other patient gets a copy with his or her measurements and states. Runs with the
-- rights of the owner, because the caller may not see all studies of a lesion.
create function split_lesions(moved uuid[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  part record;
  copied uuid;
begin
  for part in
    with touched as (
      select id from lesions where tenant_id = current_tenant() and study_id = any (moved)
      union
      select l.lesion_id from measurements m
        join lesion_measurements l on l.tenant_id = m.tenant_id and l.measurement_id = m.id
        where m.tenant_id = current_tenant() and m.study_id = any (moved)
      union
      select lesion_id from lesion_assessments where tenant_id = current_tenant() and study_id = any (moved))
    select l.id as lesion_id, s.patient_id, (array_agg(s.id order by s.study_date, s.id))[1] as first_study
    from touched
      join lesions l on l.tenant_id = current_tenant() and l.id = touched.id
      join studies home on home.tenant_id = l.tenant_id and home.id = l.study_id
      cross join lateral studies_of_lesion(l.tenant_id, l.id) place (study_id)
      join studies s on s.tenant_id = l.tenant_id and s.id = place.study_id
    where s.patient_id <> home.patient_id
    group by l.id, s.patient_id
  loop
    copied := gen_random_uuid();
    insert into lesions (tenant_id, id, study_id, label, organ, is_node, kind, created_at)
      select tenant_id, copied, part.first_study, label, organ, is_node, kind, created_at
      from lesions where tenant_id = current_tenant() and id = part.lesion_id;
    update lesion_measurements l set lesion_id = copied
      from measurements m join studies s on s.tenant_id = m.tenant_id and s.id = m.study_id
      where l.tenant_id = current_tenant() and l.lesion_id = part.lesion_id
        and m.tenant_id = l.tenant_id and m.id = l.measurement_id and s.patient_id = part.patient_id;
    update lesion_assessments a set lesion_id = copied
      from studies s
      where a.tenant_id = current_tenant() and a.lesion_id = part.lesion_id
        and s.tenant_id = a.tenant_id and s.id = a.study_id and s.patient_id = part.patient_id;
  end loop;
end $$;
revoke execute on function split_lesions from public;
grant execute on function split_lesions to radwork_app;

-- A lesion outlives the study in which it was first followed, as long as another study shows it.
create function keep_lesions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update lesions l set study_id = next_study.id
  from lesions known cross join lateral (
    select s.id from studies_of_lesion(known.tenant_id, known.id) place (study_id)
      join studies s on s.tenant_id = known.tenant_id and s.id = place.study_id
    where s.id <> old.id order by s.study_date, s.id limit 1) next_study
  where known.tenant_id = old.tenant_id and known.study_id = old.id
    and l.tenant_id = known.tenant_id and l.id = known.id;
  return old;
end $$;
revoke execute on function keep_lesions from public;
grant execute on function keep_lesions to radwork_app;
create trigger keep_lesions before delete on studies for each row execute function keep_lesions();
