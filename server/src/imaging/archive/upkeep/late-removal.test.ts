import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { StorageUnavailable } from '#core/blobs/blob-store.ts';
import { storeAs } from '#test/archive-calls.ts';
import { startS3Server } from '#test/s3-server.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { removeUnused } from './remove-unused.ts';

// Simulates an overloaded object store: it runs a request after the client has given up.

const s3 = await startS3Server();
const { port } = new URL(s3.url().replace('s3:', 'http:'));

/** When set, receives the next DELETE request. That request gets no answer, and the test runs it later. */
let forLater: ((removal: IncomingMessage) => void) | undefined;

const handOn = ({ method = '', url = '', headers }: IncomingMessage, body: Readable): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    body.pipe(ask({ port, method, path: url, headers }, resolve).once('error', reject));
  });

const before = createServer(async (request, response) => {
  if (request.method === 'DELETE' && forLater) {
    forLater(request);
    forLater = undefined;
    request.socket.destroy();
    return;
  }
  const answer = await handOn(request, request);
  response.writeHead(answer.statusCode ?? 500, answer.headers);
  answer.pipe(response);
}).listen(0, '127.0.0.1');
await once(before, 'listening');
afterAll(async () => {
  before.closeAllConnections();
  before.close();
  await s3.remove();
});

const world = await createWorld({
  STORAGE_URL: s3.url('late').replace(port, String((before.address() as AddressInfo).port)),
  SECRET_KEY: 'the same secret for all the servers',
});
const { context } = world;

test('if the store carries out a removal late, it deletes no file that was acknowledged in between', async () => {
  const person = await world.signIn();
  const file = image();
  const blob = await context.blobs.receive(Readable.from([file.bytes]), file.bytes.length, person.tenant.id);
  await context.blobs.keep(person.tenant.id, [blob]);
  const sha256 = await blob.sha256;
  await blob.discard();
  const { promise: later, resolve } = Promise.withResolvers<IncomingMessage>();
  forLater = resolve;

  const removal = await removeUnused(context, person.tenant.id, [sha256]).catch((error: unknown) => error);
  const answer = await storeAs(person, file).then(() => 'acknowledged', String);
  (await handOn(await later, Readable.from([]))).resume();
  const isLost = (await context.blobs.stat(person.tenant.id, sha256)) === undefined;
  await world.sql`update blob_removals set claimed_at = claimed_at - interval '11 minutes'`.execute(world.owner);
  await storeAs(person, file);

  expect({ answer, isLost }).not.toEqual({ answer: 'acknowledged', isLost: true });
  expect(removal).toBeInstanceOf(StorageUnavailable);
  expect(answer).toContain('store.being_removed');
  expect(await context.blobs.stat(person.tenant.id, sha256)).toBeDefined();
});
