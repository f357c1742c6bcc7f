import type { ReportTextFilter, SnippetPart, TextLanguage } from '@radwork/contract/reading/report-search';
import { textLanguages } from '@radwork/contract/reading/report-search';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { conditionsOnEach } from '#imaging/studies/study-filter.ts';
import { daysOf } from '#imaging/studies/study-list.ts';
import {
  asWritten,
  configurationOf,
  searchableQuery,
  storedParts,
  textPartsOf,
} from '#reading/report-records/report-texts.ts';
import { knownReports, newerSignedAt } from '#reading/report-records/stored-report.ts';

/** The part of a report that matches best. */
export type Hit = { id: string; part: number; language: TextLanguage };

export type Slice = { offset: number; limit: number };

const configurations = [...new Set(Object.values(configurationOf))];

const queryOf = (configuration: string, text: string) =>
  sql`websearch_to_tsquery(${configuration}::regconfig, ${searchableQuery(text)})`;

/** SQL condition: the row `t` of report_texts matches the search by the rules of its language. */
export const matches = (text: string): RawBuilder<boolean> => {
  const ofEach = configurations.map((configuration) => {
    const languages = textLanguages.filter((language) => configurationOf[language] === configuration);
    return sql`(t.document @@ ${queryOf(configuration, text)} and t.language in (${sql.join(languages.map((language) => sql.lit(language)))}))`;
  });
  return sql<boolean>`(${sql.join(ofEach, sql` or `)})`;
};

const rankOf = (text: string) => {
  const ofEach = textLanguages.map(
    (language) => sql`when ${sql.lit(language)} then ts_rank(t.document, ${queryOf(configurationOf[language], text)})`,
  );
  return sql`case t.language ${sql.join(ofEach, sql` `)} end`;
};

/** Whether a search names something to find. A search that only excludes would match nearly every report. */
export const namesWords = async ({ db }: Scope, text: string): Promise<boolean> => {
  const { rows } = await sql<{ tree: string }>`select querytree(${queryOf('simple', text)}) as tree`.execute(db);
  return !['', 'T'].includes(rows[0]?.tree ?? '');
};

/**
 * Counts the matching texts of the tenant, up to `most`. It uses the index and checks no rights, so a caller must never
 * receive this count.
 */
export const countTexts = async ({ db }: Scope, text: string, most: number): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (
      select from report_text_search t where ${matches(text)} limit ${most + 1}) counted`.execute(db);
  return rows[0]?.total ?? 0;
};

/** Selects the reports that the caller may read and that no newer signed report replaces. */
const readable = (scope: Scope, { status, authorId, modality, startDate, endDate }: ReportTextFilter) =>
  knownReports(scope)
    .where(sql<boolean>`(${conditionsOnEach(scope, { modality, ...daysOf(startDate, endDate) })})`)
    .where(sql<boolean>`${newerSignedAt} is null`)
    .$if(status !== undefined, (reports) => reports.where('r.status', '=', status ?? 'DRAFT'))
    .$if(authorId !== undefined, (reports) => reports.where('r.author_id', '=', authorId ?? ''));

/**
 * Finds all matches and sorts them, the best first. For a caller with access to few studies, the texts of these studies
 * are checked one by one. For other callers, the index of the texts finds them.
 */
export const rankedHits = (scope: Scope, filter: ReportTextFilter, { offset, limit }: Slice) => {
  const { text } = filter;
  const source = knowsAllStudies(scope.session)
    ? sql`report_text_search t`
    : sql`(select x.* from report_texts x where x.report_id in (${knownReports(scope).select('r.id')}) offset 0) t`;
  return sql<{ total: number; hits: Hit[] }>`
    with hits as materialized (
      select t.report_id, t.part, t.language, ${rankOf(text)} as rank from ${source} where ${matches(text)}),
    best as (select distinct on (report_id) * from hits order by report_id, rank desc, part),
    found as materialized (
      select k.id, k.created_at, best.part, best.language, best.rank
      from best join (${readable(scope, filter).select(['r.id', 'r.created_at'])}) k on k.id = best.report_id)
    select (select count(*)::int from found) as total,
      coalesce((select json_agg(json_build_object('id', page.id, 'part', page.part, 'language', page.language)) from (
        select * from found order by rank desc, created_at desc, id desc limit ${limit} offset ${offset}) page), '[]') as hits`;
};

/** Reads reports from the newest on until a page is full. Many reports match, so this soon finds enough. */
export const newestHits = (scope: Scope, filter: ReportTextFilter, { offset, limit }: Slice) => sql<Hit>`
  select k.id, hit.part, hit.language
  from (${readable(scope, filter).select(['r.id', 'r.created_at'])}) k
  cross join lateral (
    select t.part, t.language from (select x.* from report_texts x where x.report_id = k.id offset 0) t
    where ${matches(filter.text)} order by t.part limit 1) hit
  order by k.created_at desc, k.id desc limit ${limit} offset ${offset}`;

/** Signs around a hit. Texts have none of them (report-texts.ts), so a text cannot pretend to be a hit. */
const [start, stop] = ['\u0001', '\u0002'];
const options = `StartSel=${start}, StopSel=${stop}, MaxFragments=2, MaxWords=24, MinWords=8, ShortWord=0, FragmentDelimiter=" … "`;

/** Returns the stretches of text around the matches of each hit, in the order of the hits. */
export const snippetsOf = async (scope: Scope, text: string, hits: readonly Hit[]): Promise<SnippetPart[][]> => {
  if (hits.length === 0) return [];
  const stored = await storedParts(
    scope,
    hits.map(({ id }) => id),
  );
  const texts = hits.map(
    ({ id, part }) => textPartsOf(stored.get(id) ?? []).find((one) => one.part === part)?.text ?? '',
  );
  const hitConfigurations = hits.map(({ language }) => configurationOf[language]);
  const { rows } = await sql<{ snippet: string }>`
    select ts_headline(h.configuration::regconfig, h.text,
      websearch_to_tsquery(h.configuration::regconfig, ${searchableQuery(text)}), ${options}) as snippet
    from unnest(${hitConfigurations}::text[], ${texts}::text[]) with ordinality as h (configuration, text, at)
    order by h.at`.execute(scope.db);
  return rows.map(({ snippet }) => snippetParts(snippet));
};

/** Splits a marked text at its marks. */
export const snippetParts = (marked: string): SnippetPart[] => {
  const [first = '', ...others] = asWritten(marked).replaceAll(`${stop}${start}`, '').split(start);
  return [
    { text: first, isHit: false },
    ...others.flatMap((piece) => {
      const [hit = '', ...behind] = piece.split(stop);
      return [
        { text: hit, isHit: true },
        { text: behind.join(''), isHit: false },
      ];
    }),
  ].filter(({ text }) => text !== '');
};
