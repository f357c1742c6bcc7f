import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { simpleInstance } from '@radwork/phantom/instance';
import { z } from 'zod';
import { signInSomebody } from '../torture/tenant.ts';
import { createVictim } from '../torture/victim.ts';
import { examine, examineAll, type Faults } from './examine.ts';
import { createServerCalls } from './server-calls.ts';
import { type Promised, promiseNothing, writeUntilKilled } from './writer.ts';

/** Kills the server, and its database every fifth time, while reports are typed, saved and signed. */
const { values: asked } = parseArgs({
  options: { rounds: { type: 'string', default: '50' }, writers: { type: 'string', default: '4' } },
});
const rounds = Number(asked.rounds);
const folder = mkdtempSync(join(tmpdir(), 'radwork-report-torture-'));
const victim = createVictim(folder, {});
const signature = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;
const faults: Faults = { lost: [], signedTwice: [], otherText: [] };

const listed = z.object({
  data: z.object({ content: z.array(z.object({ id: z.string(), patient: z.object({ id: z.string() }) })) }),
});

/** Puts as many studies into the archive, and answers which they are and of whom. */
const storeStudies = async (token: string, count: number) => {
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
  const { data } = listed.parse(await response.json());
  return data.content.map(({ id, patient }) => ({ studyId: id, patientId: patient.id }));
};

const killWhileWriting = async (round: number, writing: readonly Promised[]) => {
  const calls = createServerCalls(victim.address, token);
  const strike = async () => {
    await wait(200 + Math.random() * 800);
    await Promise.all([victim.kill(), round % 5 === 0 && victim.killDatabase()]);
  };
  await Promise.all([strike(), ...writing.map((promised) => writeUntilKilled(calls, promised, signature))]);
  await victim.start();
  await Promise.all(writing.map(async (promised) => note(await examine(calls, promised, signature))));
};

const note = (found: Faults) => {
  for (const kind of ['lost', 'signedTwice', 'otherText'] as const) faults[kind].push(...found[kind]);
};

await victim.start();
const token = await signInSomebody(folder);
const promises = (await storeStudies(token, Number(asked.writers))).map(promiseNothing);
try {
  for (let round = 1; round <= rounds; round += 1) await killWhileWriting(round, promises);
  const calls = createServerCalls(victim.address, token);
  await Promise.all(promises.map(async (promised) => note(await examineAll(calls, promised))));
} finally {
  await victim.stop();
  rmSync(folder, { recursive: true, force: true });
}

const saves = promises.flatMap(({ versions }) => [...versions.values()].map(({ size }) => size));
const signed = promises.reduce((sum, promised) => sum + promised.signed.size, 0);
for (const [kind, words] of Object.entries(faults)) for (const fault of words) console.log(`${kind}: ${fault}`);
console.log(`rounds: ${rounds}, saved: ${saves.reduce((sum, size) => sum + size, 0)}, signed: ${signed}`);
console.log(
  `lost: ${faults.lost.length}, signed twice: ${faults.signedTwice.length}, other text: ${faults.otherText.length}`,
);
const isWhole = Object.values(faults).every((words) => words.length === 0);
process.exitCode = isWhole && signed > 0 ? 0 : 1;
