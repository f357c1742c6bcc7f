import { sql } from 'kysely';
import type { BlobStore } from '#core/blob-store.ts';
import { inParallel } from '#core/blobs/in-parallel.ts';
import { noteKeys, type OpenStorage } from '#core/blobs/open-blob-store.ts';
import { assertStillThere } from '#core/blobs/still-there.ts';
import type { Context } from '#core/context.ts';
import { type Scope, type Scopes, systemSession } from '#core/scope.ts';
import { storedTenants } from './tenants.ts';
import { takeUploadTurn } from './turns.ts';
import { areBeingRemoved, bytesOf } from './unused-bytes.ts';

type Archive = Pick<Context, 'scopes'> & { storage: OpenStorage };

type Parts = NonNullable<OpenStorage['parts']>;

type Options = {
  /** Hears how far it is, often. */
  tell: (words: string) => void;
  /** Hears of each file that stays as it is, in words. */
  report: (words: string) => void;
};

/** How many files were brought into the form of the settings, and how many are in another one still. */
export type Converted = { files: number; bytes: number; left: number };

/** Files that are read and written at the same time. */
const atOnce = 4;
const listedTogether = 100;

/** A file that is not as the settings ask for, and in which part of the store it is. */
type Found = { tenantId: number; sha256: string; size: number; from: BlobStore };

/**
 * Brings every stored file into the form that the settings ask for: encrypted with the current key, or not at all.
 * Servers go on meanwhile. A file is in its new form for good before it goes from the old one, so that whatever is killed
 * may be run again. Once nothing is in another form, the store says that no former key is needed any more. Throws when the
 * store is away: a disk that has gone has nothing in another form.
 */
export const convertStore = async (
  { scopes, storage: { parts, plain, currentIds } }: Archive,
  { tell, report }: Options,
): Promise<Converted> => {
  const done: Converted = { files: 0, bytes: 0, left: 0 };
  if (!parts) return done;
  for (const tenantId of await storedTenants(scopes)) {
    for await (const group of inGroups(inOtherForm(parts, tenantId))) {
      await inParallel(group, atOnce, async (found) => {
        const fault = await convert(scopes, parts, found);
        if (fault) report(`tenant number ${tenantId}, file ${found.sha256}: ${fault}`);
        else {
          done.files += 1;
          done.bytes += found.size;
        }
        tell(`files: ${done.files}, ${(done.bytes / 1e6).toFixed(0)} MB`);
      });
    }
  }
  done.left = await countLeft(parts);
  await assertStillThere(plain);
  if (done.left === 0) await noteKeys(plain, () => currentIds);
  return done;
};

async function* inOtherForm({ written, other, encrypted }: Parts, tenantId?: number): AsyncGenerator<Found> {
  for await (const blob of other.list(tenantId)) yield { ...blob, from: other };
  if (written !== encrypted) return;
  for await (const blob of encrypted.list(tenantId)) {
    // What cannot be told is tried, and reported.
    const isCurrent = await encrypted.isCurrent(blob.tenantId, blob.sha256).catch(() => false);
    if (!isCurrent) yield { ...blob, from: encrypted };
  }
}

async function* inGroups(found: AsyncIterable<Found>): AsyncGenerator<Found[]> {
  let group: Found[] = [];
  for await (const one of found) {
    group.push(one);
    if (group.length < listedTogether) continue;
    yield group;
    group = [];
  }
  yield group;
}

/** Why a file stays as it is, in words; undefined when it does not, or has left the archive meanwhile. */
const convert = async (scopes: Scopes, { written }: Parts, { tenantId, sha256, size, from }: Found) => {
  const incoming = await written.receive(from.stream(tenantId, sha256), size, tenantId).catch((error: unknown) => {
    if (error instanceof Error) return error;
    throw error;
  });
  if (incoming instanceof Error) {
    return (await from.stat(tenantId, sha256)) && `it cannot be read (${incoming.message})`;
  }
  try {
    if ((await incoming.sha256) !== sha256) return 'its bytes have changed';
    await incoming.sync();
    await scopes.inTenant(systemSession(tenantId), async (scope) => {
      await takeUploadTurn(scope);
      if ((await isBeingRemoved(scope, sha256)) || !(await from.stat(tenantId, sha256))) return;
      await written.keep(tenantId, [incoming]);
      if (from !== written) await from.remove(tenantId, sha256);
    });
    return undefined;
  } finally {
    await incoming.discard();
  }
};

/** Whoever has claimed a file removes it soon, from wherever it is then. */
const isBeingRemoved = async ({ db }: Scope, sha256: string): Promise<boolean> => {
  const { rows } = await sql<{ isGoing: boolean }>`select ${areBeingRemoved(bytesOf([sha256]))} as "isGoing"`.execute(
    db,
  );
  return rows[0]?.isGoing ?? false;
};

/** Those that could not be converted, those of tenants that the database does not know, and what came meanwhile. */
const countLeft = async (parts: Parts): Promise<number> => {
  let count = 0;
  for await (const _ of inOtherForm(parts)) count += 1;
  return count;
};
