import type { Scope } from '#core/access/scope.ts';
import type { SeriesRequest } from '#imaging/archive/header/study-attributes.ts';
import { differenceOf } from './compare-headers.ts';
import type { Corrected, Readings } from './readings.ts';

/**
 * Corrects the requests of a series, by which searches find it. No user edits them. They are those of its first file, so
 * they are corrected only if they are exactly what the earlier reader gave for this file.
 */
export const correctRequests = async (
  { db }: Scope,
  { file: { series_id }, earlier: { requests: earlier }, now: { requests: now } }: Readings,
): Promise<Corrected> => {
  const nothing: Corrected = { changed: [], left: [] };
  if (listOf(earlier) === listOf(now)) return nothing;
  const stored = await db
    .selectFrom('series_requests')
    .select(['scheduled_procedure_step_id', 'requested_procedure_id'])
    .where('series_id', '=', series_id)
    .orderBy('item')
    .execute();
  if (listOf(stored) !== listOf(earlier)) return nothing;
  await db.deleteFrom('series_requests').where('series_id', '=', series_id).execute();
  if (now.length > 0) {
    await db
      .insertInto('series_requests')
      .values(now.map((request, index) => ({ series_id, item: index + 1, ...request })))
      .execute();
  }
  return { changed: [differenceOf('RequestAttributesSequence', listOf(stored), listOf(now))], left: [] };
};

const listOf = (requests: readonly SeriesRequest[]): string =>
  requests
    .map(({ scheduled_procedure_step_id, requested_procedure_id }) =>
      [scheduled_procedure_step_id, requested_procedure_id].join(' '),
    )
    .join('\\');
