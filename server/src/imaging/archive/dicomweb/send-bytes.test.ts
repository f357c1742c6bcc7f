import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

const withImage = async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const palette = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 251));
  const file = image({ ...uids, RedPaletteColorLookupTableData: palette });
  await storeAs(person, file);
  const series = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}`;
  const path = `${series}/instances/${uids.SOPInstanceUID}`;
  const ask = (suffix: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    person.request({ method, url: `/api/wado-rs${path}${suffix}`, headers });
  return { person, file, palette, path, series, ask };
};

const bare = { accept: 'application/dicom' };
const bytes = { accept: 'application/octet-stream' };

test('returns only the requested byte range of an instance, a frame or bulk data', async () => {
  const { file, palette, ask } = await withImage();

  const instance = await ask('', { ...bare, range: 'bytes=128-131' });
  const frame = await ask('/frames/1', { ...bytes, range: 'bytes=500-' });
  const bulk = await ask('/bulkdata/00281201', { ...bytes, range: 'bytes=-6' });

  expect([instance, frame, bulk].map(({ statusCode }) => statusCode)).toEqual([206, 206, 206]);
  expect(instance.payload).toBe('DICM');
  expect(instance.headers['content-range']).toBe(`bytes 128-131/${file.bytes.length}`);
  expect(instance.headers['content-length']).toBe('4');
  expect(frame.headers['content-range']).toBe('bytes 500-511/512');
  expect(bulk.rawPayload.equals(palette.subarray(-6))).toBe(true);
});

test('refuses a byte range after the end of the resource, and ignores invalid and multiple ranges', async () => {
  const { file, ask } = await withImage();
  const statusOf = async (range: string) => (await ask('', { ...bare, range })).statusCode;

  const beyond = await ask('', { ...bare, range: 'bytes=9999999-' });

  expect(beyond.statusCode).toBe(416);
  expect(beyond.headers['content-range']).toBe(`bytes */${file.bytes.length}`);
  expect(beyond.headers['cache-control']).toBe('no-store');
  expect(await statusOf('bytes=-0')).toBe(416);
  expect(await statusOf('bytes=0-9999999')).toBe(206);
  expect(await Promise.all(['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b'].map(statusOf))).toEqual([
    200, 200, 200, 200, 200,
  ]);
});

test('HEAD returns the total length even when it requests a range', async () => {
  const { file, ask } = await withImage();

  const within = await ask('', { ...bare, range: 'bytes=128-131' }, 'HEAD');
  const beyond = await ask('', { ...bare, range: 'bytes=9999999-' }, 'HEAD');

  for (const { statusCode, headers } of [within, beyond]) {
    expect([statusCode, headers['content-length']]).toEqual([200, String(file.bytes.length)]);
  }
});

test('continues a download with a range only if the earlier bytes of the client are from the same file', async () => {
  const { ask } = await withImage();
  const { etag } = (await ask('', bare)).headers;
  const range = 'bytes=0-3';

  const same = await ask('', { ...bare, range, 'if-range': String(etag) });
  const other = await ask('', { ...bare, range, 'if-range': '"other"' });
  const weak = await ask('', { ...bare, range, 'if-range': `W/${String(etag)}` });

  expect(etag).toMatch(/^"[\w-]{24}"$/);
  expect([same, other, weak].map(({ statusCode }) => statusCode)).toEqual([206, 200, 200]);
});

test('a client with a current copy gets 304 for any resource', async () => {
  const { path, series, ask, person } = await withImage();
  const requests: [string, Record<string, string>][] = [
    [path, bare],
    [path, {}],
    [series, {}],
    [`${path}/frames/1`, bytes],
    [`${path}/frames/1`, {}],
    [`${path}/bulkdata/00281201`, bytes],
    [`${path}/bulkdata/00281201`, {}],
    [`${path}/metadata`, {}],
    [`${series}/metadata`, { 'accept-encoding': 'gzip' }],
    [`${path}/rendered`, {}],
    [`${path}/thumbnail`, {}],
  ];

  const again: number[] = [];
  for (const [url, headers] of requests) {
    const first = await getFrom(person, url, headers);
    again.push((await getFrom(person, url, { ...headers, 'if-none-match': String(first.headers.etag) })).statusCode);
  }
  const changed = await ask('', { ...bare, 'if-none-match': '"another"' });

  expect(again).toEqual(requests.map(() => 304));
  expect(changed.statusCode).toBe(200);
});

test('compressed and uncompressed metadata have different ETags', async () => {
  const { ask } = await withImage();

  const plain = await ask('/metadata', {});
  const packed = await ask('/metadata', { 'accept-encoding': 'gzip' });

  expect(packed.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, '-gzip"'));
});

test('HEAD returns the length without reading a file', async () => {
  const { path, series, person } = await withImage();
  const study = series.slice(0, series.indexOf('/series'));
  const requests: [string, Record<string, string>][] = [
    [study, {}],
    [series, {}],
    [path, bare],
    [`${path}/frames/1`, bytes],
    [`${path}/frames/1,1`, {}],
    [`${study}/metadata`, {}],
    [`${path}/thumbnail`, {}],
  ];
  const answers = await Promise.all(requests.map(([url, headers]) => getFrom(person, url, headers)));
  const rows = await person.inScope(({ db }) => db.selectFrom('instances').select('sha256').execute());
  for (const { sha256 } of rows) await world.context.blobs.remove(person.tenant.id, sha256.toString('hex'));

  const heads = await Promise.all(
    requests.map(([url, headers]) => person.request({ method: 'HEAD', url: `/api/wado-rs${url}`, headers })),
  );

  const lengths = answers.map(({ rawPayload }) => String(rawPayload.length));
  expect(heads.map(({ statusCode }) => statusCode)).toEqual(requests.map(() => 200));
  expect(heads.map(({ headers }) => headers['content-length'])).toEqual(lengths);
  expect(heads.every(({ rawPayload }) => rawPayload.length === 0)).toBe(true);
});

test('the accept parameter in the address overrides the header', async () => {
  const { file, ask } = await withImage();

  const single = await ask('?accept=application/dicom', { accept: 'text/html' });
  const frame = await ask('/frames/1?accept=application/octet-stream', {});
  const refused = await ask('/metadata?accept=text/html', {});

  expect(single.rawPayload.equals(file.bytes)).toBe(true);
  expect(frame.rawPayload).toHaveLength(512);
  expect(refused.statusCode).toBe(406);
  expect(refused.json().message).toMatch(/^Metadata is available as application\/dicom\+json/);
});
