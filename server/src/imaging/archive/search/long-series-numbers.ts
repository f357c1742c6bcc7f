import { type DicomJson, valuesOf } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import type { ReadingScope } from '#core/access/scope.ts';
import { gunzip } from '#core/resources/gzip.ts';
import type { SearchRow } from './search-results.ts';

/** Number of series whose headers one query reads. It is small, so that little memory is needed. */
const seriesAtOnce = 50;

/** Headers with more packed bytes are not read for a number. */
const longestHeader = 65_536;

/**
 * Adds the series numbers that do not fit the column, with the digits of the file (PS3.18 §F.2.2). Reads one header for
 * each series without a number.
 */
export const addLongSeriesNumbers = async ({ db }: ReadingScope, rows: readonly SearchRow[]): Promise<void> => {
  const bySeries = Map.groupBy(
    rows.filter((row) => row.series_number === null),
    (row) => row.series_instance_uid,
  );
  const uids = [...bySeries.keys()];
  for (let from = 0; from < uids.length; from += seriesAtOnce) {
    const { rows: headers } = await sql<{ uid: string; metadata: Buffer }>`
      select series.series_instance_uid as uid, first.metadata from series cross join lateral (
        select metadata from instances
        where series_id = series.id and octet_length(metadata) < ${longestHeader} limit 1) first
      where series.series_instance_uid = any(${uids.slice(from, from + seriesAtOnce)})`.execute(db);
    for (const { uid, metadata } of headers) {
      const [number] = valuesOf(JSON.parse((await gunzip(metadata)).toString()) as DicomJson, 'SeriesNumber');
      if (typeof number !== 'number' && typeof number !== 'string') continue;
      for (const row of bySeries.get(uid) ?? []) row.series_number = number;
    }
  }
};
