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
