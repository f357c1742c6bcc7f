import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { startNameServer } from '#test/name-server.ts';
import { readAllowRules } from './allow-rules.ts';
import { openOutgoing, type Outgoing, type OutgoingRequest } from './open-outgoing.ts';

const north = { id: 1, subdomain: 'north' };
const west = { id: 2, subdomain: 'west' };
const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const listen = async (server: Server, host = '127.0.0.1'): Promise<number> => {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};

/** A service in the internal network that must not be reached. Records the requests that it receives. */
const receivedPaths: string[] = [];
const inner = createServer((request, response) => {
  receivedPaths.push(request.url ?? '');
  response.end('secret');
});
const innerPort = await listen(inner);

const open = (rules: string, resolve?: (host: string) => Promise<{ address: string }[]>, caFile?: string): Outgoing => {
  const settings = { remoteAllow: readAllowRules(rules), remoteCaFile: caFile, remoteTimeoutSeconds: 1 };
  const outgoing = openOutgoing(settings, resolve);
  closing.push(outgoing.close);
  return outgoing;
};

const get = async (outgoing: Outgoing, url: string, request: Partial<OutgoingRequest> = {}, tenant = north) => {
  const answer = await outgoing.fetch(tenant, url, { signal: AbortSignal.timeout(20_000), ...request });
  let text = '';
  for await (const chunk of answer.body) text += chunk.toString();
  return { ...answer, text };
};

/** Starts a service that the rules allow, and a client that may call it. */
const serving = async (handle: RequestListener) => {
  const port = await listen(createServer(handle));
  return { url: `http://127.0.0.1:${port}`, outgoing: open(`net=127.0.0.1 ports=${port} protocols=http,dicom`), port };
};

const hostileHosts = `
  127.0.0.1 localhost [::1] [::ffff:127.0.0.1] 0.0.0.0 0 2130706433 0x7f000001 017700000001 127.1 ①②⑦.⓪.⓪.① [::]
  [64:ff9b::7f00:1] [2002:7f00:1::] 169.254.169.254 [fd00:ec2::254] 100.100.100.200 192.0.0.192 10.0.0.1
  example.org\\@127.0.0.1`;
const hostileUrls = [
  'javascript:alert(1)',
  'data:text/html,1',
  'file:///etc/passwd',
  'ftp://127.0.0.1/',
  'gopher://127.0.0.1:25/_',
  '//127.0.0.1/',
  'http://',
  'http://a b/',
  'http://example.org:99999/',
  'https://user:password@example.org/',
  ...hostileHosts
    .trim()
    .split(/\s+/)
    .map((host) => `https://${host}:${innerPort}/`),
];

test.each(hostileUrls)('does not call the address %s', async (hostile) => {
  const outgoing = open('', async () => [{ address: '127.0.0.1' }]);

  await expect(get(outgoing, hostile)).rejects.toMatchObject({ remoteCause: 'REFUSED_BY_POLICY' });

  expect(receivedPaths).toEqual([]);
});

test('the internal service of these tests records a call that an allow rule permits', async () => {
  const careless = open(`net=127.0.0.1 ports=${innerPort} protocols=http`);

  const { text } = await get(careless, `http://127.0.0.1:${innerPort}/planted`);

  expect(text).toBe('secret');
  expect(receivedPaths.splice(0)).toEqual(['/planted']);
});

