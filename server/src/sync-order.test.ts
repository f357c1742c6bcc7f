import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { image } from '#test/upload.ts';
import { spawnServer } from '#test/spawned-server.ts';
import { callsIn } from '#test/traced-calls.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** Without the right to trace, or without the program, these tests have nothing to look at. */
const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const unlessTraced = ' (skipped: there is no strace, or no right to use it)';

const send = (address: string, { token }: Person) =>
  fetch(`${address}/dicom-web/studies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/dicom', accept: 'text/plain' },
    body: new Uint8Array(image().bytes),
  });

const newLog = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'log');
};

const commit = /^write\((\d+)<.*"Q[^"]*commit\\0"/;
const writesInstances = /^writev?\((\d+)<.*insert into instances/;

/** What happened to the bytes of an upload, in the order in which it was over, told by the calls of the system. */
const steps = [
  { step: 'bytes synced', call: /^fdatasync\(\d+<[^>]*\/incoming\/[^>]+>\) += 0/ },
  { step: 'in place', call: /^rename\("[^"]*\/incoming\/[^"]+", "[^"]*\/[0-9a-f]{64}"\) += 0/ },
  { step: 'folder synced', call: /^fsync\(\d+<[^>]*\/archive\/\d+\/[0-9a-f]{2}>\) += 0/ },
  { step: 'committed', call: commit },
  { step: 'answered', call: /^writev?\(.*HTTP\/1\.1 200/ },
];

/** The steps of the upload; what the server's own rounds commit meanwhile is on other connections to the database. */
const stepsIn = (log: string): string[] => {
  const calls = callsIn(log);
  const ofUpload = calls.map((call) => writesInstances.exec(call)?.[1]).find(Boolean);
  const isOfUpload = (call: string) => [ofUpload, undefined].includes(commit.exec(call)?.[1]);
  return calls.filter(isOfUpload).flatMap((call) => steps.find((one) => one.call.test(call))?.step ?? []);
};

test.skipIf(!canTrace)(
  `an upload is answered after its commit, and committed after its bytes and their name are on disk${canTrace ? '' : unlessTraced}`,
  { timeout: 60_000 },
  async () => {
    const person = await world.signIn();
    const log = newLog();
    const traced = 'trace=fdatasync,fsync,rename,write,writev';
    const server = await spawnServer(world, ['strace', '-f', '-y', '-s', '4000', '-e', traced, '-o', log]);

    const answer = await send(server.address, person);
    await server.stop();

    expect(answer.status).toBe(200);
    const seen = stepsIn(readFileSync(log, 'utf8'));
    const stored = seen.slice(seen.indexOf('bytes synced'), seen.indexOf('answered') + 1);
    expect(stored.filter((step, index) => step !== stored[index - 1])).toEqual(steps.map(({ step }) => step));
  },
);

test.skipIf(!canTrace)(
  `an upload whose bytes the disk does not keep fails, once and for all${canTrace ? '' : unlessTraced}`,
  { timeout: 60_000 },
  async () => {
    const person = await world.signIn();
    const log = newLog();
    const failing = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO'];
    const server = await spawnServer(world, ['strace', '-f', ...failing, '-o', log]);

    const answer = await send(server.address, person);
    await server.stop();

    expect(answer.status).toBe(500);
    expect(callsIn(readFileSync(log, 'utf8')).filter((call) => call.startsWith('fdatasync'))).toHaveLength(1);
    expect(await person.inScope(({ db }) => db.selectFrom('instances').select('id').execute())).toEqual([]);
  },
);
