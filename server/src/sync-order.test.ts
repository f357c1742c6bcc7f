import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { image } from '#test/multipart-upload.ts';
import { spawnServer } from '#test/spawned-server.ts';
import { callsIn } from '#test/traced-calls.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** The tests are skipped without strace or the right to use it. */
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

/** System calls that show the steps of an upload, in the required order. */
const steps = [
  { step: 'bytes synced', call: /^fdatasync\(\d+<[^>]*\/incoming\/[^>]+>\) += 0/ },
  { step: 'in place', call: /^rename\("[^"]*\/incoming\/[^"]+", "[^"]*\/[0-9a-f]{64}"\) += 0/ },
  { step: 'folder synced', call: /^fsync\(\d+<[^>]*\/archive\/\d+\/[0-9a-f]{2}>\) += 0/ },
  { step: 'committed', call: commit },
  { step: 'answered', call: /^writev?\(.*HTTP\/1\.1 200/ },
];

/** Returns the steps of an upload. Commits of periodic work use other database connections and are left out. */
const stepsIn = (log: string): string[] => {
  const calls = callsIn(log);
  const ofUpload = calls.map((call) => writesInstances.exec(call)?.[1]).find(Boolean);
  const isOfUpload = (call: string) => [ofUpload, undefined].includes(commit.exec(call)?.[1]);
  return calls.filter(isOfUpload).flatMap((call) => steps.find((step) => step.call.test(call))?.step ?? []);
};

test.skipIf(!canTrace)(
  `an upload is committed after its bytes and name are on disk, and acknowledged after that${canTrace ? '' : unlessTraced}`,
  { timeout: 60_000 },
  async () => {
    const person = await world.signIn();
    const log = newLog();
    const traced = 'trace=fdatasync,fsync,rename,write,writev';
    const server = await spawnServer(world, ['strace', '-f', '-y', '-s', '4000', '-e', traced, '-o', log]);

    const answer = await send(server.address, person);
    await server.stop();

    expect(answer.status).toBe(200);
    const allSteps = stepsIn(readFileSync(log, 'utf8'));
    const stored = allSteps.slice(allSteps.indexOf('bytes synced'), allSteps.indexOf('answered') + 1);
    expect(stored.filter((step, index) => step !== stored[index - 1])).toEqual(steps.map(({ step }) => step));
  },
);

test.skipIf(!canTrace)(
  `an upload whose bytes cannot be synced fails without a retry${canTrace ? '' : unlessTraced}`,
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
