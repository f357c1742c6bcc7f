import { prefetchHeader } from '@radwork/contract/core/endpoint';
import { gunzipSync } from 'node:zlib';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

type Uids = { StudyInstanceUID: string; SeriesInstanceUID: string; SOPInstanceUID: string; PatientID: string };

const newUids = (): Uids => ({
  StudyInstanceUID: newUid(),
  SeriesInstanceUID: newUid(),
  SOPInstanceUID: newUid(),
  PatientID: 'P',
});

const pathOf = ({ StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID }: Uids): string =>
  `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}/instances/${SOPInstanceUID}`;

/** Creates a user with one stored image and returns its path. */
const withImage = async (elements: Parameters<typeof image>[0] = {}, file: Parameters<typeof image>[1] = {}) => {
  const person = await world.signIn();
  const uids = newUids();
  const stored = image({ ...uids, ...elements }, file);
  await storeAs(person, stored);
  return { person, uids, stored, path: pathOf(uids) };
};

/** 16 × 16 pixels of 16 bits. Each frame has another value. */
const grayFrames = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, frame) => Buffer.from(new Uint16Array(256).fill(frame * 1000 + 258).buffer));

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const jpegBaseline = '1.2.840.10008.1.2.4.50';

test('returns an instance unchanged, as multipart or as a single body', async () => {
  const { person, stored, path } = await withImage();

  const multipart = await getFrom(person, path);
  const single = await getFrom(person, path, { accept: 'application/dicom' });

  const contentType = `application/dicom; transfer-syntax=${explicitLittleEndian}`;
  expect(multipart.headers['content-type']).toMatch(/^multipart\/related; type="application\/dicom"; boundary=/);
  expect(Number(multipart.headers['content-length'])).toBe(multipart.rawPayload.length);
  expect(await partsOf(multipart)).toEqual([{ contentType, body: stored.bytes }]);
  expect(single.headers['content-type']).toBe(contentType);
  expect(single.rawPayload.equals(stored.bytes)).toBe(true);
});

test('returns a complete study or series in the order of the image numbers', async () => {
  const person = await world.signIn();
  const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];
  const study = { StudyInstanceUID, PatientID: 'P' };
  const second = image({ ...study, SeriesInstanceUID, SeriesNumber: 1, InstanceNumber: 2 });
  const first = image({ ...study, SeriesInstanceUID, SeriesNumber: 1, InstanceNumber: 1 });
  const other = image({ ...study, SeriesNumber: 2 });
  await storeAs(person, other, second, first);

  const ofStudy = await partsOf(await getFrom(person, `/studies/${StudyInstanceUID}`));
  const ofSeries = await partsOf(await getFrom(person, `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}`));

  const bytesOf = (files: { body: Buffer }[]) => files.map(({ body }) => body);
  const expected = (files: TestFile[]) => files.map(({ bytes }) => bytes);
  expect(bytesOf(ofStudy)).toEqual(expected([first, second, other]));
  expect(bytesOf(ofSeries)).toEqual(expected([first, second]));
});

test('serves frames by number as they are stored', async () => {
  const frames = grayFrames(3);
  const { person, path } = await withImage({ NumberOfFrames: 3 }, { pixelData: Buffer.concat(frames) });

  const second = await getFrom(person, `${path}/frames/2`);
  const several = await getFrom(person, `${path}/frames/3,1`);

  const contentType = `application/octet-stream; transfer-syntax=${explicitLittleEndian}`;
  expect(second.headers['content-type']).toMatch(/^multipart\/related; type="application\/octet-stream"; boundary=/);
  expect(second.rawPayload.toString('latin1')).toContain(`\r\nContent-Type: ${contentType}\r\n\r\n`);
  expect(await partsOf(second)).toEqual([{ contentType, body: frames[1] }]);
  expect((await partsOf(several)).map(({ body }) => body)).toEqual([frames[2], frames[0]]);
});

