import { sql } from 'kysely';
import { statement } from '#core/database/statement.ts';
import { showRejectedSql } from '#imaging/archive/rejection/show-rejected.ts';
import type { Candidate } from '#imaging/archive/store/ingest-file.ts';

/*
 * Queries and writes of an upload, for any number of files. Instance rows are passed as arrays. Otherwise each number
 * of rows would be another statement with its own plan.
 */

/**
 * Locks each study, so that only one upload at a time sets its counts, first patient and first series. Also sets
 * generic plans: all queries of an upload use keys, so one plan suits every batch.
 */
export const lockNames = statement(
  (_, { names }: { names: string[] }) => sql`
    select set_config('plan_cache_mode', 'force_generic_plan', true),
           count(pg_advisory_xact_lock(hashtextextended(name, 0)))
    from unnest(${names}::text[]) name`,
);

/**
 * Begins a batch of an upload: takes the lock of the store (storage-locks.ts), then those of the studies, and sets generic
 * plans. Later queries of the transaction see rejected rows until `readBatchTerms` hides them.
 */
export const lockStoreAndNames = statement(
  (_, { store, names }: { store: string; names: string[] }) => sql`
    select set_config('plan_cache_mode', 'force_generic_plan', true), ${showRejectedSql},
           count(case when place = 1 then pg_advisory_xact_lock_shared(hashtextextended(name, 0))::text
                      else pg_advisory_xact_lock(hashtextextended(name, 0))::text end)
    from unnest(${store}::text || ${names}::text[]) with ordinality locks (name, place)`,
);

export const findStudies = statement((db, { uids }: { uids: string[] }) =>
  db
    .selectFrom('studies')
    .innerJoin('patients', 'patients.id', 'studies.patient_id')
    .select(['studies.id', 'study_instance_uid', 'study_date', 'is_date_presumed', 'deleted_at'])
    .select('is_study_time_known')
    .select('studies.patient_id as patient_row')
    .select(['patients.patient_id', 'patients.issuer', 'patients.patient_name'])
    .select(['patients.gender', 'patients.date_of_birth', 'patients.address', 'patients.phone_number'])
    .select(['studies.named_patient_id as named_patient_row', 'patients.known_names as knownNames'])
    .select('patients.provisional_for as provisionalFor')
    .where(sql<boolean>`study_instance_uid = any(${uids})`),
);

export const findSeries = statement((db, { uids }: { uids: string[] }) =>
  db
    .selectFrom('series')
    .select(['id', 'study_id', 'series_instance_uid', 'modality', 'is_rejected'])
    .where(sql<boolean>`series_instance_uid = any(${uids})`),
);

export const findInstances = statement((db, { uids }: { uids: string[] }) =>
  db
    .selectFrom('instances')
    .select(['sop_instance_uid', 'study_id', 'sha256', 'missing_since', 'rejection_id'])
    .where(sql<boolean>`sop_instance_uid = any(${uids})`),
);

export type InstanceRow = { id: string; study_id: string; series_id: string } & Candidate['instance'];

/** SQL types of the written columns, for their arrays. */
const instanceColumns = {
  id: 'uuid',
  study_id: 'uuid',
  series_id: 'uuid',
  sop_instance_uid: 'text',
  sop_class_uid: 'text',
  instance_number: 'int',
  transfer_syntax_uid: 'text',
  rows: 'int',
  columns: 'int',
  number_of_frames: 'int',
  bits_allocated: 'int',
  photometric_interpretation: 'text',
  is_renderable: 'boolean',
  is_localizer: 'boolean',
  plane: 'text',
  sha256: 'bytea',
  size: 'bigint',
  frame_index: 'bytea',
  metadata: 'bytea',
} as const satisfies Record<keyof InstanceRow, string>;

const columnNames = Object.keys(instanceColumns) as (keyof InstanceRow)[];

type InstanceColumns = Record<keyof InstanceRow, unknown[]>;

const insertColumns = statement((_, columns: InstanceColumns) => {
  const values = columnNames.map((name) => sql`${columns[name]}::${sql.raw(instanceColumns[name])}[]`);
  return sql<{ id: string }>`
    insert into instances (${sql.join(columnNames.map((name) => sql.ref(name)))})
    select * from unnest(${sql.join(values)})
    on conflict do nothing returning id`;
});

/** Returns the ids of the inserted rows. */
export const insertInstanceRows = (db: Parameters<typeof insertColumns>[0], rows: readonly InstanceRow[]) =>
  insertColumns(
    db,
    Object.fromEntries(columnNames.map((name) => [name, rows.map((row) => row[name])])) as InstanceColumns,
  );

/**
 * Gives a series the modality of its new images. If the series had images before `instanceIds`, its modality stays. The
 * modality of a report or document (`isDerived`) never stays.
 */
export const setSeriesModality = statement(
  (db, change: { seriesId: string; modality: string; isDerived: boolean; instanceIds: string[] }) =>
    db
      .updateTable('series')
      .set({ modality: change.modality })
      .where('id', '=', change.seriesId)
      .where(
        sql<boolean>`(${change.isDerived}::boolean or not exists (
          select from instances
          where series_id = ${change.seriesId} and is_renderable and not id = any(${change.instanceIds}::uuid[])))`,
      ),
);
