import { t } from '@radwork/contract/core/translate';
import { setTimeout as wait } from 'node:timers/promises';
import type { FileExtension } from '@radwork/contract/imaging/stored-files';
import { BeingRemoved, beginBatch } from '#imaging/archive/store/begin-batch.ts';
import { isDiskFull } from '#imaging/archive/store/free-space.ts';
import type { UploadSlots } from '#imaging/archive/store/upload-slots.ts';
import { markFound } from '#imaging/archive/upkeep/sweep-tenant.ts';
import { finishRemovals, removeUnused } from '#imaging/archive/upkeep/remove-unused.ts';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import type { Context } from '#core/context.ts';
import type { SentFile } from '#core/uploads/form-data.ts';
import { Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { type NewFile, noSpace, receiveFiles } from './receive-files.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config'>;

type Terms = { archive: Archive; slots: UploadSlots; accept: readonly FileExtension[] };

/** Number of retries while the same bytes are being removed, and the pause in milliseconds. */
const removal = { attempts: 40, pause: 250 };

/**
 * Reads an upload and runs `work` with its body and files. Rows are written and bytes are moved in one transaction.
 * After a refusal or an error, neither rows nor files remain.
 */
export const storeUpload = <B, T>(
  { archive, slots, accept }: Terms,
  session: Session,
  upload: { read: (take: (file: SentFile) => Promise<void>) => Promise<B> },
  work: (scope: Scope, body: B, files: readonly NewFile[]) => Promise<T>,
): Promise<T> =>
  slots(session.tenantId, async () => {
    const taking = receiveFiles(archive, session, accept);
    try {
      const body = await upload.read(taking.take);
      taking.refuseOrGoOn();
      return await keep(archive, session, taking.files, (scope) => work(scope, body, taking.files));
    } finally {
      await taking.discard();
    }
  });

const keep = async <T>(
  archive: Archive,
  session: Session,
  files: readonly NewFile[],
  work: (scope: Scope) => Promise<T>,
): Promise<T> => {
  if (files.length === 0) return archive.scopes.inTenant(session, work);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await keepOnce(archive, session, files, work);
    } catch (error) {
      if (error instanceof BeingRemoved && attempt < removal.attempts) {
        if ((await finishRemovals(archive, session.tenantId, hashesOf(files))) === 0) await wait(removal.pause);
        continue;
      }
      // While the store cannot be reached, a removal would claim the files without removing them, and later uploads of
      // these files would be refused.
      if (!(error instanceof StorageUnavailable)) await takeBack(archive, session, files);
      throw refusalOf(error);
    }
  }
};

const refusalOf = (error: unknown): unknown => {
  if (isDiskFull(error)) return noSpace();
  if (!(error instanceof BeingRemoved)) return error;
  const words = t`Storage cleanup is deleting the same file. Upload it again in a few minutes.`;
  return new Problem(503, 'store.being_removed', words, { retryAfterSeconds: 120 });
};

const hashesOf = (files: readonly NewFile[]): string[] => files.map(({ sha256 }) => sha256);

const keepOnce = <T>(
  { blobs, scopes }: Archive,
  session: Session,
  files: readonly NewFile[],
  work: (scope: Scope) => Promise<T>,
): Promise<T> =>
  scopes.inTenant(session, async (scope) => {
    const { room } = await beginBatch(scope, hashesOf(files));
    if (files.reduce((sum, { blob }) => sum + blob.size, 0) > room) throw quotaUsedUp();
    const result = await work(scope);
    await blobs.keep(
      session.tenantId,
      files.map(({ blob }) => blob),
    );
    await markFound(scope, hashesOf(files));
    return result;
  });

const quotaUsedUp = () =>
  new Problem(507, 'store.quota', t`The storage of your organization is full. Nothing was stored.`);

/** Removes bytes whose rows were not committed. If the database cannot be reached, upkeep removes these bytes later. */
const takeBack = async (archive: Archive, { tenantId }: Session, files: readonly NewFile[]): Promise<void> => {
  await removeUnused(archive, tenantId, hashesOf(files)).catch(() => {});
};

/** Removes bytes that no row uses any longer. If this fails, upkeep does it later. */
export const removeBytes = async (
  archive: Archive,
  { tenantId }: Session,
  hashes: readonly string[],
): Promise<void> => {
  await removeUnused(archive, tenantId, hashes).catch(() => {});
};
