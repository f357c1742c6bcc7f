import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { simpleInstance } from '@radwork/phantom/instance';
import { z } from 'zod';
import { anyOf, countAcknowledged } from '../acknowledged.ts';
import { mountDisk } from '../torture/power.ts';
import { signInUser } from '../torture/tenant.ts';
import { createServerUnderTest } from '../torture/server-under-test.ts';
import { examine, examineAll, type Faults } from './examine.ts';
import { createServerCalls } from './server-calls.ts';
import { type AcknowledgedState, promiseNothing, writeUntilKilled } from './writer.ts';

/**
 * Kills the server, and every fourth time its database too, while reports are typed, saved and signed. With `--kill
 * power`, cuts the power of both and of their disk instead. In each round, this happens after a save and a signature
 * were acknowledged.
 */
const { values: args } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    writers: { type: 'string', default: '4' },
    kill: { type: 'string', default: 'server' },
  },
});
if (args.kill !== 'server' && args.kill !== 'power') throw new Error('--kill takes one of server, power');
const rounds = Number(args.rounds);
const place = mkdtempSync(join(tmpdir(), 'radwork-report-torture-'));
const disk = args.kill === 'power' ? mountDisk(place) : undefined;
const folder = disk?.folder ?? place;
const victim = createServerUnderTest(folder, disk ? { FREE_DISK_MB: '0' } : {});
const signature = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;
const faults: Faults = { lost: [], signedTwice: [], otherText: [] };

const listResponse = z.object({
  data: z.object({ content: z.array(z.object({ id: z.string(), patient: z.object({ id: z.string() }) })) }),
});

/** Stores `count` studies and returns their ids and patients. */
const storeStudies = async (count: number) => {
  const boundary = 'radwork-report-torture';
  const parts = Array.from({ length: count }, () => [
    partHeader({ boundary, contentType: 'application/dicom' }),
    simpleInstance(),
  ]);
  const authorization = `Bearer ${token}`;
  await fetch(`${victim.address()}/dicom-web/studies`, {
    method: 'POST',
    headers: { authorization, 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` },
    body: new Uint8Array(Buffer.concat([...parts.flat(), closingBoundary(boundary)])),
  });
  const response = await fetch(`${victim.address()}/api/studies?size=100`, { headers: { authorization } });
  const { data } = listResponse.parse(await response.json());
  return data.content.map(({ id, patient }) => ({ studyId: id, patientId: patient.id }));
};

const killWhileWriting = async (round: number, writing: readonly AcknowledgedState[]) => {
  const calls = createServerCalls(victim.address, token);
  const acknowledged = countAcknowledged(anyOf(8, disk ? 80 : 30), ['save', 'finalize']);
  const strike = async () => {
    await acknowledged.isEnough();
    if (disk) return disk.cutPower(victim);
    await Promise.all([victim.kill(), round % 4 === 0 && victim.killDatabase()]);
  };
  const write = (promised: AcknowledgedState) => writeUntilKilled(calls, promised, signature, acknowledged.note);
  await Promise.all([strike(), ...writing.map(write)]);
  leastSaved = Math.min(leastSaved, acknowledged.count('begin', 'save'));
  leastSigned = Math.min(leastSigned, acknowledged.count('finalize'));
  await victim.start();
  await Promise.all(writing.map(async (promised) => note(await examine(calls, promised, signature))));
};

const note = (newFaults: Faults) => {
  for (const kind of ['lost', 'signedTwice', 'otherText'] as const) faults[kind].push(...newFaults[kind]);
};

let token = '';
/** The fewest acknowledgments of any round. A round without any would prove nothing. */
let leastSaved = Number.POSITIVE_INFINITY;
let leastSigned = Number.POSITIVE_INFINITY;
let promises: AcknowledgedState[] = [];
try {
  await victim.start();
  token = await signInUser(folder);
  promises = (await storeStudies(Number(args.writers))).map(promiseNothing);
  for (let round = 1; round <= rounds; round += 1) await killWhileWriting(round, promises);
  const calls = createServerCalls(victim.address, token);
  await Promise.all(promises.map(async (promised) => note(await examineAll(calls, promised))));
} finally {
  await victim.stop();
  await disk?.unmount();
  rmSync(place, { recursive: true, force: true });
}

const saves = promises.flatMap(({ versions }) => [...versions.values()].map(({ size }) => size));
const signed = promises.reduce((sum, promised) => sum + promised.signed.size, 0);
for (const [kind, words] of Object.entries(faults)) for (const fault of words) console.log(`${kind}: ${fault}`);
console.log(
  `rounds: ${rounds}, kill: ${args.kill}, saved: ${saves.reduce((sum, size) => sum + size, 0)}, signed: ${signed}`,
);
console.log(`fewest in a round: saved ${leastSaved}, signed ${leastSigned}`);
console.log(
  `lost: ${faults.lost.length}, signed twice: ${faults.signedTwice.length}, other text: ${faults.otherText.length}`,
);
const isWhole = Object.values(faults).every((words) => words.length === 0);
process.exitCode = isWhole && leastSaved > 0 && leastSigned > 0 ? 0 : 1;
