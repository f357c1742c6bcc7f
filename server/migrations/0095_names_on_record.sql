-- A text that leaves for a model may name anybody on record. The words of the text are looked up by keys of the names
-- and identifiers of patients: reading all patients would take seconds at a million of them.

-- A word of a name without case, accents, strokes and apostrophes. "Müller" and "Mueller" are the same.
create function mention_word(word text) returns text language sql immutable parallel safe return
  replace(regexp_replace(
    translate(replace(replace(replace(replace(
      regexp_replace(normalize(lower(word), nfkd), '[\u0300-\u036f''’‘ʼ`]', '', 'g'),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'øłđðıħŧəŋς', 'olddihtenσ'),
    '([aou])e', '\1', 'g'), 'aa', 'a');

-- The words of a part of a name, without titles, particles and initials, which stand in many texts.
create function mention_words(part text) returns setof text language sql immutable parallel safe begin atomic
  select distinct mention_word(word) from regexp_split_to_table(part, '[\s^=,.;:/()\[\]_0-9"|+*$?!\\-]+') as word
  where char_length(mention_word(word)) > 1
    and mention_word(word) <> all (string_to_array(
      'dr prof mr mrs ms miss md phd jr sr ii iii iv herr frau de la del van von der den di da dos das du le el al bin ben ibn',
      ' '));
end;

-- The key of what stands in a text: two words of a name in either order, a whole name in a script without spaces (b is
-- empty then), or an identifier (a is # then), of which letters and digits count. Null for an identifier that may be
-- a measured value.
create function mention_key(a text, b text) returns text language sql immutable parallel safe return
  case
    when a = '#' and b ~ '[0-9]' and char_length(regexp_replace(b, '[\s._/-]', '', 'g')) > 4
      then '#' || lower(regexp_replace(b, '[\s._/-]', '', 'g'))
    when a = '#' then null
    when b = '' then mention_word(a)
    when mention_word(a) collate "C" < mention_word(b) collate "C" then mention_word(a) || ' ' || mention_word(b)
    else mention_word(b) || ' ' || mention_word(a)
  end;

-- All keys of a patient: each family name with each given name, in each group of the name (PS3.5 6.2.1). A family name
-- alone is no key: it may be a word, such as Stone or Long. With jit, PostgreSQL of Debian compiles the function for
-- each row, in 1.4 s: an upgrade or a restored backup would take days.
create function mention_keys(name text, identifier text) returns text[] language sql immutable parallel safe
  set jit = off
begin atomic
  with groups as (
    select written, split_part(written, '^', 1) as family,
           case when written like '%^%' then split_part(written, '^', 2) || ' ' || split_part(written, '^', 3)
                else written end as given
    from regexp_split_to_table(name, '=') as written)
  select coalesce(array_agg(distinct key), '{}') from (
    select mention_key(f, g) as key from groups, mention_words(family) as f, mention_words(given) as g where f <> g
    union all
    select mention_key(regexp_replace(written, '[\s^]', '', 'g'), '') from groups
    where written ~ '^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]'
      and char_length(regexp_replace(written, '[\s^]', '', 'g')) between 2 and 6
    union all
    select mention_key('#', identifier)) as found
  where key is not null;
end;

alter table patients add column mention_keys text[] not null
  generated always as (mention_keys(patient_name, patient_id)) stored;
-- Without a list of pending entries, which each lookup of thousands of keys would compare one by one.
create index patients_mentioned on patients using gin (mention_keys) with (fastupdate = off);

-- The lookup runs through this view, for the reason that study_search has (0003_archive.sql).
create view patient_mentions as
  select tenant_id, mention_keys from patients
  where tenant_id = nullif(current_setting('app.tenant_id', true), '')::int;
grant select on patient_mentions to radwork_app;
