import { sentence } from '@radwork/contract/core/translate';
import { setTimeout as wait } from 'node:timers/promises';
import { DicomError } from '@radwork/dicom/dicom-error';
import { sql } from 'kysely';
import { assertStorePresent } from '#core/blobs/assert-store-present.ts';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import { isDeadlock } from '#core/database/database.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { readFacts } from '#imaging/archive/header/read-facts.ts';
import { storedTenants } from '#imaging/archive/upkeep/stored-tenants.ts';
import { correctRows } from './correct-rows.ts';
import type { Failure, Read, StoredFile } from './readings.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

/**
 * Version of what the archive reads from a header. Increase it when times, modalities, frame counts, doses or texts are
 * read better than before. The next start of the server then reads all stored headers again.
 */
export const readerVersion = 2;

/** Number of files of one transaction. If the server stops, the next server repeats at most this many. */
const filesAtOnce = 20;
const readInParallel = 2;
/** Milliseconds between transactions, so that readers and uploads go first. */
const pause = 50;

/** Reads the headers of all stored files again, once for each version of the reader. Returns a function that stops. */
export const startRereading = (archive: Archive, onError: (error: unknown) => void): (() => Promise<void>) => {
  const ending = new AbortController();
  const stop = startPeriodicTask({
    everyMs: 60_000,
    runOnce: () => rereadAll(archive, { signal: ending.signal }),
    onError,
  });
  return () => {
    ending.abort();
    return stop();
  };
};

type Options = { signal?: AbortSignal; version?: number };

/** Reads the headers of all tenants again. Continues where an earlier call or server has stopped. */
export const rereadAll = async (archive: Archive, { signal, version = readerVersion }: Options = {}): Promise<void> => {
  let failed: { error: unknown } | undefined;
  for (const tenantId of await storedTenants(archive.scopes)) {
    try {
      await rereadTenant(archive, tenantId, version, signal);
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error;
      // Files of a tenant that cannot be corrected do not delay the other tenants.
      failed ??= { error };
    }
  }
  if (failed) throw failed.error;
};

const rereadTenant = async (
  archive: Archive,
  tenantId: number,
  version: number,
  signal: AbortSignal | undefined,
): Promise<void> => {
  let isMore = true;
  while (isMore && !signal?.aborted) {
    isMore = await rereadNext(archive, tenantId, version).catch((error: unknown) => {
      // A merge of patients locks rows in another order.
      if (isDeadlock(error)) return true;
      throw error;
    });
    if (isMore) await wait(pause);
  }
};

/**
 * Reads the next files of a tenant again and corrects their rows in the same transaction. Returns false when no file is
 * left, or when another server is reading. Throws StorageUnavailable, because a store that cannot be reached says
 * nothing about its files.
 */
export const rereadNext = ({ scopes, blobs }: Archive, tenantId: number, version = readerVersion): Promise<boolean> =>
  scopes.inTenant(systemSession(tenantId), async (scope) => {
    const { db } = scope;
    await begin(scope, version);
    const job = await db.selectFrom('header_rereadings').selectAll().forUpdate().skipLocked().executeTakeFirst();
    if (!job || job.finished_at !== null || job.reader_version !== version) return false;
    const files = await nextFiles(scope, job.last_instance_id);
    const readings: Read[] = [];
    await inParallel(files, readInParallel, async (file) => {
      readings.push(await readAgain(blobs, tenantId, file));
    });
    await correctRows(scope, version, readings);
    const isMore = files.length === filesAtOnce;
    await db
      .updateTable('header_rereadings')
      .set({
        last_instance_id: files.at(-1)?.id ?? job.last_instance_id,
        files_read: sql`files_read + ${files.length}`,
        ...(!isMore && { finished_at: sql`now()` }),
      })
      .execute();
    return isMore;
  });

/** Begins the rereading for a version of the reader, unless this or a newer version has begun. */
const begin = async ({ db }: Scope, version: number): Promise<void> => {
  const known = await db.selectFrom('header_rereadings').select('reader_version').executeTakeFirst();
  if (known && known.reader_version >= version) return;
  await sql`
    insert into header_rereadings as h (reader_version, files_in_all) select ${version}::int, count(*)::int from instances
    on conflict (tenant_id) do update set reader_version = excluded.reader_version, files_in_all = excluded.files_in_all,
      files_read = 0, last_instance_id = null, begun_at = now(), finished_at = null
    where h.reader_version < excluded.reader_version`.execute(db);
};

/** Ids of instances grow with time, so files that arrive meanwhile are read too. */
const nextFiles = ({ db }: Scope, after: string | null): Promise<StoredFile[]> =>
  db
    .selectFrom('instances as i')
    .innerJoin('studies as s', 's.id', 'i.study_id')
    .innerJoin('series as r', 'r.id', 'i.series_id')
    .select(['i.id', 'i.study_id', 'i.series_id', 'i.sha256', 'i.size', 'i.metadata'])
    .select(['i.sop_instance_uid', 'i.sop_class_uid', 'i.instance_number', 'i.transfer_syntax_uid', 'i.rows'])
    .select(['i.columns', 'i.number_of_frames', 'i.bits_allocated', 'i.photometric_interpretation'])
    .select([
      'i.is_renderable',
      'i.is_localizer',
      'i.plane',
      'i.frame_index',
      's.study_instance_uid',
      'r.series_instance_uid',
    ])
    .$if(after !== null, (rest) => rest.where('i.id', '>', after))
    .orderBy('i.id')
    .limit(filesAtOnce)
    .execute();

const readAgain = async (blobs: Archive['blobs'], tenantId: number, file: StoredFile): Promise<Read> => {
  const sha256 = file.sha256.toString('hex');
  let errorOfStore: unknown;
  const read = (offset: number, length: number) =>
    blobs.read(tenantId, sha256, offset, length).catch((error: unknown) => {
      errorOfStore = error;
      throw error;
    });
  try {
    return { file, facts: await readFacts(read, file.size, tenantId) };
  } catch (thrown) {
    // The thread that reads large headers replaces the error of the store.
    const error = errorOfStore ?? thrown;
    if (error instanceof StorageUnavailable) throw error;
    if (!(error instanceof DicomError)) await assertStorePresent(blobs);
    return { file, failure: failureOf(error) };
  }
};

const failureOf = (error: unknown): Failure => {
  if (error instanceof DicomError) return error.fault;
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    return sentence`The file is missing in the store.`;
  return sentence`The file could not be read.`;
};
