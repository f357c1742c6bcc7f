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
  kept: readonly string[];
  isCounted?: boolean;
  /**
   * The status with which the archive refuses the series or an instance. "cut": the answer ends within the first file.
   */
  refuses?: (instance: string | undefined) => number | 'cut' | undefined;
};

/** Fetches the wanted instances. Returns the complete files, the requested paths and the error. */
const fetchFrom = async ({ kept, isCounted = true, refuses = () => undefined }: Archive, wanted: readonly string[]) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://archive');
    const instance = /\/instances\/([\d.]+)$/.exec(pathname)?.[1];
    if (searchParams.has('limit')) {
      const rows = pathname.endsWith('/series')
        ? [{ '0020000E': uid(series), ...(isCounted && { '00201209': { vr: 'IS', Value: [kept.length] } }) }]
        : kept.map((one) => ({ '0020000E': uid(series), '00080018': uid(one) }));
      response.writeHead(200, { 'content-type': 'application/dicom+json' });
      return response.end(JSON.stringify(rows.slice(Number(searchParams.get('offset')))));
    }
    asked.push(instance ?? 'the series');
    const status = refuses(instance);
    if (typeof status === 'number') return response.writeHead(status).end();
    response.writeHead(200, { 'content-type': 'multipart/related; type="application/dicom"; boundary=b' });
    for (const one of instance ? [instance] : kept) {
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
  const instances = wanted.map((sopInstanceUID) => ({ seriesInstanceUID: series, sopInstanceUID }));
  const files: string[] = [];
  try {
    for await (const { body } of source.retrieve(study, instances, AbortSignal.timeout(20_000))) {
      const pieces: Buffer[] = [];
      try {
        for await (const piece of body) pieces.push(piece);
      } catch {
        // A truncated file does not count, but others may follow.
        continue;
      }
      files.push(Buffer.concat(pieces).toString());
    }
  } catch (error) {
    return { files, asked, error };
  }
  return { files, asked, error: undefined };
};

const uids = (count: number): string[] => Array.from({ length: count }, (_, index) => `${series}.${1000 + index}`);

test('fetches the few missing instances of a series without a count one by one', async () => {
  const kept = uids(150);
  const wanted = kept.slice(147);

  const { files, asked, error } = await fetchFrom({ kept, isCounted: false }, wanted);

  expect(error).toBeUndefined();
  expect(files).toEqual(wanted);
  expect(asked).toEqual(wanted);
});

test('fetches a series without a count as a whole when all of it is missing', async () => {
  const kept = uids(5);

  const { files, asked } = await fetchFrom({ kept, isCounted: false }, kept);

  expect(files).toEqual(kept);
  expect(asked).toEqual(['the series']);
});

test.each([404, 410, 500])('lost instances in the archive (%i) do not hide later instances', async (status) => {
  const kept = uids(20);
  const wanted = kept.slice(0, 10);
  const damaged = new Set(wanted.slice(0, 4));

  const { files, error } = await fetchFrom(
    { kept, refuses: (instance) => (instance && damaged.has(instance) ? status : undefined) },
    wanted,
  );

  expect(files).toEqual(wanted.slice(4));
  expect(error).toMatchObject({ name: 'RemoteError', message: expect.stringContaining(`(${status})`) });
});

test('fetches instances one by one when the archive cannot deliver the whole series', async () => {
  const kept = uids(6);

  const able = await fetchFrom({ kept, refuses: (instance) => (instance ? undefined : 500) }, kept);
  const damaged = await fetchFrom(
    { kept, refuses: (instance) => (instance === kept[2] ? 404 : instance ? undefined : 500) },
    kept,
  );

  expect([able.files, able.error]).toEqual([kept, undefined]);
  expect(damaged.files).toEqual(kept.filter((_, index) => index !== 2));
  expect(damaged.error).toMatchObject({ remoteCause: 'NOT_FOUND' });
});

test('fetches instances one by one when the response for the series always ends within its first file', async () => {
  const kept = uids(6);

  const { files, error } = await fetchFrom({ kept, refuses: (instance) => (instance ? undefined : 'cut') }, kept);

  expect(error).toBeUndefined();
  expect(files).toEqual(kept);
});

test('stops after fifty lost instances in a row', async () => {
  const kept = uids(80);

  const { asked, error } = await fetchFrom({ kept, refuses: () => 500 }, kept);

  expect(asked).toHaveLength(51);
  expect(error).toMatchObject({ remoteCause: 'SERVER_ERROR' });
});

test.each([408, 429, 503])('a busy archive (%i) receives no further requests for single instances', async (status) => {
  const kept = uids(6);

  const { asked, error } = await fetchFrom({ kept, refuses: () => status }, kept);

  expect(asked).toEqual(['the series']);
  expect(error).toMatchObject({ remoteCause: 'SERVER_ERROR', message: expect.stringContaining(`(${status})`) });
});
