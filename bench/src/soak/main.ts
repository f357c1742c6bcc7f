import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkPromises, type UploadLog, uploadUntil } from '../torture/clients.ts';
import { runCommand } from '../torture/commands.ts';
import { signInUser } from '../torture/tenant.ts';
import { createServerUnderTest } from '../torture/server-under-test.ts';
import { createOutages, createLedger, linesOf } from './outage-ledger.ts';
import { importUntil, missingImports, startRemoteArchive } from './imports.ts';
import { longestLife, sampleMemory, slopeOf } from './memory-slope.ts';
import { poll, search, view } from './reading-users.ts';
import { injectFaultsUntil } from './inject-faults.ts';
import { createSoakWriters } from './writers.ts';

/**
 * Runs a mixed load with strikes at random moments: SIGKILL of the server, cut database connections, a failing remote
 * archive. In the second half the server is not killed, and its memory growth is measured. Exits with 1 when
 * acknowledged data is lost, an answer was wrong, or verify finds a difference. See docs/security.md.
 */
const { values: args } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    /** Mean seconds between two strikes. */
    every: { type: 'string', default: '45' },
  },
});
const minutes = Number(args.minutes);
const every = Number(args.every);

const folder = mkdtempSync(join(tmpdir(), 'radwork-soak-'));
const settings = {
  REMOTE_ALLOW: 'net=127.0.0.0/8 ports=1-65535 protocols=http',
  REMOTE_TIMEOUT_SECONDS: '4',
  FREE_DISK_MB: '256',
};
const victim = createServerUnderTest(folder, settings);
const archive = await startRemoteArchive();
await victim.start();
const token = await signInUser(folder);

const installation = { address: victim.address, token };
const away = createOutages();
const ledger = createLedger(away);
const log: UploadLog = {
  promised: new Map(),
  answers: new Map(),
  lastBegun: 0,
  milliseconds: [],
  whenNotTaken: (start, status) => ledger.note('upload', start, status),
};
const reading = { installation, promised: log.promised, ledger };
const [ending, measuring] = [new AbortController(), new AbortController()];
const { signal } = ending;

/** Longest wait after the end for the first acknowledged image, in milliseconds. A busy machine needs some time. */
const longestWait = 60_000;

/** Waits until an image is acknowledged. */
const hasWorked = async (until: AbortSignal) => {
  for (const before = log.promised.size; log.promised.size === before && !until.aborted;) await wait(50);
};

const times = async (count: number, work: () => Promise<unknown>) => {
  await Promise.all(Array.from({ length: count }, work));
};

try {
  const writers = await createSoakWriters(installation, ledger, 2);
  const sampling = sampleMemory(victim.pid, measuring.signal);
  const load = Promise.all([
    uploadUntil(signal, { ...installation, atOnce: 2, pause: 500 }, log),
    times(3, () => view({ ...reading, signal })),
    times(1, () => search({ ...reading, signal })),
    times(5, () => poll({ ...reading, signal })),
    writers.writeUntil(signal),
  ]);
  const importing = importUntil(signal, { installation, archive, ledger });
  const sparedAt = performance.now() + (minutes / 2) * 60_000;
  const striking = injectFaultsUntil(signal, {
    victim,
    folder,
    archive,
    away,
    every,
    isSpared: () => performance.now() > sparedAt,
    hasWorked,
  });
  await wait(minutes * 60_000);
  await hasWorked(AbortSignal.timeout(longestWait));
  ending.abort();
  const [faultCounts, imported] = [await striking, await importing];
  await load;
  measuring.abort();
  const samples = await sampling;
  const slope = slopeOf(samples);

  const checked = await checkPromises(installation, log.promised);
  for (const path of checked.lost) ledger.wrong('upload', `LOST ${path}`);
  for (const path of checked.changed) ledger.wrong('upload', `CHANGED ${path}`);
  for (const study of await missingImports(installation, archive, imported)) ledger.wrong('import', `LOST ${study}`);
  await writers.examineAll();
  // Removes the bytes of interrupted uploads, which are no fault. Then verify must find no difference.
  await runCommand('upkeep', ['--unused-for', '0'], folder, settings);
  for (const name of ['verify', 'verify-audit'] as const) {
    const { code, said: output } = await runCommand(name, [], folder, settings);
    if (code !== 0) ledger.wrong(name, output);
  }

  ledger.kinds.set('upload', {
    ...(ledger.kinds.get('upload') ?? { duringOutage: 0, wrong: [] }),
    milliseconds: log.milliseconds,
  });
  for (const line of linesOf(ledger)) console.log(line);
  const wrong = [...ledger.kinds].flatMap(([name, kind]) => kind.wrong.map((problem) => `${name}: ${problem}`));
  for (const problem of wrong.slice(0, 50)) console.log(`WRONG ${problem}`);
  console.log(`struck: ${[...faultCounts].map(([name, count]) => `${name} ${count}`).join(', ')}`);
  console.log(`acknowledged: ${log.promised.size} images, ${imported.length} imports, ${writers.saved()} texts`);
  console.log(
    `memory: ${slope === undefined ? 'no server lived for over seven minutes' : `${slope.toFixed(1)} MB an hour`}`,
  );
  const ages = longestLife(samples).map(({ minutes: age, megabytes }) => `${age} min ${megabytes}`);
  console.log(`memory of the server that lived longest, in MB by its age: ${ages.join(', ')}`);
  console.log(`wrong: ${wrong.length}`);
  process.exitCode = wrong.length === 0 && log.promised.size > 0 ? 0 : 1;
} finally {
  await victim.stop();
  await archive.stop();
  rmSync(folder, { recursive: true, force: true });
}
