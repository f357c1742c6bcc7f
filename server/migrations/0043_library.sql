-- The atlas and the guidelines of an organisation, and the files that belong to them.

-- As people search: without case and accents.
create function fold_text(text text) returns text language sql immutable parallel safe return
  normalize(regexp_replace(normalize(lower(text), nfd), '[\u0300-\u036f]', '', 'g'), nfc);

create table atlases (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  author text not null,
  modality text not null default '',
  body_part text not null default '',
  summary text not null default '',
  -- Of its files, to be searched.
  file_names text not null default '',
  -- Whoever changes the text says which one they saw.
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_by text not null,
  updated_at timestamptz not null default now(),
  folded_title text not null generated always as (fold_text(title)) stored,
  search_text text not null generated always as (
    fold_text(title || ' ' || author || ' ' || modality || ' ' || body_part || ' ' || summary || ' ' || file_names)
  ) stored,
  primary key (tenant_id, id)
);
create index atlases_newest on atlases (tenant_id, created_at desc, id desc);
create index atlases_search on atlases using gin (search_text gin_trgm_ops);
select confine('atlases');

create table guidelines (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  title text not null check (length(title) between 1 and 200),
  author text not null,
  content text not null check (content <> ''),
  modality text not null default '',
  body_part text not null default '',
  file_names text not null default '',
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_by text not null,
  updated_at timestamptz not null default now(),
  folded_title text not null generated always as (fold_text(title)) stored,
  search_text text not null generated always as (
    fold_text(title || ' ' || author || ' ' || modality || ' ' || body_part || ' ' || content || ' ' || file_names)
  ) stored,
  primary key (tenant_id, id)
);
create index guidelines_newest on guidelines (tenant_id, created_at desc, id desc);
create index guidelines_search on guidelines using gin (search_text gin_trgm_ops);
select confine('guidelines');

-- Text search runs through these views, for the reason that study_search has (0003_archive.sql).
create view atlas_search as
  select * from atlases where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on atlas_search to radwork_app;
create view guideline_search as
  select * from guidelines where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on guideline_search to radwork_app;

-- Files beside texts. Their bytes are in the store of the images, and may be those of an instance, too.
create table stored_files (
  tenant_id int not null default current_tenant(),
  id uuid not null,
  atlas_id uuid,
  guideline_id uuid,
  filename text not null check (length(filename) between 1 and 200),
  -- One of a few, by what the file holds; it is served as this and nothing else.
  content_type text not null,
  size bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  -- How many pictures a DICOM file can be shown as.
  frames int,
  -- Since when the bytes have not been where they should be; null while they are there.
  missing_since timestamptz,
  added_by text not null,
  added_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, atlas_id) references atlases (tenant_id, id) on delete cascade,
  foreign key (tenant_id, guideline_id) references guidelines (tenant_id, id) on delete cascade,
  check (num_nonnulls(atlas_id, guideline_id) = 1)
);
create index stored_files_atlas on stored_files (tenant_id, atlas_id) where atlas_id is not null;
create index stored_files_guideline on stored_files (tenant_id, guideline_id) where guideline_id is not null;
create index stored_files_bytes on stored_files (tenant_id, sha256);
select confine('stored_files');
-- They count towards what an organisation may store, as images do (0007_storage.sql).
create trigger files_stored after insert on stored_files
  referencing new table as stored for each statement execute function count_stored_bytes();
create trigger files_removed after delete on stored_files
  referencing old table as removed for each statement execute function count_removed_bytes();

-- All that refers to bytes in the store.
create view stored_bytes with (security_invoker = true) as
  select tenant_id, sha256, size, missing_since from instances
  union all
  select tenant_id, sha256, size, missing_since from stored_files;
grant select on stored_bytes to radwork_app;
