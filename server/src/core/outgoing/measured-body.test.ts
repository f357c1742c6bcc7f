import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { measuredBody } from './measured-body.ts';

// The tests set the clock.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const read = async (
  chunks: AsyncIterable<Buffer>,
  limits: { mostBytes?: number; leastBytesPerSecond?: number } = {},
) => {
  const all = { mostBytes: 1000, leastBytesPerSecond: 0, rateWindow: 20, ...limits };
  let bytes = 0;
  for await (const chunk of measuredBody(Readable.from(chunks), 'pacs.lan', all)) bytes += chunk.length;
  return bytes;
};

async function* drops(count: number, everyMs: number, size = 1) {
  for (let index = 0; index < count; index += 1) {
    vi.advanceTimersByTime(everyMs);
    yield Buffer.alloc(size);
  }
}

test('accepts a body up to its limit and refuses a larger body', async () => {
  expect(await read(drops(10, 0, 100))).toBe(1000);
  await expect(read(drops(11, 0, 100))).rejects.toMatchObject({ remoteCause: 'OTHER' });
});

test('gives up a body that arrives too slowly', async () => {
  await expect(read(drops(1000, 5), { leastBytesPerSecond: 100_000 })).rejects.toMatchObject({
    remoteCause: 'TIMEOUT',
    message: expect.stringContaining('too slowly'),
  });
});

test('a slow reader on our side does not count against the remote server', async () => {
  const body = measuredBody(Readable.from(drops(4, 0, 100)), 'pacs.lan', {
    mostBytes: 1000,
    leastBytesPerSecond: 100_000,
    rateWindow: 20,
  });

  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    vi.advanceTimersByTime(15);
  }

  expect(bytes).toBe(400);
});
