import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { admitUploader } from './admit-uploader.ts';
import { insertInstanceRows, type InstanceRow } from './batch-statements.ts';
import { sortedByKey } from './sorted-by-key.ts';
import { type FiledPatient, insertPatients } from './insert-patients.ts';
import { ConcurrentWrite } from './concurrent-write.ts';
import type { NewInstance, NewSeries, NewStudy } from './plan-batch.ts';

/**
 * Creates the missing patients of new studies. Does not change existing patient data. Returns under which patient each
 * study is filed. Throws ConcurrentWrite when another upload inserted a study first.
 */
export const insertStudies = async (scope: Scope, studies: readonly NewStudy[]): Promise<Map<string, FiledPatient>> => {
  if (studies.length === 0) return new Map();
  const { db } = scope;
  const filingOf = await insertPatients(scope, studies);
  const rows = sortedByKey(studies, ({ studyInstanceUID }) => studyInstanceUID).map((study) => {
    const { patient, named } = filingOf(study);
    return {
      id: study.id,
      patient_id: patient.id,
      named_patient_id: named,
      study_instance_uid: study.studyInstanceUID,
      patient_name: patient.patient_name,
      patient_identifier: patient.patient_id,
      // Uses the current time and not now(), the start of the transaction. A study uploaded during a merge must count
      // as later than the merge, so that an undo moves it back.
      created_at: sql<string>`clock_timestamp()`,
    };
  });
  const inserted = await db
    .insertInto('studies')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  if (inserted.length < rows.length) throw new ConcurrentWrite();
  const filings = new Map(studies.map((study) => [study.id, filingOf(study)]));
  await admitUploader(scope, filings);
  return filings;
};

/** Inserts new series with their requests. Throws ConcurrentWrite when another upload inserted a series first. */
export const insertSeries = async ({ db }: Scope, series: readonly NewSeries[]) => {
  if (series.length === 0) return;
  const rows = sortedByKey(series, ({ first }) => first.seriesInstanceUID).map(({ id, studyId, first }) => ({
    id,
    study_id: studyId,
    series_instance_uid: first.seriesInstanceUID,
    ...first.described.series,
  }));
  const inserted = await db
    .insertInto('series')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  if (inserted.length < rows.length) throw new ConcurrentWrite();
  const requests = series.flatMap(({ id, first }) =>
    first.described.requests.map((request, index) => ({ series_id: id, item: index + 1, ...request })),
  );
  if (requests.length > 0) await db.insertInto('series_requests').values(requests).execute();
};

/**
 * Maximum number of bytes of metadata and frame indexes in one statement. Arrays are sent as text, which takes twice
 * the bytes.
 */
const maxInsertBytes = 8 << 20;

/** Inserts new instances. Throws ConcurrentWrite when another upload inserted an instance first. */
export const insertInstances = async (scope: Scope, instances: readonly NewInstance[]) => {
  const rows = sortedByKey(instances, ({ candidate }) => candidate.sopInstanceUID).map(
    ({ id, studyId, seriesId, candidate }): InstanceRow => ({
      id,
      study_id: studyId,
      series_id: seriesId,
      ...candidate.instance,
    }),
  );
  await Promise.all(portionsOf(rows).map((portion) => insertRows(scope, portion)));
};

/** Splits rows, in order, into portions that are small enough for one statement. */
const portionsOf = (rows: readonly InstanceRow[]): InstanceRow[][] => {
  const portions: InstanceRow[][] = [];
  let bytes = Infinity;
  for (const row of rows) {
    const size = row.metadata.length + (row.frame_index?.length ?? 0);
    if (bytes + size > maxInsertBytes) {
      portions.push([]);
      bytes = 0;
    }
    portions.at(-1)?.push(row);
    bytes += size;
  }
  return portions;
};

const insertRows = async ({ db }: Scope, rows: readonly InstanceRow[]) => {
  const inserted = await insertInstanceRows(db, rows);
  if (inserted.length < rows.length) throw new ConcurrentWrite();
};
