import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { verifyArchive } from '#imaging/archive/upkeep/verify-archive.ts';
import { openLocalBlobStore } from '#core/blobs/disk/local-blob-store.ts';
import { kyselyOn, openServingPool } from '#core/database/database.ts';
import { systemSession } from '#core/access/scope.ts';
import { openScopes } from '../extensions.ts';
import { verifyWholeChain } from '#identity/audit/verify-chain.ts';
import { emptyDatabase, newFolder } from '#test/backup-folders.ts';
import { type Dump, dumpOf, readDump, type Version, versions, writeBackup } from '#test/earlier-versions.ts';
import { connect } from './database-facts.ts';
import { restore } from './restore.ts';

// Data from each earlier version must be complete and work with this version.

/** Restores the dump of an earlier version and migrates it to this version. */
const restoreAndMigrate = async (version: Version) => {
  const dump = await readDump(version);
  const folder = await newFolder();
  await writeBackup(dump, folder);
  const { DATABASE_URL: url, DATA_DIR } = await emptyDatabase();
  const blobs = await openLocalBlobStore(join(DATA_DIR, 'archive'));
  await restore({ url, blobs, dataDir: DATA_DIR }, folder, { onProgress: () => {}, report: () => {} });
  const client = await connect(url);
  const pool = openServingPool(url, 2);
  onTestFinished(async () => {
    await client.end();
    await pool.end();
    await blobs.close();
  });
  return { dump, client, archive: { blobs, scopes: openScopes(kyselyOn(pool)) }, DATA_DIR };
};

const rowsOf = ({ tables }: Dump, table: string): number => tables.find(({ name }) => name === table)?.rows ?? 0;

/**
 * Returns the tables that have fewer rows after the restore, with both counts. Leaves out `audit_unsealed`, because a
 * restore moves its entries into the audit chain.
 */
const lostRows = (before: Dump, after: Dump): string[] =>
  before.tables
    .filter(({ name, rows }) => name !== 'audit_unsealed' && rowsOf(after, name) < rows)
    .map(({ name, rows }) => `${name}: ${rowsOf(after, name)} of ${rows}`);

/** Reads the data that users would look for first. */
const readStoredData = async (client: pg.Client) => {
  const { rows: users } = await client.query(
    `select t.subdomain, u.username, u.password_hash from users u join tenants t on t.id = u.tenant_id order by 1, 2`,
  );
  const { rows: patients } = await client.query(`select patient_name from patients where search_text like '%ozturk%'`);
  const { rows: reports } = await client.query(
    `select status, content, content_hash = sha256(convert_to(content, 'UTF8')) as "isUnchanged"
     from reports order by status`,
  );
  const { rows: findings } = await client.query(
    'select finding, study_id, state, due_at is not null as "isDue" from critical_findings',
  );
  return { users, patients, reports, findings };
};

const whatWasStored = {
  users: [
    { subdomain: 'aphelion', username: 'admin', password_hash: 'hash-of-ada' },
    { subdomain: 'aphelion', username: 'rosa.lind', password_hash: 'hash-of-rosa' },
    { subdomain: 'perihelion', username: 'rosa.lind', password_hash: 'hash-of-other' },
  ],
  patients: [{ patient_name: 'Öztürk^Jürgen=吉田^純=よしだ^じゅん' }],
  reports: [
    { status: 'DRAFT', content: '<p>Draft of the knee.</p>', isUnchanged: null },
    { status: 'FINALIZED', content: '<p>Kein Herd: «unauffällig».</p>', isUnchanged: true },
  ],
  findings: [{ finding: 'Free air', study_id: '00000000-0000-4000-8000-000000000140', state: 'OPEN', isDue: true }],
};

test.each(versions)(
  'a database of version %s migrates to this version with all its rows and files',
  async (version) => {
    const { dump, client, archive, DATA_DIR } = await restoreAndMigrate(version);
    const differences: object[] = [];
    const { files } = await verifyArchive(archive, {}, (difference) => differences.push(difference));
    const after = await dumpOf(client, dump.id);
    const audit = await verifyWholeChain(archive.scopes, systemSession(1), DATA_DIR);
    const { rows: later } = await client.query<{ id: number }>(
      `insert into tenants (name, subdomain) values ('Later Clinic', 'later') returning id`,
    );

    expect(lostRows(dump, after)).toEqual([]);
    expect({ files, differences }).toEqual({ files: dump.files.length, differences: [] });
    expect(await readStoredData(client)).toEqual(whatWasStored);
    expect(audit).toMatchObject({ isIntact: true, faults: [] });
    // The restore adds one audit entry to each tenant.
    expect(rowsOf(after, 'audit_chain')).toBe(rowsOf(dump, 'audit_entries') + rowsOf(dump, 'tenants'));
    // After a restore, a sequence must not return a used number again.
    expect(later).toEqual([{ id: 3 }]);
  },
);
