import { t } from '@radwork/contract/core/translate';
import type { DicomJson } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import { type RawBuilder, sql } from 'kysely';
import type { StreamCall } from '#core/http/http.ts';
import { malformed, Problem } from '#core/http/problem.ts';
import { acceptHeaderOf } from '#imaging/archive/dicomweb/accept-header.ts';
import { pathParameter, pathUid } from '#core/http/path-parameters.ts';
import { isInUtf8, type Query, queryOf } from '#imaging/archive/dicomweb/query-parameters.ts';
import { resultOf, resultText } from './result-attributes.ts';
import { resultMediaType, xmlParts } from '#imaging/archive/dicomweb/result-media-type.ts';
import { sendResults, sendTexts } from './search-response.ts';
import { attributesOf, fieldsFrom, fieldsOf } from './search-fields.ts';
import { isTrue, type Level, matchingOf } from './matching-keys.ts';
import { findListed } from './study-lists.ts';
import { findAnyMatches, listOf, type Page, type Search } from './search-queries.ts';
import { type DescribedLevels, resultAttributes, type SearchRow } from './search-results.ts';
import { limitSearches } from './search-turns.ts';
import { serviceAddress } from '#imaging/archive/dicomweb/service-url.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { gunzip, unpackedLength } from '#core/resources/gzip.ts';
import { addLongSeriesNumbers } from './long-series-numbers.ts';

/** Maximum number of results in an answer, even if a client requests more. */
const mostResults: Record<Level, number> = { studies: 200, series: 1000, instances: 5000 };
/** Maximum number of results when the header of a file must be unpacked for each result. */
const mostHeaders = 200;
const mostHeaderBytes = 64 << 20;

/**
 * Answers QIDO-RS (PS3.18 §10.6): studies, series or instances, of the whole archive or of the study and series in the
 * path. Without a match, the list is empty (CP-2473). Warning headers name unsupported parts of the request.
 */
export const answerSearch = async (wado: Wado, call: StreamCall, level: Level) => {
  const { request, reply } = call;
  // After a study list, clients usually request thumbnails.
  wado.renderer.prepare();
  if (!isInUtf8(request.url)) throw malformed(t`The search must be encoded in UTF-8`);
  const query = queryOf(request.query);
  const mediaType = resultMediaType(acceptHeaderOf(request));
  if (!mediaType) throw notAcceptable();
  const matching = matchingOf(query, level, call.session);
  const fields = fieldsOf(query, level, matching.keywords);
  const page = pageOf(query, fields.ofHeader.length > 0 ? mostHeaders : mostResults[level]);
  const conditions = [...(await pathConditions(wado, call)), ...matching.conditions];

  const search = { level, matching: { ...matching, conditions }, fields, page: andOneMore(page) };
  const matches = await findInTurn(wado, call, search);

  const rows = firstOf(matches.slice(0, page.limit));
  warn(call, [
    ...unsupportedOptions(query),
    ...(matching.unsupported.length > 0 ? [`Not supported and ignored: ${readable(matching.unsupported)}`] : []),
    ...(matches.length > rows.length ? ['There are additional results that can be requested'] : []),
  ]);
  if (rows.some(({ series_number }) => series_number === null)) {
    await wado.scopes.reading(call.session, (scope) => addLongSeriesNumbers(scope, rows));
  }
  const service = serviceAddress(wado.config, request);
  const attributes = resultAttributes({ level, described: describedBy(call, level), service, fields });
  if (mediaType !== xmlParts && fields.ofHeader.length === 0) {
    return sendTexts(
      reply,
      mediaType,
      rows.map((row) => resultText(attributes, row)),
    );
  }
  const results: DicomJson[] = [];
  // Data of the archive replace those of the header, because patient data may have been corrected. The imaging request
  // comes from the header, because the archive stores only two of its numbers.
  for (const row of rows) {
    const ofHeader = fieldsFrom(await headerOf(row), fields, row.names_another ?? false);
    results.push({ ...ofHeader, ...resultOf(attributes, row), ...attributesOf(ofHeader, [requests]) });
  }
  return sendResults(reply, mediaType, results);
};

