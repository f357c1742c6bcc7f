import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { hashPassword } from '#core/access/passwords.ts';
import { orNotFound } from '#core/http/problem.ts';
import { accountSteps, codeOf, password } from '#test/account-steps.ts';
import { storeAs } from '#test/archive-calls.ts';
import { emptyDatabase, emptyDataDir, installed, newFolder, secretOf, type Settings } from '#test/backup-folders.ts';
import { eventually } from '#test/eventually.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { runCommand } from '#test/run-command.ts';
import { addressOf, startServer } from '#test/server-process.ts';
import { image, related, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { type Manifest, readManifest } from './manifest.ts';

// Restore drill: a backup made under load is restored on an empty machine.

const world = await createWorld();
const source = await installed(world);
await fillTenant(world, 'Aphelion');
await fillTenant(world, 'Perihelion');
const reader = await enroll();
const report = await signReport(reader);

/** A user who signs in with a secret that the database stores encrypted. */
const accounts = accountSteps(world);
const guarded = await accounts.newOwner();
const { key } = await accounts.enrol(guarded);
await accounts.later(guarded);

/** A user who signs in with a password. */
async function enroll(): Promise<Person> {
  const person = await world.signIn();
  const passwordHash = await hashPassword(password);
  await world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', person.userId).execute(),
  );
  return person;
}

async function signReport(person: Person) {
  await storeAs(person, image());
  const { data: page } = await person.send(studies.list);
  const { data: draft } = await beginReport(person, orNotFound(page.content[0], 'study').id);
  const { data } = await reportSteps(world).finalize(person, draft.id);
  return data;
}

const newImage = () => {
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const path = `studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  return { ...image(uids), path };
};

type Image = TestFile & { path: string };

const upload = async (address: string, authorization: string, file: Image): Promise<boolean> => {
  const { payload, headers } = related(file.bytes);
  const body = new Uint8Array(payload);
  const answer = await fetch(`${address}/dicom-web/studies`, {
    method: 'POST',
    headers: { ...headers, authorization },
    body,
  });
  await answer.arrayBuffer();
  return answer.ok;
};

/** Uploads without a pause until `stop`. `stored` lists the confirmed images. */
const uploading = (address: string, authorization: string) => {
  const stored: Image[] = [];
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const file = newImage();
      if (await upload(address, authorization, file)) stored.push(file);
    }
  };
  const done = Promise.all([work(), work(), work()]);
  return {
    stored,
    stop: async () => {
      isOver = true;
      await done;
    },
  };
};

const running = async (settings: Settings) => {
  const server = startServer(settings);
  const address = await addressOf(server);
  return {
    address,
    stop: async () => {
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, complaint: '' });
    },
  };
};

const signIn = async (address: string, username: string, code?: string): Promise<string> => {
  const answer = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, code }),
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  return `Bearer ${data.token}`;
};

/**
 * Backs up the test world while a server receives uploads. `acknowledged` lists the images confirmed before the start.
 */
const backUpUnderLoad = async () => {
  const folder = await newFolder();
  const server = await running(source);
  const uploads = uploading(server.address, await signIn(server.address, reader.username));
  await eventually(() => expect(uploads.stored.length).toBeGreaterThan(10));
  const acknowledged = [...uploads.stored];
  const done = await runCommand('backup', source, folder);
  const later = uploads.stored.length - acknowledged.length;
  await uploads.stop();
  await server.stop();
  expect(done.code).toBe(0);
  expect(later).toBeGreaterThan(0);
  return { folder, acknowledged, manifest: await readManifest(folder) };
};

/** Everything that a restore must not change. Audit entries are left out, because the restore adds its own. */
const unchanged = ({ tables, sequences, migrations, files }: Manifest) => ({
  tables: tables.filter(({ name }) => !['installation', 'sessions'].includes(name) && !name.startsWith('audit_')),
  sequences: sequences.filter(({ name }) => !name.startsWith('audit_')),
  migrations,
  files,
});

const rowsIn = ({ tables }: Manifest, table: string): number => tables.find(({ name }) => name === table)?.rows ?? 0;

/** Reads from the restored server as signed-in users. */
const answersOf = async (settings: Settings, images: readonly Image[]) => {
  const server = await running(settings);
  const authorization = await signIn(server.address, reader.username);
  const get = (path: string) => fetch(`${server.address}${path}`, { headers: { authorization } });
  const restored = await get(`/api/reports/${report.id}`).then((answer) => answer.json() as Promise<{ data: object }>);
  const same = await Promise.all(
    images.map(async ({ path, bytes }) => {
      const answer = await get(`/dicom-web/${path}`);
      return Buffer.from(await answer.arrayBuffer()).includes(bytes);
    }),
  );
  const asGuarded = { authorization: await signIn(server.address, guarded.username, codeOf(key)) };
  const { status } = await fetch(`${server.address}/api/studies`, { headers: asGuarded });
  await server.stop();
  return { guarded: status, report: restored.data, areSame: same.every(Boolean), images: same.length };
};

test.each([
  ['a separate PostgreSQL server', emptyDatabase],
  ['the embedded PostgreSQL', emptyDataDir],
])(
  'a backup made under load is complete after a restore on an empty machine with %s',
  { timeout: 180_000 },
  async (_, empty) => {
    const SECRET_KEY = await secretOf(world);
    const { folder, acknowledged, manifest } = await backUpUnderLoad();
    const target = { ...(await empty()), SECRET_KEY };

    const restored = await runCommand('restore', target, folder);
    const again = await newFolder();
    const backedUpAgain = await runCommand('backup', target, again);
    const verified = await runCommand('verify', target);
    const answers = await answersOf(target, acknowledged);
    const audit = await runCommand('verify-audit', target);

    expect(restored.code).toBe(0);
    expect(backedUpAgain.code).toBe(0);
    const after = await readManifest(again);
    expect(unchanged(after)).toEqual(unchanged(manifest));
    expect(rowsIn(after, 'audit_entries')).toBe(rowsIn(manifest, 'audit_entries') + rowsIn(manifest, 'tenants'));
    expect([rowsIn(after, 'audit_chain'), rowsIn(after, 'audit_unsealed')]).toEqual([
      rowsIn(after, 'audit_entries'),
      0,
    ]);
    expect(verified).toMatchObject({ code: 0, said: expect.stringContaining('differences: 0') });
    expect(audit.code).toBe(0);
    expect(answers).toMatchObject({
      guarded: 200,
      areSame: true,
      images: acknowledged.length,
      report: {
        contentHash: report.contentHash,
        isUnchanged: true,
        signatureData: expect.stringContaining('data:image'),
      },
    });
  },
);
