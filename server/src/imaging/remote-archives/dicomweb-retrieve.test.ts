import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closingBoundary, partHeader } from '@radwork/dicom/multipart';
import { expect, onTestFinished, test } from 'vitest';
import { settingsAt } from '#test/remote-settings.ts';
import { createWorld } from '#test/world.ts';
import { createSource } from './open-remote.ts';

const world = await createWorld({
  REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http',
  REMOTE_TIMEOUT_SECONDS: '1',
});

const [study, series] = ['1.2.3', '1.2.3.4'];
const uid = (value: string) => ({ vr: 'UI', Value: [value] });

type Archive = {
  /** Instances of the only series. */
  storedUids: readonly string[];
  isCounted?: boolean;
  /**
   * The status with which the archive refuses the series or an instance. "cut": the answer ends within the first file.
   */
  refuses?: (instance: string | undefined) => number | 'cut' | undefined;
};

/** Fetches the wanted instances. Returns the complete files, the requested paths and the error. */
const fetchFrom = async (
  { storedUids, isCounted = true, refuses = () => undefined }: Archive,
  requested: readonly string[],
) => {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://archive');
    const instance = /\/instances\/([\d.]+)$/.exec(pathname)?.[1];
    if (searchParams.has('limit')) {
      const rows = pathname.endsWith('/series')
        ? [{ '0020000E': uid(series), ...(isCounted && { '00201209': { vr: 'IS', Value: [storedUids.length] } }) }]
        : storedUids.map((storedUid) => ({ '0020000E': uid(series), '00080018': uid(storedUid) }));
      response.writeHead(200, { 'content-type': 'application/dicom+json' });
      return response.end(JSON.stringify(rows.slice(Number(searchParams.get('offset')))));
    }
    requestedPaths.push(instance ?? 'the series');
    const status = refuses(instance);
    if (typeof status === 'number') return response.writeHead(status).end();
    response.writeHead(200, { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' });
    for (const one of instance ? [instance] : storedUids) {
      response.write(Buffer.from(partHeader({ boundary: 'b', contentType: 'application/dicom' })));
      response.write(one);
      if (status === 'cut') return response.end();
    }
    return response.end(closingBoundary('b'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const source = createSource(
    world.context,
    { id: 1, subdomain: 'north' },
    settingsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
  const instances = requested.map((sopInstanceUID) => ({ seriesInstanceUID: series, sopInstanceUID }));
  const files: string[] = [];
  try {
    for await (const { body } of source.retrieve(study, instances, AbortSignal.timeout(20_000))) {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of body) chunks.push(chunk);
      } catch {
        // A truncated file does not count, but others may follow.
        continue;
      }
      files.push(Buffer.concat(chunks).toString());
    }
  } catch (error) {
    return { files, asked: requestedPaths, error };
  }
  return { files, asked: requestedPaths, error: undefined };
};

const uids = (count: number): string[] => Array.from({ length: count }, (_, index) => `${series}.${1000 + index}`);

test('fetches the few missing instances of a series without a count one by one', async () => {
  const storedUids = uids(150);
  const requested = storedUids.slice(147);

  const { files, asked: requestedPaths, error } = await fetchFrom({ storedUids, isCounted: false }, requested);

  expect(error).toBeUndefined();
  expect(files).toEqual(requested);
  expect(requestedPaths).toEqual(requested);
});

test('fetches a series without a count as a whole when all of it is missing', async () => {
  const storedUids = uids(5);

  const { files, asked: requestedPaths } = await fetchFrom({ storedUids, isCounted: false }, storedUids);

  expect(files).toEqual(storedUids);
  expect(requestedPaths).toEqual(['the series']);
});

test.each([404, 410, 500])('lost instances in the archive (%i) do not hide later instances', async (status) => {
  const storedUids = uids(20);
  const requested = storedUids.slice(0, 10);
  const damaged = new Set(requested.slice(0, 4));

  const { files, error } = await fetchFrom(
    { storedUids, refuses: (instance) => (instance && damaged.has(instance) ? status : undefined) },
    requested,
  );

  expect(files).toEqual(requested.slice(4));
  expect(error).toMatchObject({ name: 'RemoteError', message: expect.stringContaining(`(${status})`) });
});

test('fetches instances one by one when the archive cannot deliver the whole series', async () => {
  const storedUids = uids(6);

  const able = await fetchFrom({ storedUids, refuses: (instance) => (instance ? undefined : 500) }, storedUids);
  const damaged = await fetchFrom(
    { storedUids, refuses: (instance) => (instance === storedUids[2] ? 404 : instance ? undefined : 500) },
    storedUids,
  );

  expect([able.files, able.error]).toEqual([storedUids, undefined]);
  expect(damaged.files).toEqual(storedUids.filter((_, index) => index !== 2));
  expect(damaged.error).toMatchObject({ remoteCause: 'NOT_FOUND' });
});

test('fetches instances one by one when the response for the series always ends within its first file', async () => {
  const storedUids = uids(6);

  const { files, error } = await fetchFrom(
    { storedUids, refuses: (instance) => (instance ? undefined : 'cut') },
    storedUids,
  );

  expect(error).toBeUndefined();
  expect(files).toEqual(storedUids);
});

test('stops after fifty lost instances in a row', async () => {
  const storedUids = uids(80);

  const { asked: requestedPaths, error } = await fetchFrom({ storedUids, refuses: () => 500 }, storedUids);

  expect(requestedPaths).toHaveLength(51);
  expect(error).toMatchObject({ remoteCause: 'SERVER_ERROR' });
});

test.each([408, 429, 503])('a busy archive (%i) receives no further requests for single instances', async (status) => {
  const storedUids = uids(6);

  const { asked: requestedPaths, error } = await fetchFrom({ storedUids, refuses: () => status }, storedUids);

  expect(requestedPaths).toEqual(['the series']);
  expect(error).toMatchObject({ remoteCause: 'SERVER_ERROR', message: expect.stringContaining(`(${status})`) });
});
