import { once } from 'node:events';
import { connect } from 'node:net';
import { get, notAudited } from '@radwork/contract/core/endpoint';
import { expect, onTestFinished, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { createHttp } from './http.ts';

const world = await createWorld();

/** Starts a server and returns a function that sends raw bytes to it. */
const listening = async () => {
  const { scopes, sessions, config } = world.context;
  const { app, servePublic } = createHttp(scopes, sessions, { ...config, publicUrl: 'https://clinic.example' });
  servePublic(get('/named/:name', { can: 'public', audited: notAudited.noPatient }), async () => {});
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  onTestFinished(() => app.close());
  return async (bytes: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    let response = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      response += chunk;
    });
    socket.write(bytes);
    await once(socket, 'close');
    const [head = '', body = ''] = response.split('\r\n\r\n');
    return { head: head.toLowerCase(), body: JSON.parse(body) };
  };
};

const requestText = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`;

test.each([
  ['an address that cannot be decoded', requestText('/api/named/%E0%A4%A'), 400, 'request.malformed'],
  [
    'an address with a part that is too long',
    requestText(`/api/named/${'a'.repeat(9000)}`),
    414,
    'request.address_too_long',
  ],
  ['headers that are too large', requestText('/', `x: ${'a'.repeat(20_000)}\r\n`), 431, 'request.headers_too_large'],
  ['a request that is not HTTP', 'Secret-Token HELLO\r\n\r\n', 400, 'request.malformed'],
])(
  'the error for %s has our envelope and headers, and repeats nothing of the request',
  async (_what, bytes, code, error) => {
    const { head, body } = await (await listening())(bytes);

    expect(head).toContain(`http/1.1 ${code} `);
    expect(body).toEqual({ code, error, message: expect.any(String), traceId: expect.any(String) });
    for (const header of [
      'content-type: application/json',
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      "content-security-policy: default-src 'none'",
      'cache-control: no-store',
      'strict-transport-security: max-age=31536000',
    ]) {
      expect(head).toContain(header);
    }
    expect(JSON.stringify(body)).not.toMatch(/aaaa|%E0|Secret/);
  },
);
