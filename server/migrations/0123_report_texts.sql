-- Full-text search in report texts, by the language of each text. The configurations of PostgreSQL leave out stop words,
-- and "no" and "without" are among them, so that "no pneumothorax" would find "pneumothorax". These keep all words.
do $$
declare
  language text;
begin
  foreach language in array array['english', 'spanish', 'french', 'german', 'italian', 'portuguese'] loop
    execute format('create text search dictionary radwork_%1$s (template = pg_catalog.snowball, language = %1$I)', language);
    execute format('create text search configuration radwork_%1$s (copy = pg_catalog.%1$I)', language);
    execute format(
      'alter text search configuration radwork_%1$s alter mapping replace pg_catalog.%1$s_stem with radwork_%1$s', language);
  end loop;
end $$;

-- The words of each report and of each signed addendum. The server writes a row in the transaction that writes the text,
-- and a job writes those of older reports. A generated column would rewrite the table of reports while no server runs,
-- and SQL cannot tell the language of a text.
create table report_texts (
  tenant_id int not null default current_tenant(),
  report_id uuid not null,
  -- 0: the text of the report. n: its n-th signed addendum, counted from 1.
  part int not null check (part >= 0),
  language text not null check (language in ('en', 'es', 'fr', 'de', 'it', 'pt', 'zh', 'other')),
  -- Without the passages that a signed correction replaces. Words of the impression have weight A.
  document tsvector not null,
  primary key (tenant_id, report_id, part),
  foreign key (tenant_id, report_id) references reports (tenant_id, id) on delete cascade
);
create index report_texts_document on report_texts using gin (document);
select confine('report_texts');
select limit_by('report_texts', 'reports', 'report_id');

-- Text search runs through this view. The operator @@ is not leakproof, so on a table with row-level security it could
-- not use the index. A transaction that is limited to groups finds nothing in it (docs/decisions/0086).
create view report_text_search as
  select * from report_texts
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int
    and coalesce(current_setting('app.study_groups', true), '') = '';
grant select on report_text_search to radwork_app;

-- Progress of the job that indexes older reports. A restart continues after the last report.
create table report_text_indexings (
  tenant_id int primary key default current_tenant() references tenants (id),
  -- Version of the rules by which a text is indexed. A newer version starts again.
  rules_version int not null,
  last_report_id uuid,
  finished_at timestamptz
);
select confine('report_text_indexings');
revoke delete on report_text_indexings from radwork_app;
