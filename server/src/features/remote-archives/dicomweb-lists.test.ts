import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { settingsAt } from '#test/remote-settings.ts';
import { createWorld } from '#test/world.ts';
import { createSource } from './open-remote.ts';
import type { RemoteListing } from './source.ts';

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
/** What an archive answers to the lists of a study: of its series, of all its instances, and of those of one series. */
type Lists = { series: Answer; instances: Answer; instancesOf: (series: string) => Answer };

/** Lists the study of an archive that answers like this, whatever page it is asked for. */
const listAt = async ({ series, instances, instancesOf }: Lists) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://archive');
    if (searchParams.get('offset') === '0') asked.push(pathname.replace(`/studies/${study}`, ''));
    const one = /\/series\/([\d.]+)\/instances$/.exec(pathname)?.[1];
    const whole = pathname.endsWith('/series') ? series : instances;
    const { status = 200, rows = [], warning } = one === undefined ? whole : instancesOf(one);
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
  return { asked, ...facts(listing) };
};

const facts = ({ instances, promised, omission }: RemoteListing) => ({ listed: instances.length, promised, omission });

const warning = '299 pacs "There are additional results that can be requested"';

test('an archive that says that it cuts its lists, and counts nothing, is not believed to have listed all', async () => {
  const cut = (rows: object[]) => ({ rows: rows.slice(0, 100), warning });
  const listing = await listAt({
    series: { rows: [seriesRow('1.1'), seriesRow('1.2')] },
    instances: cut([...instanceRows('1.1', 150), ...instanceRows('1.2', 150)]),
    instancesOf: (series) => cut(instanceRows(series, 150)),
  });

  expect(listing).toMatchObject({
    listed: 200,
    omission: 'The archive says itself that it leaves something out of its lists.',
  });
});

test('the list of a whole study that is cut does no harm where the lists of its series are whole', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1'), seriesRow('1.2')] },
    instances: { rows: instanceRows('1.1', 100), warning },
    instancesOf: (series) => ({ rows: instanceRows(series, 150) }),
  });

  expect(listing).toMatchObject({ listed: 300, promised: 300, omission: '' });
});

test('where an archive counts and lists all at once, its series are not asked one by one', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1', 3), seriesRow('1.2', 2)] },
    instances: { rows: [...instanceRows('1.1', 3), ...instanceRows('1.2', 2)] },
    instancesOf: () => ({ status: 500 }),
  });

  expect(listing).toEqual({ asked: ['/series', '/instances'], listed: 5, promised: 5, omission: '' });
});

test('one series with more instances than it counts does not stand for another with fewer', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1', 3), seriesRow('1.2', 3)] },
    instances: { rows: [...instanceRows('1.1', 5), ...instanceRows('1.2', 1)] },
    instancesOf: (series) => ({ rows: instanceRows(series, series === '1.1' ? 5 : 1) }),
  });

  expect(listing).toMatchObject({ listed: 6, promised: 8 });
});

test('a series that counts nothing is asked for its instances, and missed where it lists none', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1'), seriesRow('1.2'), seriesRow('1.3')] },
    instances: { rows: instanceRows('1.1', 3) },
    instancesOf: (series) => ({ rows: series === '1.3' ? [] : instanceRows(series, 3) }),
  });

  expect(listing).toMatchObject({ listed: 6, promised: 7 });
});

test('what is listed by UIDs that are none is missed, in words', async () => {
  const omission = 'The archive names something by UIDs that are not valid, which cannot be asked for.';
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

test('an archive that fails for a moment is not said to have nothing, one that cannot list whole studies may', async () => {
  const nothing = { series: {}, instancesOf: () => ({}) };

  await expect(listAt({ ...nothing, instances: { status: 500 } })).rejects.toMatchObject({
    remoteCause: 'SERVER_ERROR',
  });
  expect(await listAt({ ...nothing, instances: { status: 400 } })).toMatchObject({ listed: 0, promised: 0 });
});

test('an archive that fails to list a whole study is listed series by series', async () => {
  const listing = await listAt({
    series: { rows: [seriesRow('1.1', 2)] },
    instances: { status: 500 },
    instancesOf: (series) => ({ rows: instanceRows(series, 2) }),
  });

  expect(listing).toMatchObject({ listed: 2, promised: 2, omission: '' });
});
