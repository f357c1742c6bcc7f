import { t } from '@radwork/contract/core/translate';
import type { Query, Reply } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type { ReportHit, ReportHits, reportSearch, ReportTextFilter } from '@radwork/contract/reading/report-search';
import { sql } from 'kysely';
import { malformed } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { knownReports, listedReports, toReportRow } from '#reading/report-records/stored-report.ts';
import { isIndexComplete } from './index-older-reports.ts';
import { countTexts, type Hit, namesWords, newestHits, rankedHits, type Slice, snippetsOf } from './hit-rows.ts';

/** Maximum number of texts that are ranked. Ranking reads each of them. */
export const mostRanked = 5000;

/** Number of pages after the current one that a total always includes, if they exist. */
const pagesAhead = 3;

/** Returns a page of the reports whose text matches. */
export const find = async (
  scope: Scope,
  { page, size, ...filter }: Query<typeof reportSearch.find>,
  most = mostRanked,
): Promise<ReportHits> => {
  const slice = { offset: page * size, limit: size };
  const { hits, total, isRanked, isTotalExact } = await hitsOf(scope, filter, slice, most);
  return {
    ...pageOf(await rowsOf(scope, filter.text, hits), total, { page, size }),
    isTotalExact,
    isRanked,
    isIndexComplete: await isIndexComplete(scope),
  };
};

type Found = { hits: Hit[]; total: number; isRanked: boolean; isTotalExact: boolean };

/** Throws 400 if the search names nothing to find. */
export const hitsOf = async (
  scope: Scope,
  filter: ReportTextFilter,
  { offset, limit }: Slice,
  most = mostRanked,
): Promise<Found> => {
  if (!(await namesWords(scope, filter.text))) throw malformed(t`Type at least one word that the reports must contain`);
  const areMany = knowsAllStudies(scope.session) && (await countTexts(scope, filter.text, most)) > most;
  if (areMany) {
    const ahead = pagesAhead * limit;
    const { rows } = await newestHits(scope, filter, { offset, limit: limit + ahead }).execute(scope.db);
    const isTotalExact = rows.length < limit + ahead && (rows.length > 0 || offset === 0);
    return { hits: rows.slice(0, limit), total: offset + rows.length, isRanked: false, isTotalExact };
  }
  const { rows } = await rankedHits(scope, filter, { offset, limit }).execute(scope.db);
  const { total, hits } = rows[0] ?? { total: 0, hits: [] };
  return { hits, total, isRanked: true, isTotalExact: true };
};

/** Returns the hits with the columns of the list and their snippets. */
export const rowsOf = async (scope: Scope, text: string, hits: readonly Hit[]): Promise<ReportHit[]> => {
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  const rows = new Map(
    (await listedReports(scope).where('r.id', 'in', ids).execute()).map((row) => [row.id, toReportRow(row)]),
  );
  const snippets = await snippetsOf(scope, text, hits);
  return hits.flatMap(({ id, part }, index) => {
    const row = rows.get(id);
    return row ? [{ ...row, part, snippet: snippets[index] ?? [] }] : [];
  });
};

/** Returns the authors of the reports that the caller may read. */
export const authors = (scope: Scope): Promise<Reply<typeof reportSearch.authors>> =>
  scope.db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .where(
      sql<boolean>`exists (${knownReports(scope)
        .select('r.id')
        .where(sql<boolean>`r.author_id = u.id`)})`,
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