/**
 * Finds the results. Lists, and searches within one study, are fast in an archive of any size. Other searches take
 * turns.
 */
const findInTurn = async ({ scopes }: Wado, call: StreamCall, search: Search): Promise<SearchRow[]> => {
  const { request, reply, session } = call;
  const list = listOf(session, search);
  const listedRows = list && (await scopes.reading(session, (scope) => findListed(scope, list, search.page.limit)));
  if (listedRows) return listedRows;
  const find = () => scopes.reading(session, (scope) => findAnyMatches(scope, search));
  return pathParameter(request, 'studyUid') === '' ? limitSearches(session, find, () => reply.raw.destroyed) : find();
};

const requests = tagOf('RequestAttributesSequence');

const notAcceptable = () =>
  new Problem(
    406,
    'search.media_type',
    t`Results are available as application/dicom+json and as multipart/related; type="application/dicom+xml"`,
  );

/** Asks for one match more than requested. If it is found, there are more results. */
const andOneMore = (page: Page): Page => ({ ...page, limit: page.limit + 1 });

/** Returns the first results whose headers together stay below the limit of bytes, but at least one. */
const firstOf = (matches: readonly SearchRow[]): readonly SearchRow[] => {
  let bytes = 0;
  const beyond = matches.findIndex(({ header }, index) => {
    bytes += header ? unpackedLength(header) : 0;
    return index > 0 && bytes > mostHeaderBytes;
  });
  return beyond < 0 ? matches : matches.slice(0, beyond);
};

const headerOf = async ({ header }: SearchRow): Promise<DicomJson> =>
  header ? JSON.parse((await gunzip(header)).toString()) : {};

/** Warnings for requested kinds of matching that this server does not support, in the words of PS3.18 (§8.3.4). */
const unsupportedOptions = (query: Query): string[] =>
  [
    ['emptyvaluematching', 'Empty Value Matching'] as const,
    ['multiplevaluematching', 'Multiple Value Matching'] as const,
  ].flatMap(([name, matching]) =>
    isTrue(query, name) ? [`The ${name} parameter is not supported. ${matching} has not been performed.`] : [],
  );

const warn = ({ reply }: StreamCall, warnings: readonly string[]) => {
  if (warnings.length > 0) void reply.header('warning', warnings.map((text) => `299 radwork "${text}"`).join(', '));
};

/** Throws 404 unless the caller may see the study in the path. The series is then looked up in that study. */
const pathConditions = async ({ objects }: Wado, { request, session }: StreamCall): Promise<RawBuilder<boolean>[]> => {
  if (pathParameter(request, 'studyUid') === '') return [];
  const { id } = await objects.study(session, pathUid(request, 'studyUid'));
  const inStudy = sql<boolean>`studies.id = ${id}`;
  if (pathParameter(request, 'seriesUid') === '') return [inStudy];
  return [inStudy, sql<boolean>`series.series_instance_uid = ${pathUid(request, 'seriesUid')}`];
};

/** Returns the searched level and higher levels that the path does not name. Clients know the levels in the path. */
const describedBy = ({ request }: StreamCall, level: Level): DescribedLevels =>
  new Set<Level>([
    level,
    ...(pathParameter(request, 'studyUid') === '' ? (['studies'] as const) : []),
    ...(level === 'instances' && pathParameter(request, 'seriesUid') === '' ? (['series'] as const) : []),
  ]);

const pageOf = ({ limit, offset }: Query, most: number): Page => ({
  limit: Math.min(count('limit', limit) ?? most, most),
  offset: count('offset', offset) ?? 0,
});

const count = (name: string, [text = '']: readonly string[] = []): number | undefined => {
  if (text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw malformed(t`${name} is not a whole number`);
  return Number(text);
};

/** Makes the names of parameters safe for a header. */
const readable = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => name.replaceAll(/[^\w.]/g, '').slice(0, 64))
    .join(' ');
