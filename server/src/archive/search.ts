import type { DicomJson } from '@radwork/dicom/dataset';
import { type RawBuilder, sql } from 'kysely';
import type { StreamCall } from '#core/http.ts';
import { malformed } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { mayKnowStudy } from '#core/study-access.ts';
import { sendDicomJson } from './dicom-json.ts';
import { pathParameter, pathUid } from './path-uids.ts';
import { type Query, queryOf } from './query.ts';
import { type Level, type Matching, matchingOf } from './search-keys.ts';
import {
  type InstanceRow,
  instanceResult,
  type SeriesRow,
  seriesResult,
  type StudyRow,
  studyResult,
} from './search-results.ts';
import { serviceAddress } from './service-address.ts';
import type { Wado } from './wado.ts';

type Page = { limit: number; offset: number };

/** More results than this are not sent at once, whatever the limit asked for. */
const mostResults: Record<Level, number> = { studies: 200, series: 1000, instances: 5000 };

/**
 * QIDO-RS (PS3.18 §10.6): studies, series or instances, of the whole archive or of the study and series in the path.
 * No match is an empty list. What was asked for and not done is said in Warning headers.
 */
export const answerSearch = async (wado: Wado, call: StreamCall, level: Level) => {
  const { request, reply, session } = call;
  const query = queryOf(request.query);
  const matching = matchingOf(query, level);
  const page = pageOf(query, mostResults[level]);
  const conditions = [...(await pathConditions(wado, call)), ...matching.conditions];
  const service = serviceAddress(wado.config, request);

  const found = await wado.scopes.inTenant(session, (scope) =>
    search[level](scope, { ...matching, conditions }, { ...page, limit: page.limit + 1 }, service),
  );

  const warnings = [
    ...(matching.unsupported.length > 0 ? [`Not supported and ignored: ${readable(matching.unsupported)}`] : []),
    ...(found.length > page.limit ? ['There are additional results that can be requested'] : []),
  ];
  if (warnings.length > 0) void reply.header('warning', warnings.map((text) => `299 radwork "${text}"`).join(', '));
  return sendDicomJson(reply, found.slice(0, page.limit));
};

/** The path's study has to be one that the caller may see, or it is not found; its series is looked for within it. */
const pathConditions = async ({ objects }: Wado, { request, session }: StreamCall): Promise<RawBuilder<boolean>[]> => {
  if (pathParameter(request, 'studyUid') === '') return [];
  const { id } = await objects.study(session, pathUid(request, 'studyUid'));
  const inStudy = sql<boolean>`studies.id = ${id}`;
  if (pathParameter(request, 'seriesUid') === '') return [inStudy];
  return [inStudy, sql<boolean>`series.series_instance_uid = ${pathUid(request, 'seriesUid')}`];
};

type Search = (scope: Scope, matching: Matching, page: Page, service: string) => Promise<DicomJson[]>;

const search: Record<Level, Search> = {
  studies: async (scope, matching, page, service) => {
    const { rows } = await sql<StudyRow>`
      select studies.study_instance_uid, studies.study_date, studies.accession_number, studies.modalities,
             studies.referring_physician_name, studies.study_description, studies.scanner_study_id,
             studies.series_count, studies.instance_count as study_instance_count, studies.patient_name,
             patients.patient_id, patients.issuer, patients.gender, patients.date_of_birth
      from ${sourceOf(matching)} join patients on patients.id = studies.patient_id
      where ${conditionOf(scope, matching)}
      order by studies.study_date desc, studies.id desc
      ${sliceOf(page)}`.execute(scope.db);
    return rows.map((row) => studyResult(row, service));
  },

  series: async (scope, matching, page, service) => {
    const { rows } = await sql<SeriesRow>`
      select studies.study_instance_uid, series.series_instance_uid, series.series_number, series.series_description,
             series.modality, series.body_part_examined, series.instance_count as series_instance_count
      from ${sourceOf(matching)} join series on series.study_id = studies.id
      where ${conditionOf(scope, matching)}
      order by studies.study_date desc, studies.id desc, series.series_number nulls last, series.id
      ${sliceOf(page)}`.execute(scope.db);
    return rows.map((row) => seriesResult(row, service));
  },

  instances: async (scope, matching, page, service) => {
    const { rows } = await sql<InstanceRow>`
      select studies.study_instance_uid, series.series_instance_uid, instances.sop_class_uid,
             instances.sop_instance_uid, instances.instance_number, instances.rows, instances.columns,
             instances.bits_allocated, instances.number_of_frames, instances.transfer_syntax_uid
      from ${sourceOf(matching)}
      join series on series.study_id = studies.id
      join instances on instances.series_id = series.id
      where ${conditionOf(scope, matching)}
      order by studies.study_date desc, studies.id desc, series.series_number nulls last, series.id,
               instances.instance_number nulls last, instances.sop_instance_uid
      ${sliceOf(page)}`.execute(scope.db);
    return rows.map((row) => instanceResult(row, service));
  },
};

/** Text is searched through its view (migrations/0003_archive.sql). */
const sourceOf = ({ isByText }: Matching): RawBuilder<unknown> => (isByText ? sql`study_search studies` : sql`studies`);

const conditionOf = ({ session }: Scope, { conditions }: Matching): RawBuilder<unknown> =>
  sql.join([sql`studies.deleted_at is null`, mayKnowStudy(session, 'studies.id'), ...conditions], sql` and `);

const sliceOf = ({ limit, offset }: Page): RawBuilder<unknown> => sql`limit ${limit} offset ${offset}`;

const pageOf = ({ limit, offset }: Query, most: number): Page => ({
  limit: Math.min(count('limit', limit) ?? most, most),
  offset: count('offset', offset) ?? 0,
});

const count = (name: string, [text = '']: readonly string[] = []): number | undefined => {
  if (text === '') return undefined;
  if (!/^\d{1,9}$/.test(text)) throw malformed(`${name} is not a whole number`);
  return Number(text);
};

/** Names of parameters that may stand in a header. */
const readable = (names: readonly string[]): string =>
  names
    .slice(0, 20)
    .map((name) => name.replaceAll(/[^\w.]/g, '').slice(0, 64))
    .join(' ');