test('returns all frames of a long cine in one request', async () => {
  const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
  const cine = { NumberOfFrames: 300, Rows: 2, Columns: 2 };
  const { person, path } = await withImage(cine, {
    pixelData: Buffer.from(new Uint16Array(1200).map((_, at) => at).buffer),
  });

  const parts = await partsOf(await getFrom(person, `${path}/frames/${numbers.join(',')}`));

  expect(parts).toHaveLength(300);
  expect(parts[299]?.body.readUInt16LE(0)).toBe(1196);
});

test('compressed frames keep their transfer syntax, whatever the number of their fragments', async () => {
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
  const fragments = [start, Buffer.from('one!'), start, Buffer.from('two!'), Buffer.from('more')];
  const file = { transferSyntaxUID: jpegBaseline, pixelData: fragments };
  const { person, path } = await withImage({ NumberOfFrames: 2 }, file);

  const [first] = await partsOf(await getFrom(person, `${path}/frames/1`));
  const [second] = await partsOf(await getFrom(person, `${path}/frames/2`));

  expect(first?.body).toEqual(Buffer.concat(fragments.slice(0, 2)));
  expect(second).toEqual({
    contentType: `application/octet-stream; transfer-syntax=${jpegBaseline}`,
    body: Buffer.concat(fragments.slice(2)),
  });
});

test.for([
  ['big endian', '1.2.840.10008.1.2.2'],
  ['deflated', '1.2.840.10008.1.2.1.99'],
  ['implicit', '1.2.840.10008.1.2'],
] as const)('serves frames of a file in %s in little endian, and the file unchanged', async ([, syntax]) => {
  const frames = grayFrames(2);
  const file = { transferSyntaxUID: syntax, pixelData: Buffer.concat(frames) };
  const { person, path, stored } = await withImage({ NumberOfFrames: 2 }, file);

  const [frame] = await partsOf(await getFrom(person, `${path}/frames/2`));
  const fileResponse = await getFrom(person, path, { accept: 'application/dicom' });

  expect(frame?.contentType).toBe(`application/octet-stream; transfer-syntax=${explicitLittleEndian}`);
  expect(frame?.body.equals(frames[1] ?? Buffer.alloc(0))).toBe(true);
  expect(fileResponse.rawPayload.equals(stored.bytes)).toBe(true);
});

test('serves uncompressed pixels with subsampled color as RGB, and the metadata also says RGB', async () => {
  const white = [235, 235, 128, 128];
  const red = [76, 76, 85, 255];
  const pixelData = Buffer.from(
    [...Array.from({ length: 64 }, () => white), ...Array.from({ length: 64 }, () => red)].flat(),
  );
  const color = { SamplesPerPixel: 3, PlanarConfiguration: 0, BitsAllocated: 8, BitsStored: 8, HighBit: 7 };
  const { person, path } = await withImage({ ...color, PhotometricInterpretation: 'YBR_FULL_422' }, { pixelData });

  const [frame] = await partsOf(await getFrom(person, `${path}/frames/1`));
  const [metadata] = (await getFrom(person, `${path}/metadata`)).json();

  expect(frame?.body).toHaveLength(16 * 16 * 3);
  expect([...(frame?.body.subarray(0, 3) ?? [])]).toEqual([235, 235, 235]);
  expect([...(frame?.body.subarray(-3) ?? [])]).toEqual([254, 0, 0]);
  expect(metadata).toMatchObject({ '00280004': { Value: ['RGB'] }, '00280006': { Value: [0] } });
});

test('serves pixels with full color unchanged, even if the file declares subsampled color', async () => {
  const pixelData = Buffer.from(Array.from({ length: 16 * 16 }, () => [76, 85, 255]).flat());
  const color = { SamplesPerPixel: 3, PlanarConfiguration: 0, BitsAllocated: 8, BitsStored: 8, HighBit: 7 };
  const { person, path } = await withImage({ ...color, PhotometricInterpretation: 'YBR_FULL_422' }, { pixelData });

  const [frame] = await partsOf(await getFrom(person, `${path}/frames/1`));
  const [metadata] = (await getFrom(person, `${path}/metadata`)).json();
  const rendered = await getFrom(person, `${path}/rendered`, { accept: 'image/png' });

  expect(frame?.body).toEqual(pixelData);
  expect(metadata).toMatchObject({ '00280004': { Value: ['YBR_FULL'] }, '00280006': { Value: [0] } });
  expect([...(await sharp(rendered.rawPayload).raw().toBuffer()).subarray(0, 3)]).toEqual([254, 0, 0]);
});

