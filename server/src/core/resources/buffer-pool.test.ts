import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBufferReturns, returnBufferWhenSent, borrowBuffer } from './buffer-pool.ts';

const size = 300_000;

/** Starts a server that replies with `answer`, and returns its port. */
const ask = async (answer: (response: ServerResponse) => void) => {
  const server = createServer((_request, response) => answer(response)).listen(0);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return port;
};

test('reuses a buffer after its response was sent', async () => {
  const buffer = borrowBuffer(size).fill(7);
  const port = await ask((response) => {
    returnBufferWhenSent(response, buffer);
    response.end(buffer);
  });

  const received = Buffer.from(await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer());

  expect(received.equals(Buffer.alloc(size, 7))).toBe(true);
  await expect.poll(() => borrowBuffer(size).buffer === buffer.buffer).toBe(true);
});

test('does not reuse a buffer whose response was interrupted', async () => {
  const buffer = borrowBuffer(size);
  const closed = Promise.withResolvers<void>();
  const port = await ask((response) => {
    returnBufferWhenSent(response, buffer);
    response.once('close', closed.resolve);
    response.writeHead(200, { 'content-length': 2 * size });
    response.write(buffer);
  });
  const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
  await once(client, 'data');

  client.destroy();
  await closed.promise;

  const next = Array.from({ length: 20 }, () => borrowBuffer(size).buffer);
  expect(next).not.toContain(buffer.buffer);
});

test('reuses only the sent buffers of a streamed response', () => {
  const answer = Object.assign(new EventEmitter(), { writableLength: 0 });
  const returns = createBufferReturns(answer, () => 0);
  const [first, second] = [borrowBuffer(size), borrowBuffer(size)];
  returns.handOver(first);
  returns.handOver(second);

  answer.writableLength = size;
  returns.collect();
  const next = [borrowBuffer(size), borrowBuffer(size)].map(({ buffer }) => buffer);

  expect(next).toContain(first.buffer);
  expect(next).not.toContain(second.buffer);
});

test('reuses the last buffers of a streamed response only after all of it was sent', () => {
  const answer = Object.assign(new EventEmitter(), { writableLength: size });
  const returns = createBufferReturns(answer, () => 0);
  const last = borrowBuffer(size);
  returns.handOver(last);
  returns.collect();

  answer.emit('finish');

  expect(borrowBuffer(size).buffer).toBe(last.buffer);
});

test('does not reuse a buffer that was not lent or was already returned', () => {
  const answer = Object.assign(new EventEmitter(), { writableLength: 0 });
  const returns = createBufferReturns(answer, () => 0);
  const own = Buffer.alloc(2 ** 19);
  const twice = borrowBuffer(2 ** 19);
  for (const buffer of [own, twice, twice]) returns.handOver(buffer);

  returns.collect();
  const next = Array.from({ length: 20 }, () => borrowBuffer(2 ** 19).buffer);

  expect(next).not.toContain(own.buffer);
  expect(next.filter((buffer) => buffer === twice.buffer)).toHaveLength(1);
});

test('allocates small and very large buffers new each time', () => {
  expect(borrowBuffer(100).length).toBe(100);
  expect(borrowBuffer(9 << 20).length).toBe(9 << 20);
});
