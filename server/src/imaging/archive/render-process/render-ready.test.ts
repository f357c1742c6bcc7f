import { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import type { DecodeJob } from '#imaging/archive/pixels/pixel-format.ts';
import { createRenderPool } from './render-pool.ts';

const job = (size: number): DecodeJob => ({
  frame: new Uint8Array(size * size).fill(7),
  codec: 'none',
  format: {
    rows: size,
    columns: size,
    samplesPerPixel: 1,
    bitsAllocated: 8,
    bitsStored: 8,
    highBit: 7,
    isSigned: false,
    isFloat: false,
    isPlanar: false,
    photometricInterpretation: 'MONOCHROME2',
  },
});
const decoded = new Uint8Array(16 * 16).fill(7);

/** Records the processes that start before the end of the test. */
const watchProcesses = () => {
  const started: ChildProcess[] = [];
  const { promise: first, resolve } = Promise.withResolvers<ChildProcess>();
  const note = (message: unknown) => {
    if (typeof message !== 'object' || !message || !('process' in message)) return;
    if (!(message.process instanceof ChildProcess)) return;
    started.push(message.process);
    resolve(message.process);
  };
  subscribe('child_process', note);
  onTestFinished(() => void unsubscribe('child_process', note));
  return { started, first };
};

const openPool = (settings: Parameters<typeof createRenderPool>[0] = {}) => {
  const pool = createRenderPool(settings);
  onTestFinished(pool.close);
  return pool;
};

/** A process sends one message without a request: that it is ready. */
const ready = (process: ChildProcess) => once(process, 'message');

test('a prepared rendering process is ready before the first frame and decodes it', async () => {
  const { started, first } = watchProcesses();
  const pool = openPool();

  pool.prepare();
  await ready(await first);
  const { pixels } = await pool.decode(1, job(16));

  expect(new Uint8Array(pixels)).toEqual(decoded);
  expect(started).toHaveLength(1);
});

test('replaces an idle rendering process that has died when work arrives', async () => {
  const { started, first } = watchProcesses();
  const pool = openPool();
  pool.prepare();
  const idle = await first;
  await ready(idle);

  idle.kill('SIGKILL');
  await once(idle, 'exit');
  const { pixels } = await pool.decode(1, job(16));

  expect(new Uint8Array(pixels)).toEqual(decoded);
  expect(started).toHaveLength(2);
});

test('a metadata request prepares a rendering process, which ends with the server', async () => {
  const world = await createWorld();
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  await storeAs(person, image({ StudyInstanceUID }));
  const { first } = watchProcesses();

  await getFrom(person, `/studies/${StudyInstanceUID}/metadata`);
  const process = await first;
  const firstMessage = await ready(process);
  const ended = once(process, 'exit');
  await world.app.close();

  expect(firstMessage).toEqual([{ kind: 'ready' }, undefined]);
  expect(await ended).toEqual([null, 'SIGKILL']);
});