test('a missing frame gets a 404, and an invalid list of frames is refused', async () => {
  const { person, path } = await withImage();
  const report = await withImage({}, { pixelData: null });

  const answers = await Promise.all([
    getFrom(person, `${path}/frames/2`),
    getFrom(person, `${path}/frames/0`),
    getFrom(report.person, `${report.path}/frames/1`),
    getFrom(person, `${path}/frames/one`),
  ]);

  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 400]);
});

test('refuses a transfer syntax that is not available', async () => {
  const { person, path } = await withImage();
  const other = 'transfer-syntax=1.2.840.10008.1.2.4.90';
  const accepts = (accept: string, suffix = '') => getFrom(person, `${path}${suffix}`, { accept });

  const refused = await Promise.all([
    accepts(`multipart/related; type="application/octet-stream"; ${other}`, '/frames/1'),
    accepts('image/jpeg', '/frames/1'),
    accepts(`multipart/related; type="application/dicom"; ${other}`),
    accepts('text/html'),
  ]);
  const accepted = await Promise.all([
    accepts('multipart/related; type=application/octet-stream; transfer-syntax=*', '/frames/1'),
    accepts('application/octet-stream', '/frames/1'),
    accepts(`multipart/related; type="application/dicom"; transfer-syntax=${explicitLittleEndian}`),
  ]);

  expect(refused.map((answer) => answer.statusCode)).toEqual([406, 406, 406, 406]);
  expect(accepted.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
  expect(accepted[1]?.rawPayload).toHaveLength(512);
});

test('a client that has already received a frame gets 304', async () => {
  const { person, path } = await withImage();
  const first = await getFrom(person, `${path}/frames/1`);

  const again = await getFrom(person, `${path}/frames/1`, { 'if-none-match': String(first.headers.etag) });

  expect(first.headers['cache-control']).toBe('private, max-age=3600, immutable');
  expect(first.headers['vary']).toContain('Authorization, X-Tenantid');
  expect(again.statusCode).toBe(304);
  expect(again.rawPayload).toHaveLength(0);
});

test('a browser that has bytes in parts gets the bare bytes when it asks for them, and not 304', async () => {
  const { person, path } = await withImage({ RedPaletteColorLookupTableData: Buffer.alloc(4096, 7) });
  const inParts = 'multipart/related; type=application/octet-stream; transfer-syntax=*';
  const [metadata] = (await getFrom(person, `${path}/metadata`)).json();
  const uri: string = metadata['00281201'].BulkDataURI;

  for (const [place, length] of [
    ['/frames/1', 512],
    [uri.slice(uri.indexOf('/bulkdata/')), 4096],
  ] as const) {
    const parts = await getFrom(person, `${path}${place}`, { accept: inParts });
    const again = await getFrom(person, `${path}${place}`, {
      accept: inParts,
      'if-none-match': String(parts.headers.etag),
    });
    // A browser names the answer that it has, whatever its form (RFC 9111 §4.3.1).
    const bare = await getFrom(person, `${path}${place}`, {
      accept: 'application/octet-stream',
      'if-none-match': String(parts.headers.etag),
    });

    expect([parts.statusCode, again.statusCode, bare.statusCode]).toEqual([200, 304, 200]);
    expect(bare.rawPayload).toHaveLength(length);
  }
});

test('metadata contains the headers in DICOM JSON, in the order of the instances', async () => {
  const person = await world.signIn();
  const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];
  const slices = [3, 1, 2].map((InstanceNumber) =>
    image({ StudyInstanceUID, SeriesInstanceUID, InstanceNumber, PatientID: 'P', PatientName: '山田^太郎' }),
  );
  const other = image({ StudyInstanceUID, PatientID: 'P', SeriesNumber: 2 });
  await storeAs(person, ...slices, other);
  const series = `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}/metadata`;

  const plain = await getFrom(person, series);
  const zipped = await getFrom(person, series, { 'accept-encoding': 'gzip, br' });
  const study = await getFrom(person, `/studies/${StudyInstanceUID}/metadata`);

  const metadata: Record<string, { Value: unknown[] }>[] = plain.json();
  expect(plain.headers['content-type']).toBe('application/dicom+json');
  expect(metadata.map((instance) => instance['00200013']?.Value)).toEqual([[1], [2], [3]]);
  expect(metadata[0]).toMatchObject({
    '00083002': { vr: 'UI', Value: [explicitLittleEndian] },
    '00100010': { vr: 'PN', Value: [{ Alphabetic: '山田^太郎' }] },
    '00281053': { vr: 'DS', Value: [1] },
  });
  expect(metadata[0]).not.toHaveProperty('7FE00010');
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(zipped.rawPayload).toString())).toEqual(metadata);
  expect(study.json()).toHaveLength(4);
});

