import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { assertStorePresent } from '#core/blobs/assert-store-present.ts';
import type { Context } from '#core/context.ts';
import { type Scope, systemSession } from '#core/access/scope.ts';
import { type ComparedFile, compareTenant } from './compare-tenant.ts';
import { storedTenants } from './stored-tenants.ts';
import { lockStore } from './storage-locks.ts';
import { showRejected } from '#imaging/archive/rejection/show-rejected.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

/** A difference between database and store, with the affected instance or file if there is one. */
export type Difference = {
  tenant: string;
  what: string;
  sha256?: string;
  studyId?: string;
  sopInstanceUid?: string;
  /** A file of an atlas or guideline. */
  fileId?: string;
};

export type VerifyOptions = {
  /** Subdomain of the tenant to verify. Without it, all tenants are verified. */
  tenant?: string | undefined;
  /** True: compares only sizes and reads no files. */
  isFast?: boolean;
};

/** `bytes` counts the bytes that were read and hashed. */
export type VerifyCounts = { tenants: number; files: number; bytes: number; differences: number };

type Tenant = { id: number; subdomain: string };

/**
 * Compares database and store in both directions, and reads every file to compare its hash. Changes nothing. The server
 * may run, because each difference is checked again while no upload is running. Throws for an unknown tenant. Also
 * throws when the store cannot be reached, because missing files would then prove nothing.
 */
export const verifyArchive = async (
  archive: Archive,
  { tenant: tenantName, isFast = false }: VerifyOptions,
  report: (difference: Difference) => void,
): Promise<VerifyCounts> => {
  const all = await Promise.all((await storedTenants(archive.scopes)).map((id) => tenantOf(archive, id)));
  const tenants = all.filter(({ subdomain }) => tenantName === undefined || subdomain === tenantName);
  if (tenantName !== undefined && tenants.length === 0) throw new Error(`Tenant "${tenantName}" not found`);

  const done: VerifyCounts = { tenants: tenants.length, files: 0, bytes: 0, differences: 0 };
  const note = (difference: Difference) => {
    done.differences += 1;
    report(difference);
  };
  for (const tenant of tenants) {
    for await (const compared of compareTenant(archive, tenant.id)) {
      done.files += 1;
      const problem = await problemOf(archive, tenant, compared, isFast);
      done.bytes += problem.bytes;
      if (problem.what) note(await described(archive, tenant, compared.sha256, problem.what));
    }
    const miscounted = await miscount(archive, tenant);
    if (miscounted) note({ tenant: tenant.subdomain, what: miscounted });
  }
  if (tenantName === undefined) await reportStrangers(archive, note);
  return done;
};

const tenantOf = ({ scopes }: Archive, id: number): Promise<Tenant> =>
  scopes.inTenant(systemSession(id), ({ db }) =>
    db.selectFrom('tenants').select(['id', 'subdomain']).executeTakeFirstOrThrow(),
  );

type FileProblem = { what: string | undefined; bytes: number };

const problemOf = async (
  archive: Archive,
  tenant: Tenant,
  compared: ComparedFile,
  isFast: boolean,
): Promise<FileProblem> => {
  const { sha256, blob, row } = compared;
  if (!blob || !row || row.isMissing) return { what: await secondLook(archive, tenant, sha256), bytes: 0 };
  if (blob.size !== row.size) {
    return { what: `the file has ${blob.size} bytes, the database records ${row.size}`, bytes: 0 };
  }
  if (isFast) return { what: undefined, bytes: 0 };
  const actual = await hashOf(archive, tenant, sha256).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) throw error;
    return undefined;
  });
  // The file may be unreadable because its study was purged since the comparison.
  if (!actual) return { what: await secondLook(archive, tenant, sha256, 'the file cannot be read'), bytes: 0 };
  return { what: actual.sha256 === sha256 ? undefined : 'the content of the file has changed', bytes: actual.bytes };
};

