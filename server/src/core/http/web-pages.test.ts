import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createWorld } from '#test/world.ts';
import { createHttp } from './http.ts';
import { secureHeaders, serveWebPages } from './web-pages.ts';

const world = await createWorld();
const folder = await mkdtemp(join(tmpdir(), 'radwork-web-'));
await mkdir(join(folder, 'assets'));
await writeFile(join(folder, 'index.html'), '<!doctype html><style nonce="%NONCE%"></style>');
await writeFile(join(folder, 'assets/main-1a2b3c.js'), 'export {};');
await writeFile(join(folder, 'assets/main-1a2b3c.js.gz'), gzipSync('export {};'));
await writeFile(join(folder, 'notes.txt'), 'not for everybody');

const { app } = createHttp(world.context.scopes, world.context.sessions, world.context.config);
secureHeaders(app, { publicUrl: 'https://radwork.example.org' });
await serveWebPages(app, folder);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('every application URL returns the page, uncached and with its own nonce', async () => {
  const [first, second] = [await app.inject('/studies/7'), await app.inject('/')];

  expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
  expect(first.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  const [, nonce] = /nonce="([\w+/=]{24})"/.exec(first.body) ?? [];
  expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect(second.body).not.toContain(nonce);
});

test('over https, the headers make browsers use only https', async () => {
  const plain = createHttp(world.context.scopes, world.context.sessions, world.context.config).app;
  secureHeaders(plain, { publicUrl: 'http://radwork.clinic.lan' });
  onTestFinished(() => plain.close());

  const header = async (from: typeof app) => (await from.inject('/api/gone')).headers['strict-transport-security'];
  expect(await header(app)).toBe('max-age=31536000; includeSubDomains');
  expect(await header(plain)).toBeUndefined();
});

test('assets are cached forever, because their names contain their hash', async () => {
  const answer = await app.inject('/assets/main-1a2b3c.js');

  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': expect.stringContaining('javascript'),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
});

test('sends an asset compressed if it was compressed at build time', async () => {
  const answer = await app.inject({ url: '/assets/main-1a2b3c.js', headers: { 'accept-encoding': 'gzip' } });

  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
  expect(gunzipSync(answer.rawPayload).toString()).toBe('export {};');
});

test('a request for a missing asset or call does not return the page', async () => {
  for (const url of ['/assets/gone.js', '/api/gone', '/dicom-web/gone', '/api']) {
    const answer = await app.inject(url);
    expect({ url, status: answer.statusCode, body: answer.json() }).toMatchObject({ status: 404, body: { code: 404 } });
  }
  expect((await app.inject({ method: 'POST', url: '/studies' })).statusCode).toBe(404);
});

test('serves no file outside the assets folder', async () => {
  for (const url of ['/notes.txt', '/assets/../notes.txt', '/assets/%2e%2e/notes.txt', '/assets/..%2fnotes.txt']) {
    expect({ url, body: (await app.inject(url)).body }).not.toMatchObject({ body: expect.stringContaining('not for') });
  }
});

test('search engines must not index shared reports', async () => {
  const answer = await app.inject('/portal/report/abc');

  expect(answer.headers['x-robots-tag']).toBe('noindex, nofollow, noarchive');
});

test('a web worker may compile and fetch only our own image codecs', async () => {
  const answer = await app.inject('/assets/main-1a2b3c.js');

  expect(answer.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
});

test('every page, including a shared report, creates HTML and scripts only through named policies', async () => {
  for (const url of ['/', '/studies/7', '/portal/report/abc', '/login']) {
    const { headers } = await app.inject(url);
    const [, asked] = /; (require-trusted-types-for .+)$/.exec(String(headers['content-security-policy'])) ?? [];
    const policyNames = 'dompurify ProseMirrorClipboard radwork-inert radwork-worker';
    expect({ url, asked }).toEqual({ url, asked: `require-trusted-types-for 'script'; trusted-types ${policyNames}` });
  }
});

test('the page may use the microphone but no other device', async () => {
  const answer = await app.inject('/studies/7');

  expect(answer.headers['permissions-policy']).toBe('microphone=(self), camera=(), geolocation=(), payment=()');
});
