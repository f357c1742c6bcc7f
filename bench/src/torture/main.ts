import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startS3Server } from '../../../server/test/s3-server.ts';
import { anyOf, countAcknowledged } from '../acknowledged.ts';
import { type Answers, checkPromises, type AcknowledgedFiles, type UploadLog, uploadUntil } from './clients.ts';
import { runCommand } from './commands.ts';
import { defects, flagsOf, stopSyncing } from './defects.ts';
import { type Fault, faults, mountSmallDisk, strike } from './faults.ts';
import { mountDisk } from './power.ts';
import { signInUser } from './tenant.ts';
import { createServerUnderTest } from './server-under-test.ts';

const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    kill: { type: 'string', default: 'server' },
    store: { type: 'string', default: 'file' },
    clients: { type: 'string', default: '4' },
    defect: { type: 'string' },
  },
});
const fault = faults.find((one) => one === args.kill);
if (!fault) throw new Error(`--kill takes one of ${faults.join(', ')}`);
if (args.store !== 'file' && args.store !== 's3') throw new Error('--store takes one of file, s3');
if (args.store === 's3' && fault === 'disk') throw new Error('Only the disk of local files can be filled');
const defect = defects.find((one) => one === args.defect);
if (args.defect !== undefined && !defect) throw new Error(`--defect takes one of ${defects.join(', ')}`);
const rounds = Number(args.rounds);
const atOnce = Number(args.clients);

const place = mkdtempSync(join(tmpdir(), 'radwork-torture-'));
const disk = fault === 'power' ? mountDisk(place) : undefined;
const folder = disk?.folder ?? place;
const bucket = args.store === 's3' ? await startS3Server() : undefined;
const settings: Record<string, string> = {
  // Sets no minimum of free space. Otherwise a small disk would count as full from the start, and so would a disk with
  // little room for its image file.
  ...((fault === 'disk' || fault === 'power') && { FREE_DISK_MB: '0' }),
  ...(bucket && { STORAGE_URL: bucket.url(), SECRET_KEY: 'a secret of the torture that nobody else has' }),
};
/** The folder of incoming bytes. */
const incoming = join(folder, bucket ? 'object-store/incoming' : 'archive/incoming');
const unmount = fault === 'disk' ? mountSmallDisk(folder) : undefined;
const victim = createServerUnderTest(folder, settings, flagsOf(defect));

const promised: AcknowledgedFiles = new Map();
const answers: Answers = new Map();
const totals = { lost: 0, changed: 0, differences: 0, leftovers: 0, swept: 0, restarts: [] as number[] };

/**
 * Uploads until an upload is acknowledged, then causes the fault. Afterwards restarts the server if needed, and waits
 * until it answers.
 */
const uploadThrough = async (faultKind: Fault, round: number): Promise<AcknowledgedFiles> => {
  // The first power cut may affect the files of the first start. Later power cuts strike after more uploads.
  const acknowledged = countAcknowledged(disk && round === 1 ? 1 : anyOf(3, 16));
  const log: UploadLog = {
    promised: new Map(),
    answers,
    lastBegun: 0,
    milliseconds: [],
    whenTaken: () => acknowledged.note('upload'),
  };
  const stopping = new AbortController();
  const uploading = uploadUntil(stopping.signal, { address: victim.address, token, atOnce }, log);
  await acknowledged.isEnough();
  await strike(faultKind, victim, { folder, disk });
  const startedAt = performance.now();
  if (victim.isRunning()) await acceptsAgain(log, startedAt);
  stopping.abort();
  await uploading;
  if (!victim.isRunning()) await victim.start();
  totals.restarts.push(performance.now() - startedAt);
  return log.promised;
};

/**
 * Waits for an acknowledged upload that began after the fault. The acknowledgment of an earlier upload may only be a
 * late answer.
 */
const acceptsAgain = async (log: UploadLog, struckAt: number) => {
  for (const end = Date.now() + 60_000; Date.now() < end; await wait(20)) {
    if (log.lastBegun > struckAt) return;
  }
  throw new Error('The server takes no uploads any more');
};

/** The sweeper removes unacknowledged bytes. Afterwards nothing may differ or be left over. */
const inspect = async () => {
  const upkeep = () => runCommand('upkeep', ['--unused-for', '0'], folder, settings);
  // The restarted server may be running its own upkeep. Then this upkeep is tried again.
  for (let done = await upkeep(); done.code !== 0; done = await upkeep()) {
    if (done.code !== 1) throw new Error(`The upkeep failed: ${done.said}`);
    await wait(200);
  }
  const { code, said: output } = await runCommand('verify', [], folder, settings);
  const [, differences = '1'] = /differences: (\d+)/.exec(output) ?? [];
  if (code !== 0) console.log(output);
  totals.differences += code === 0 ? 0 : Math.max(1, Number(differences));
  totals.leftovers += readdirSync(incoming).length;
};

const count = async (check: AcknowledgedFiles) => {
  const { lost, changed } = await checkPromises({ address: victim.address, token }, check);
  for (const path of lost) console.log(`LOST ${path}`);
  for (const path of changed) console.log(`CHANGED ${path}`);
  totals.lost += lost.length;
  totals.changed += changed.length;
};

const began = performance.now();
let token = '';
try {
  await victim.start();
  token = await signInUser(folder);
  if (defect === 'database') await stopSyncing(folder);
  for (let round = 1; round <= rounds; round += 1) {
    const fresh = await uploadThrough(fault, round);
    await count(fresh);
    await inspect();
    for (const [path, sha256] of fresh) promised.set(path, sha256);
    if (round % 10 === 0) console.log(`round ${round}: ${promised.size} acknowledged so far`);
  }
  await count(promised);
} finally {
  await victim.stop();
  unmount?.();
  await disk?.unmount();
  await bucket?.remove();
  rmSync(place, { recursive: true, force: true });
}

const middle = totals.restarts.toSorted((one, other) => one - other)[Math.floor(totals.restarts.length / 2)] ?? 0;
console.log(`rounds: ${rounds}, kill: ${fault}, store: ${args.store}, acknowledged: ${promised.size}`);
console.log(
  `lost: ${totals.lost}, changed: ${totals.changed}, differences: ${totals.differences}, leftovers: ${totals.leftovers}`,
);
const statuses = [...answers].map(([status, times]) => `${status === 'none' ? 'broken off' : status}: ${times}`);
console.log(`answers: ${statuses.join(', ')}`);
console.log(
  `back after: ${middle.toFixed(0)} ms (median), seconds altogether: ${((performance.now() - began) / 1000).toFixed(0)}`,
);
const isWhole = totals.lost + totals.changed + totals.differences + totals.leftovers === 0;
process.exitCode = isWhole && promised.size > 0 ? 0 : 1;
