import { sql } from 'kysely';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { inParallel } from '#core/resources/run-in-parallel.ts';
import { recordKeyIds, type OpenStorage } from '#core/blobs/open-blob-store.ts';
import { assertStorePresent } from '#core/blobs/assert-store-present.ts';
import type { Context } from '#core/context.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { storedTenants } from './stored-tenants.ts';
import { lockForUpload } from './storage-locks.ts';
import { areBeingRemovedSql, bytesOf } from './remove-unused.ts';

type Archive = Pick<Context, 'scopes'> & { storage: OpenStorage };

type Parts = NonNullable<OpenStorage['parts']>;

type Options = {
  /** Called often, each time with a progress message. */
  onProgress: (words: string) => void;
  /** Receives a message for each file that cannot be converted. */
  report: (words: string) => void;
};

/** `files` and `bytes` count what was converted. `left` counts the files that do not have the new form. */
export type Converted = { files: number; bytes: number; left: number };

/** Files converted in parallel. */
const atOnce = 4;
const listedTogether = 100;

/** A file whose form differs from the settings, and the part of the store that contains it. */
type ConvertibleFile = { tenantId: number; sha256: string; size: number; from: BlobStore };

/**
 * Converts every stored file to the form in the settings: encrypted with the current key, or plain. Servers keep
 * running. The new form of a file is durable before the old form is removed. The command may be killed and started
 * again. When all files have the new form, the store records that it needs no earlier key. Throws when the store cannot
 * be reached, because an empty mount point would look like a converted store.
 */
export const convertStore = async (
  { scopes, storage: { parts, plain, currentIds } }: Archive,
  { onProgress, report }: Options,
): Promise<Converted> => {
  const done: Converted = { files: 0, bytes: 0, left: 0 };
  if (!parts) return done;
  for (const tenantId of await storedTenants(scopes)) {
    for await (const group of inGroups(inOtherForm(parts, tenantId))) {
      await inParallel(group, atOnce, async (file) => {
        const fault = await convert(scopes, parts, file);
        if (fault) report(`tenant number ${tenantId}, file ${file.sha256}: ${fault}`);
        else {
          done.files += 1;
          done.bytes += file.size;
        }
        onProgress(`files: ${done.files}, ${(done.bytes / 1e6).toFixed(0)} MB`);
      });
    }
  }
  done.left = await countLeft(parts);
  await assertStorePresent(plain);
  if (done.left === 0) await recordKeyIds(plain, () => currentIds);
  return done;
};

async function* inOtherForm({ written, other, encrypted }: Parts, tenantId?: number): AsyncGenerator<ConvertibleFile> {
  for await (const blob of other.list(tenantId)) yield { ...blob, from: other };
  if (written !== encrypted) return;
  for await (const blob of encrypted.list(tenantId)) {
    // Includes files whose key cannot be read, so that the conversion reports them.
    const isCurrent = await encrypted.isCurrent(blob.tenantId, blob.sha256).catch(() => false);
    if (!isCurrent) yield { ...blob, from: encrypted };
  }
}

async function* inGroups(files: AsyncIterable<ConvertibleFile>): AsyncGenerator<ConvertibleFile[]> {
  let group: ConvertibleFile[] = [];
  for await (const file of files) {
    group.push(file);
    if (group.length < listedTogether) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** Returns why a file was not converted. Undefined when it was converted or removed from the archive. */
const convert = async (scopes: Scopes, { written }: Parts, { tenantId, sha256, size, from }: ConvertibleFile) => {
  const incoming = await written.receive(from.stream(tenantId, sha256), size, tenantId).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  if (incoming instanceof Error) {
    return (await from.stat(tenantId, sha256)) && `the file cannot be read (${incoming.message})`;
  }
  try {
    if ((await incoming.sha256) !== sha256) return 'the content has changed';
    await incoming.sync();
    await scopes.inTenant(systemSession(tenantId), async (scope) => {
      await lockForUpload(scope);
      if ((await isBeingRemoved(scope, sha256)) || !(await from.stat(tenantId, sha256))) return;
      await written.keep(tenantId, [incoming]);
      if (from !== written) await from.remove(tenantId, sha256);
    });
    return undefined;
  } finally {
    await incoming.discard();
  }
};

/** A process has claimed the file and will soon remove it from both parts of the store. */
const isBeingRemoved = async ({ db }: Scope, sha256: string): Promise<boolean> => {
  const { rows } = await sql<{
    isGoing: boolean;
  }>`select ${areBeingRemovedSql(bytesOf([sha256]))} as "isGoing"`.execute(db);
  return rows[0]?.isGoing ?? false;
};

/** Counts the files that failed, files of unknown tenants, and files that arrived during the conversion. */
const countLeft = async (parts: Parts): Promise<number> => {
  let count = 0;
  for await (const _ of inOtherForm(parts)) count += 1;
  return count;
};
