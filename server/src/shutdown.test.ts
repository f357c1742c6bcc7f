import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { probes } from '@radwork/contract/identity/health';
import { expect, test } from 'vitest';
import { serve } from '#test/served-world.ts';
import { addressOf } from '#test/server-process.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

// Stops a server in a separate process by signals.

const world = await createWorld();

const start = async (settings: Record<string, string> = {}) => {
  const server = serve(world, settings);
  return { server, address: await addressOf(server) };
};

type Upload = { call: ClientRequest; rest: Buffer; answered: Promise<IncomingMessage> };

/** Sends the first half of an upload. There may be no reply. */
const beginUpload = async (address: string, person: Person): Promise<Upload> => {
  const { payload, headers } = related(image({ Rows: 512, Columns: 512 }).bytes);
  const half = payload.length >> 1;
  const call = request(`${address}/dicom-web/studies`, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${person.token}`,
      'content-length': payload.length,
      expect: '100-continue',
    },
  });
  const answered = once(call, 'response').then(([response]: IncomingMessage[]) => {
    if (!response) throw new Error('There is no answer');
    return response;
  });
  answered.catch(() => {});
  call.flushHeaders();
  // Waits until the server confirms that it has accepted the call.
  await once(call, 'continue');
  await new Promise<void>((sent) => {
    call.write(payload.subarray(0, half), () => sent());
  });
  return { call, rest: payload.subarray(half), answered };
};

const storedOf = async (person: Person): Promise<number> => {
  const rows = await person.inScope(({ db }) => db.selectFrom('instances').select('id').execute());
  return rows.length;
};

test('finishes and acknowledges an upload in progress even if the stop signal arrives twice', async () => {
  const { server, address } = await start();
  const person = await world.signIn();
  const { call, rest, answered } = await beginUpload(address, person);

  server.child.kill('SIGTERM');
  await wait(50);
  server.child.kill('SIGTERM');
  await expect.poll(() => fetch(address).then(String, String)).toContain('TypeError');
  call.end(rest);
  const response = await answered;
  await json(response);

  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  expect(await server.ended).toEqual({ code: 0, complaint: '' });
  expect(await storedOf(person)).toBe(1);
});

test('a stopping server first reports not ready but still accepts calls', async () => {
  const { server, address } = await start({ DRAIN_SECONDS: '8' });
  const person = await world.signIn();
  const ready = () => fetch(`${address}${probes.ready.path}`);
  const before = await ready();

  server.child.kill('SIGTERM');
  await expect.poll(async () => (await ready()).status).toBe(503);
  const { call, rest, answered } = await beginUpload(address, person);
  call.end(rest);
  const response = await answered;
  await json(response);

  expect([before.status, response.statusCode]).toEqual([200, 200]);
  expect(await server.ended).toEqual({ code: 0, complaint: '' });
  expect(await storedOf(person)).toBe(1);
});

test('a stalled upload delays the stop of a server only for the configured time', async () => {
  const { server, address } = await start({ SHUTDOWN_SECONDS: '1' });
  const person = await world.signIn();
  const { answered } = await beginUpload(address, person);
  const began = performance.now();

  server.child.kill('SIGTERM');
  const ended = await server.ended;

  expect(ended).toEqual({ code: 0, complaint: '' });
  expect(performance.now() - began).toBeGreaterThan(900);
  // With the default settings, the stop would take a minute.
  expect(performance.now() - began).toBeLessThan(30_000);
  await expect(answered).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(await storedOf(person)).toBe(0);
});

test('after an unexpected error the server finishes its work, ends, and logs no patient data', async () => {
  const failing = `process.on('SIGUSR2', () => JSON.parse(process.env.READ))`;
  const { server, address } = await start({
    READ: 'Doe^John',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(failing)}`,
  });
  const person = await world.signIn();
  const { call, rest, answered } = await beginUpload(address, person);

  const { stderr } = server.child;
  if (!stderr) throw new Error('The server cannot complain');
  const complains = once(stderr, 'data');
  server.child.kill('SIGUSR2');
  await complains;
  call.end(rest);
  const response = await answered;
  await json(response);
  const { code, complaint } = await server.ended;

  expect([response.statusCode, code]).toEqual([200, 1]);
  expect(JSON.parse(complaint)).toMatchObject({ level: 60, msg: 'unexpected', err: { type: 'SyntaxError' } });
  expect(complaint).not.toContain('Doe');
  expect(await storedOf(person)).toBe(1);
});
