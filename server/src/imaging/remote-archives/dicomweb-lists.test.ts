import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { settingsAt } from '#test/remote-settings.ts';
import { createWorld } from '#test/world.ts';
import { createSource } from './open-remote.ts';
import type { RemoteListing } from './remote-source.ts';

const world = await createWorld({
  REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http',
  REMOTE_TIMEOUT_SECONDS: '1',
});

const study = '1.2.3';
const uid = (value: string) => ({ vr: 'UI', Value: [value] });
const seriesRow = (series: string, count?: number) => ({
  '0020000E': uid(series),
  ...(count !== undefined && { '00201209': { vr: 'IS', Value: [count] } }),
});
const instanceRows = (series: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ '0020000E': uid(series), '00080018': uid(`${series}.${index}`) }));

type Answer = { status?: number; rows?: readonly object[]; warning?: string };
/** Answers of an archive: series of a study, instances of a study, instances of a series. */
type Lists = { series: Answer; instances: Answer; instancesOf: (series: string) => Answer };

/** Lists the study of an archive that gives these answers on every page. */
const listAt = async ({ series, instances, instancesOf }: Lists) => {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://archive');
    if (searchParams.get('offset') === '0') requestedPaths.push(pathname.replace(`/studies/${study}`, ''));
    const one = /\/series\/([\d.]+)\/instances$/.exec(pathname)?.[1];
    const list = pathname.endsWith('/series') ? series : instances;
    const { status = 200, rows = [], warning } = one === undefined ? list : instancesOf(one);
    response.writeHead(status, { 'content-type': 'application/dicom+json', ...(warning && { warning }) });
    response.end(JSON.stringify(rows));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const settings = settingsAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const source = createSource(world.context, { id: 1, subdomain: 'north' }, settings);
  const listing = await source.listInstances(study, AbortSignal.timeout(20_000));
  return { asked: requestedPaths, ...facts(listing) };
};

const facts = ({ instances, promised, omission }: RemoteListing) => ({ listed: instances.length, promised, omission });

const warning = '299 pacs "There are additional results that can be requested"';

test('if the archive truncates a list and gives no counts, the list is incomplete', async () => {
  const cut = (rows: object[]) => ({ rows: rows.slice(0, 100), warning });
  const listing = await listAt({
    series: { rows: [seriesRow('1.1'), seriesRow('1.2')] },
    instances: cut([...instanceRows('1.1', 150), ...instanceRows('1.2', 150)]),
    instancesOf: (series) => cut(instanceRows(series, 150)),
  });

  expect(listing).toMatchObject({
    listed: 200,
    omission: 'The archive reports that its lists are incomplete.',
  });
});

test('ignores a truncated list of the whole study when the lists per series are complete', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1'), seriesRow('1.2')] },
    instances: { rows: instanceRows('1.1', 100), warning },
    instancesOf: (series) => ({ rows: instanceRows(series, 150) }),
  });

  expect(listing).toMatchObject({ listed: 300, promised: 300, omission: '' });
});

test('does not request each series when the archive counts and lists all instances in one response', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1', 3), seriesRow('1.2', 2)] },
    instances: { rows: [...instanceRows('1.1', 3), ...instanceRows('1.2', 2)] },
    instancesOf: () => ({ status: 500 }),
  });

  expect(listing).toEqual({ asked: ['/series', '/instances'], listed: 5, promised: 5, omission: '' });
});

test('extra instances in one series do not hide missing instances in another', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1', 3), seriesRow('1.2', 3)] },
    instances: { rows: [...instanceRows('1.1', 5), ...instanceRows('1.2', 1)] },
    instancesOf: (series) => ({ rows: instanceRows(series, series === '1.1' ? 5 : 1) }),
  });

  expect(listing).toMatchObject({ listed: 6, promised: 8 });
});

test('requests the instances of a series without a count, and reports an empty series as missing', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1'), seriesRow('1.2'), seriesRow('1.3')] },
    instances: { rows: instanceRows('1.1', 3) },
    instancesOf: (series) => ({ rows: series === '1.3' ? [] : instanceRows(series, 3) }),
  });

  expect(listing).toMatchObject({ listed: 6, promised: 7 });
});

test('reports entries with invalid UIDs as missing, with the reason', async () => {
  const omission = 'The archive lists items with invalid UIDs. They cannot be requested.';
  const bad = { '0020000E': uid('1.1'), '00080018': uid('1.1.3.') };
  const [image, series] = await Promise.all([
    listAt({
      series: { rows: [seriesRow('1.1')] },
      instances: { rows: [...instanceRows('1.1', 2), bad] },
      instancesOf: (one) => ({ rows: [...instanceRows(one, 2), bad] }),
    }),
    listAt({
      series: { rows: [seriesRow('1.1', 2), seriesRow('1.2..', 50)] },
      instances: { status: 404 },
      instancesOf: (one) => ({ rows: instanceRows(one, 2) }),
    }),
  ]);

  expect(image).toMatchObject({ listed: 2, promised: 3, omission });
  expect(series).toMatchObject({ listed: 2, promised: 52, omission });
});

test('does not treat an archive that fails temporarily as empty', async () => {
  const nothing = { series: {}, instancesOf: () => ({}) };

  await expect(listAt({ ...nothing, instances: { status: 500 } })).rejects.toMatchObject({
    remoteCause: 'SERVER_ERROR',
  });
  expect(await listAt({ ...nothing, instances: { status: 400 } })).toMatchObject({ listed: 0, promised: 0 });
});

test('lists an archive series by series when it fails to list whole studies', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1', 2)] },
    instances: { status: 500 },
    instancesOf: (series) => ({ rows: instanceRows(series, 2) }),
  });

  expect(listing).toMatchObject({ listed: 2, promised: 2, omission: '' });
});
