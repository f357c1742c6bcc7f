import { setTimeout as wait } from 'node:timers/promises';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { simpleInstance } from '@radwork/phantom/instance';
import { z } from 'zod';
import { examine, examineAll, type Faults } from '../report-torture/examine.ts';
import { createServerCalls, type ServerCalls } from '../report-torture/server-calls.ts';
import { type AcknowledgedState, promiseNothing, writeUntilKilled } from '../report-torture/writer.ts';
import type { Ledger } from './outage-ledger.ts';
import { request, type Installation } from './reading-users.ts';

const signature = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;
const listResponse = z.object({
  data: z.object({ content: z.array(z.object({ id: z.string(), patient: z.object({ id: z.string() }) })) }),
});

/** Stores a study for each writer before the first strike. */
const storeStudies = async (installation: Installation, count: number) => {
  const boundary = 'radwork-soak';
  const parts = Array.from({ length: count }, () => [
    partHeader({ boundary, contentType: 'application/dicom' }),
    simpleInstance(),
  ]);
  await request(installation, '/dicom-web/studies', {
    method: 'POST',
    headers: { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` },
    body: new Uint8Array(Buffer.concat([...parts.flat(), closingBoundary(boundary)])),
  });
  const { body } = await request(installation, '/api/studies?size=100');
  const { data } = listResponse.parse(JSON.parse(body.toString()));
  return data.content.map(({ id, patient }) => promiseNothing({ studyId: id, patientId: patient.id }));
};

/** Delays each writing call like a typing user, and records its duration. */
const paced = (calls: ServerCalls, ledger: Ledger): ServerCalls => {
  const slowly =
    <A extends unknown[], T extends { status: number }>(name: string, call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await wait(200 + Math.random() * 400);
      const from = performance.now();
      const answer = await call(...args);
      ledger.note(`report: ${name}`, from, answer.status);
      return answer;
    };
  return {
    ...calls,
    begin: slowly('begin', calls.begin),
    save: slowly('save', calls.save),
    keep: slowly('keep', calls.keep),
    finalize: slowly('sign', calls.finalize),
  };
};

/** Writers who write and sign the reports of their own studies, whatever happens to the server. */
export const createSoakWriters = async (installation: Installation, ledger: Ledger, count: number) => {
  const promises = await storeStudies(installation, count);
  const plain = createServerCalls(installation.address, installation.token);
  const calls = paced(plain, ledger);
  const note = (newFaults: Faults) => {
    for (const fault of Object.values(newFaults).flat()) ledger.wrong('report', fault);
  };

  /** Once the server answers again, compares its data with what it acknowledged, and continues to write. */
  const writeOn = async (promised: AcknowledgedState, signal: AbortSignal) => {
    while (!signal.aborted) {
      await writeUntilKilled(untilEnd(calls, signal), promised, signature);
      while ((await request(installation, '/health/ready')).status !== 200) await wait(50);
      note(await examine(plain, promised, signature));
    }
  };

  return {
    writeUntil: (signal: AbortSignal) => Promise.all(promises.map((promised) => writeOn(promised, signal))),
    examineAll: async () => {
      for (const promised of promises) note(await examineAll(plain, promised));
    },
    saved: () => promises.flatMap(({ versions }) => [...versions.values()]).reduce((sum, { size }) => sum + size, 0),
  };
};

/** Makes no further call after the load ends, as if the server were killed. */
const untilEnd = (calls: ServerCalls, signal: AbortSignal): ServerCalls => {
  const ending =
    <A extends unknown[], T>(call: (...args: A) => Promise<{ status: number; data?: T }>) =>
    async (...args: A): Promise<{ status: number; data?: T }> =>
      signal.aborted ? { status: 0 } : call(...args);
  return {
    ...calls,
    begin: ending(calls.begin),
    save: ending(calls.save),
    keep: ending(calls.keep),
    finalize: ending(calls.finalize),
  };
};