test.each([
  ['has only an internal address', ['10.0.0.5']],
  ['has a public and an internal address', ['93.184.216.34', '127.0.0.1']],
  ['has the metadata address of a cloud', ['169.254.169.254']],
])('does not call a host name that %s', async (_, addresses) => {
  const names = await startNameServer({ 'pacs.test': () => addresses });
  closing.push(names.stop);

  const call = get(open('', names.resolve), `https://pacs.test:${innerPort}/`);

  await expect(call).rejects.toMatchObject({ remoteCause: 'REFUSED_BY_POLICY' });
  expect(receivedPaths).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'never connects to another address for a listed name (needs 127.0.0.2, as on Linux)',
  async () => {
    const archive = createServer((_request, response) => response.end('images'));
    await new Promise<void>((resolve) => archive.listen(innerPort, '127.0.0.2', resolve));
    closing.push(() => archive.close());
    const names = await startNameServer({ 'pacs.test': (before) => [before === 0 ? '127.0.0.2' : '127.0.0.1'] });
    closing.push(names.stop);
    const rule = `host=pacs.test net=127.0.0.2 ports=${innerPort} protocols=http`;
    const address = `http://pacs.test:${innerPort}/`;

    const first = await get(open(rule, names.resolve), address);
    const second = get(open(rule, names.resolve), address);

    expect(first.text).toBe('images');
    expect(first.headers['connection']).toBeDefined();
    await expect(second).rejects.toMatchObject({ remoteCause: 'REFUSED_BY_POLICY' });
    // There is one lookup for each connection: no second lookup between the check and the connection.
    expect(names.timesAsked('pacs.test')).toBe(2);
    expect(receivedPaths).toEqual([]);
  },
);

test('an allow rule for one tenant does not apply to another tenant', async () => {
  const port = await listen(createServer((_request, response) => response.end('images')));
  const outgoing = open(`net=127.0.0.1 ports=${port} protocols=http,dicom tenants=north`);

  expect((await get(outgoing, `http://127.0.0.1:${port}/`)).text).toBe('images');
  await expect(get(outgoing, `http://127.0.0.1:${port}/`, {}, west)).rejects.toMatchObject({
    remoteCause: 'REFUSED_BY_POLICY',
  });
  expect(await outgoing.address(north, '127.0.0.1', port)).toEqual({ address: '127.0.0.1' });
  await expect(outgoing.address(west, '127.0.0.1', port)).rejects.toMatchObject({ remoteCause: 'REFUSED_BY_POLICY' });
  await expect(outgoing.address(north, '127.0.0.1', 104)).rejects.toMatchObject({ remoteCause: 'REFUSED_BY_POLICY' });
});

test('does not follow a redirect, even to the same server', async () => {
  const { url: address, outgoing } = await serving((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${innerPort}/` }).end();
  });

  await expect(get(outgoing, address, { headers: { authorization: 'Basic x' } })).rejects.toMatchObject({
    remoteCause: 'WRONG_SERVICE',
  });

  expect(receivedPaths).toEqual([]);
});

test('requests no compression and refuses a compressed response', async () => {
  const encodings: unknown[] = [];
  const { url: address, outgoing } = await serving(({ headers }, response) => {
    encodings.push(headers['accept-encoding']);
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(100));
  });

  await expect(get(outgoing, address)).rejects.toMatchObject({ remoteCause: 'WRONG_SERVICE' });

  expect(encodings).toEqual(['identity']);
});

test('accepts a response up to the limit that the caller sets', async () => {
  const { url: address, outgoing } = await serving((_request, response) => response.end(Buffer.alloc(5000)));

  expect((await get(outgoing, address, { mostBytes: 5000 })).text).toHaveLength(5000);
  await expect(get(outgoing, address, { mostBytes: 4999 })).rejects.toMatchObject({ remoteCause: 'OTHER' });
});

test.each([
  ['never answers', 'TIMEOUT', (() => {}) as RequestListener],
  [
    'stops in the middle of an answer',
    'TIMEOUT',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('begun');
    },
  ],
  [
    'disconnects in the middle of an answer',
    'OTHER',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('begun', () => response.destroy());
    },
  ],
  ['sends endless headers', 'WRONG_SERVICE', (_request, response) => response.setHeader('x', 'a'.repeat(60_000)).end()],
  ['does not use HTTP', 'WRONG_SERVICE', (_request, response) => response.socket?.end('220 ready\r\n')],
] satisfies [string, string, RequestListener][])('a service that %s causes the error %s', async (_, cause, handle) => {
  const { url: address, outgoing } = await serving(handle);

  await expect(get(outgoing, address)).rejects.toMatchObject({ name: 'RemoteError', remoteCause: cause });
});

test('distinguishes a closed port from an unknown host name', async () => {
  const { url: address, outgoing, port } = await serving((_request, response) => response.end());
  const refused = open(`net=127.0.0.1 ports=1-65535 protocols=http,https`);
  const free = await listen(createServer());
  await closing.pop()?.();

  await expect(get(refused, `http://127.0.0.1:${free}/`)).rejects.toMatchObject({ remoteCause: 'CONNECTION_REFUSED' });
  await expect(get(refused, `https://127.0.0.1:${port}/`)).rejects.toMatchObject({ remoteCause: 'TLS' });
  await expect(get(outgoing, address.replace('127.0.0.1', 'nobody.invalid'))).rejects.toMatchObject({
    remoteCause: 'DNS',
  });
});

test('a tenant has at most eight connections, and a busy tenant leaves the connections of other tenants free', async () => {
  let current = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  const port = await listen(
    createServer((_request, response) => {
      current += 1;
      most = Math.max(most, current);
      waiting.push(() => {
        current -= 1;
        response.end();
      });
    }),
  );
  const outgoing = open(`net=127.0.0.1 ports=${port} protocols=http`);
  const address = `http://127.0.0.1:${port}/`;

  const calls = Array.from({ length: 12 }, () => get(outgoing, address));
  await expect.poll(() => waiting.length).toBe(8);
  const other = get(outgoing, address, {}, west);
  await expect.poll(() => waiting.length).toBe(9);
  most = 0;
  for (let answered = 0; answered < 13; answered += 1) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    waiting.shift()?.();
  }
  await Promise.all([...calls, other]);

  expect(most).toBeLessThanOrEqual(9);
});

test('a canceled call frees its connection', async () => {
  const { url: address, outgoing } = await serving((_request, response) => response.writeHead(200).write('begun'));

  for (let round = 0; round < 12; round += 1) {
    const call = new AbortController();
    const answer = await outgoing.fetch(north, address, { signal: call.signal });
    if (round % 2) call.abort();
    else answer.discard();
  }
  const answer = await outgoing.fetch(north, address, { signal: AbortSignal.timeout(20_000) });
  answer.discard();

  expect(answer.status).toBe(200);
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!hasOpenssl)(
  'checks a certificate against the host name and the trusted authorities (needs openssl)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'radwork-tls-'));
    closing.push(() => rmSync(folder, { recursive: true }));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const name = ['-subj', '/CN=pacs.test', '-addext', 'subjectAltName=DNS:pacs.test'];
    const files = ['-keyout', key, '-out', certificate];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...name], {
      stdio: 'ignore',
    });
    const served: unknown[] = [];
    const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (request, response) => {
      served.push('servername' in request.socket && request.socket.servername);
      response.end('images');
    });
    const port = await listen(server);
    const rule = `net=127.0.0.1 ports=${port}`;
    const resolve = async () => [{ address: '127.0.0.1' }];

    expect((await get(open(rule, resolve, certificate), `https://pacs.test:${port}/`)).text).toBe('images');
    for (const [client, host] of [
      [open(rule, resolve), 'pacs.test'],
      [open(rule, resolve, certificate), 'other.test'],
      [open(rule, resolve, certificate), '127.0.0.1'],
    ] as const) {
      await expect(get(client, `https://${host}:${port}/`)).rejects.toMatchObject({ remoteCause: 'TLS' });
    }

    expect(served).toEqual(['pacs.test']);
  },
);

test('gives up a name lookup that takes too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const outgoing = open('', () => new Promise(() => {}));

  const pendingAnswer = outgoing.address(north, 'pacs.example.org', 104).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5000);

  expect(await pendingAnswer).toMatchObject({
    remoteCause: 'DNS',
    message: 'The name pacs.example.org could not be looked up in time.',
  });
});

test.each(['tok→n', 'one\r\nX-Two: 2', 'one\n'])(
  'refuses a header with a character that HTTP does not allow, and names the header: %j',
  async (value) => {
    const { url, outgoing } = await serving((_, response) => response.end());

    const pendingAnswer = get(outgoing, url, { headers: { authorization: `Bearer ${value}` } });

    await expect(pendingAnswer).rejects.toThrow(
      /^A token or key for 127\.0\.0\.1:\d+ contains a character that HTTP does not allow/,
    );
  },
);