test('metadata includes an image added to the series later', async () => {
  const { person, uids } = await withImage({ InstanceNumber: 1 });
  const series = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/metadata`;
  const before = await getFrom(person, series);
  const tag = { 'if-none-match': String(before.headers.etag) };

  const unchanged = await getFrom(person, series, tag);
  await storeAs(person, image({ ...uids, SOPInstanceUID: newUid(), InstanceNumber: 2 }));
  const after = await getFrom(person, series, tag);

  expect(before.json()).toHaveLength(1);
  expect(unchanged.statusCode).toBe(304);
  expect(after.json()).toHaveLength(2);
});

test('a value that is too long for the metadata has its own address', async () => {
  const palette = Buffer.from(Array.from({ length: 4096 }, (_, index) => index % 251));
  const { person, path } = await withImage({ RedPaletteColorLookupTableData: palette });
  const [metadata] = (await getFrom(person, `${path}/metadata`)).json();

  const uri: string = metadata['00281201'].BulkDataURI;
  const [part] = await partsOf(await person.request({ method: 'GET', url: uri }));
  const bare = await person.request({ method: 'GET', url: uri, headers: { accept: 'application/octet-stream' } });
  const missing = await getFrom(person, `${path}/bulkdata/00281202`);

  expect(uri).toBe(`/api/wado-rs${path}/bulkdata/00281201`);
  expect(part?.body.equals(palette)).toBe(true);
  expect(bare.rawPayload.equals(palette)).toBe(true);
  expect(missing.statusCode).toBe(404);
});

const everyPath = ({ StudyInstanceUID, SeriesInstanceUID, ...uids }: Uids): string[] => {
  const study = `/studies/${StudyInstanceUID}`;
  const instance = pathOf({ StudyInstanceUID, SeriesInstanceUID, ...uids });
  return [study, `${study}/series/${SeriesInstanceUID}`, instance]
    .flatMap((path) => [path, `${path}/metadata`])
    .concat(`${instance}/frames/1`, `${instance}/bulkdata/00281201`);
};

const statusesOf = async (person: Person, uids: Uids): Promise<number[]> => {
  const answers = await Promise.all(everyPath(uids).map((path) => getFrom(person, path)));
  return answers.map((answer) => answer.statusCode);
};

const notFoundAll = Array.from({ length: 8 }, () => 404);

test('data of another tenant and missing data get the same 404', async () => {
  const { uids, path } = await withImage();
  const stranger = await world.signIn();

  expect(await statusesOf(stranger, uids)).toEqual(notFoundAll);
  const [foreign, unknown] = await Promise.all([
    getFrom(stranger, `${path}/frames/1`),
    getFrom(stranger, `${pathOf(newUids())}/frames/1`),
  ]);
  const wordsOf = (answer: { json: () => Record<string, unknown> }) => ({ ...answer.json(), traceId: '' });
  expect(wordsOf(foreign)).toEqual(wordsOf(unknown));
});

test('finds an image only under its own series and study', async () => {
  const { person, uids } = await withImage();
  const other = newUids();
  await storeAs(person, image(other));

  const strayed = await Promise.all([
    getFrom(person, pathOf({ ...uids, SeriesInstanceUID: other.SeriesInstanceUID })),
    getFrom(person, pathOf({ ...uids, StudyInstanceUID: other.StudyInstanceUID })),
    getFrom(person, `/studies/../../etc/passwd`),
    getFrom(person, `/studies/%2e%2e/series/1/instances/1`),
  ]);

  expect(strayed.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404]);
});

test('a referring physician sees only images of their own studies', async () => {
  const { person, uids } = await withImage({ RedPaletteColorLookupTableData: Buffer.alloc(4096) });
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const before = await statusesOf(referrer, uids);

  await person.inScope(async ({ db }) => {
    const study = await db.selectFrom('studies').select('id').executeTakeFirstOrThrow();
    await db
      .insertInto('study_participants')
      .values({ study_id: study.id, user_id: referrer.userId, role: 'REFERRER' })
      .execute();
  });

  expect(before).toEqual(notFoundAll);
  expect(await statusesOf(referrer, uids)).toEqual(notFoundAll.map(() => 200));
});

test('a study is not served after its deletion, even if access to it is cached', async () => {
  const stopListening = world.context.sessions.listen(world.url);
  await expect.poll(() => world.context.sessions.accessVersion()).toBeDefined();
  const { person, uids, path } = await withImage();
  await getFrom(person, `${path}/frames/1`);
  const version = world.context.sessions.accessVersion();

  await person.inScope(({ db }) => db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).execute());
  await expect.poll(() => world.context.sessions.accessVersion()).not.toBe(version);

  expect(await statusesOf(person, uids)).toEqual(notFoundAll);
  await stopListening();
});

test('audits a view of a study once, whatever the number of frames read', async () => {
  const { person, path } = await withImage();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);

  await Promise.all([1, 1, 1, 1].map((frame) => getFrom(person, `${path}/frames/${frame}`)));
  await getFrom(person, `${path}/metadata`);
  await getFrom(colleague, path);

  const entries = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'username', 'study_id'])
      .where('action', '=', 'study.retrieve')
      .orderBy('id')
      .execute(),
  );
  expect(entries.map(({ username }) => username)).toEqual([person.username, colleague.username]);
  expect(entries[0]?.study_id).toBeTruthy();
});

test('audits images that are loaded in advance in their own words, and again when they are opened', async () => {
  const { person, path } = await withImage();
  const inAdvance = { [prefetchHeader]: '1' };
  await getFrom(person, `${path}/frames/1`, inAdvance);
  await getFrom(person, `${path}/metadata`, inAdvance);

  await getFrom(person, `${path}/frames/1`);

  const entries = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select('action')
      .where('action', 'in', ['study.prefetch', 'study.retrieve'])
      .orderBy('id')
      .execute(),
  );
  expect(entries.map(({ action }) => action)).toEqual(['study.prefetch', 'study.retrieve']);
});

test('audits a view of a study again when the study has moved to a new patient', async () => {
  const stopListening = world.context.sessions.listen(world.url);
  await expect.poll(() => world.context.sessions.accessVersion()).toBeDefined();
  const { person, path } = await withImage();
  await storeAs(person, image({ ...newUids(), PatientID: 'Q' }));
  await getFrom(person, `${path}/frames/1`);
  const [{ from, to } = { from: '', to: '' }] = await person.inScope(async ({ db }) => {
    const { rows } = await sql<{ from: string; to: string }>`
      select p.id as from, q.id as to from patients p, patients q where p.patient_id = 'P' and q.patient_id = 'Q'`.execute(
      db,
    );
    return rows;
  });
  const version = world.context.sessions.accessVersion();

  await person.inScope(({ db }) =>
    db.updateTable('studies').set({ patient_id: to, named_patient_id: from }).where('patient_id', '=', from).execute(),
  );
  await expect.poll(() => world.context.sessions.accessVersion()).not.toBe(version);
  await getFrom(person, `${path}/frames/1`);
  await getFrom(person, `${path}/frames/1`);

  const entries = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('patient_id').where('action', '=', 'study.retrieve').orderBy('id').execute(),
  );
  expect(entries.map(({ patient_id }) => patient_id)).toEqual([from, to]);
  await stopListening();
});