/**
 * Checks a difference again while no upload has stored bytes without rows, and returns it if it still exists. Returns
 * `otherwise` if file and row both exist, and undefined if neither does.
 */
const secondLook = (
  { scopes, blobs }: Archive,
  { id }: Tenant,
  sha256: string,
  otherwise?: string,
): Promise<string | undefined> =>
  scopes.inTenant(systemSession(id), async (scope) => {
    await lockStore(scope);
    await showRejected(scope);
    const blob = await blobs.stat(id, sha256);
    const owner = (await instanceOf(scope, sha256)) ?? (await fileOf(scope, sha256));
    if (!blob && owner) await assertStorePresent(blobs);
    if (!blob) return owner && 'the file is missing from the store';
    if (!owner) return 'no database record uses this file';
    return owner.missing_since === null ? otherwise : 'the file exists but is marked as missing';
  });

const instanceOf = ({ db }: Scope, sha256: string) =>
  db
    .selectFrom('instances')
    .select(['study_id', 'sop_instance_uid', 'missing_since'])
    .where('sha256', '=', Buffer.from(sha256, 'hex'))
    .executeTakeFirst();

const fileOf = ({ db }: Scope, sha256: string) =>
  db
    .selectFrom('stored_files')
    .select(['id', 'missing_since'])
    .where('sha256', '=', Buffer.from(sha256, 'hex'))
    .executeTakeFirst();

/** Returns the hash of a stored file. If the store does not answer, asks it once more. */
const hashOf = (archive: Archive, tenant: Tenant, sha256: string) =>
  hashOnce(archive, tenant, sha256).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) return hashOnce(archive, tenant, sha256);
    throw error;
  });

const hashOnce = async ({ blobs }: Archive, { id }: Tenant, sha256: string) => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of blobs.stream(id, sha256)) {
    const piece: Buffer = chunk;
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
};

const described = async ({ scopes }: Archive, tenant: Tenant, sha256: string, what: string): Promise<Difference> => {
  const [instance, file] = await scopes.inTenant(systemSession(tenant.id), async (scope) => {
    await showRejected(scope);
    return [await instanceOf(scope, sha256), await fileOf(scope, sha256)] as const;
  });
  return {
    tenant: tenant.subdomain,
    what,
    sha256,
    ...(instance && { studyId: instance.study_id, sopInstanceUid: instance.sop_instance_uid }),
    ...(file && { fileId: file.id }),
  };
};

/**
 * Compares the counter that quotas use with the sum of the file sizes. One statement reads both, so they are from the
 * same moment.
 */
const miscount = ({ scopes }: Archive, { id }: Tenant): Promise<string | undefined> =>
  scopes.inTenant(systemSession(id), async ({ db }) => {
    await showRejected({ db });
    const { rows } = await sql<{ counted: number; actual: number }>`
      select (select coalesce(sum(bytes), 0)::bigint from storage_use) as counted,
             (select coalesce(sum(size), 0)::bigint from stored_bytes) as actual`.execute(db);
    const [sums] = rows;
    if (!sums || sums.counted === sums.actual) return undefined;
    return `the files have ${sums.actual} bytes, the storage count says ${sums.counted}`;
  });

/**
 * Reports files of tenants that the database does not know. These files are never removed, because the server may be
 * connected to the wrong database.
 */
const reportStrangers = async ({ blobs, scopes }: Archive, note: (difference: Difference) => void) => {
  let known: ReadonlySet<number> = new Set();
  const strangers = new Set<number>();
  for await (const { tenantId, sha256 } of blobs.list()) {
    // Reads the tenants again, because this one may have been created during the run.
    if (!known.has(tenantId) && !strangers.has(tenantId)) known = new Set(await storedTenants(scopes));
    if (known.has(tenantId)) continue;
    strangers.add(tenantId);
    note({ tenant: `number ${tenantId}`, what: 'the tenant does not exist in the database', sha256 });
  }
};
