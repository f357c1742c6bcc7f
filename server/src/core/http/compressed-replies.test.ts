import { gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { compressReplies } from './compressed-replies.ts';

const app = fastify();
compressReplies(app);
app.get('/:length', async (request, reply) => {
  const { length } = request.params as { length: string };
  return reply
    .type('application/json')
    .header('vary', 'accept')
    .send(JSON.stringify('ö'.repeat(Number(length))));
});

const ask = (length: number, encodings?: string) =>
  app.inject({ url: `/${length}`, headers: encodings === undefined ? {} : { 'accept-encoding': encodings } });

test.each([2000, 200_000])('compresses a reply of %i characters without changing its content', async (length) => {
  const { headers, rawPayload } = await ask(length, 'br, gzip');

  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept, accept-encoding' });
  expect(headers['content-length']).toBe(String(rawPayload.length));
  expect(gunzipSync(rawPayload).toString()).toBe(JSON.stringify('ö'.repeat(length)));
});

test.each([undefined, 'br', 'gzip;q=0', 'gzip; q=0.0, br'])(
  'sends an uncompressed reply for Accept-Encoding "%s"',
  async (encodings) => {
    const { headers, payload } = await ask(2000, encodings);

    expect(headers['content-encoding']).toBeUndefined();
    expect(payload).toBe(JSON.stringify('ö'.repeat(2000)));
  },
);

test('does not compress a short reply', async () => {
  expect((await ask(10, 'gzip')).headers['content-encoding']).toBeUndefined();
});
