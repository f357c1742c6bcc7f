import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readHeader } from '@radwork/dicom/header';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { compressed, losslessSyntaxes } from '#test/compress-pixels.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

/** Real files in a folder next to the repository, if they are there. */
const folder = resolve(import.meta.dirname, '../../../../../../shared/dicom/transfer-syntaxes/ctimage');
const haveFiles = existsSync(folder);
const unlessMissing = haveFiles ? '' : ' (skipped: there are no files in ../shared/dicom)';

const world = await createWorld();

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const asFile = { accept: `application/dicom; transfer-syntax=${explicitLittleEndian}` };
const asParts = { accept: `multipart/related; type="application/dicom"; transfer-syntax=${explicitLittleEndian}` };
const asPixels = { accept: `application/octet-stream; transfer-syntax=${explicitLittleEndian}` };

type Elements = NonNullable<Parameters<typeof image>[0]>;
type File = Parameters<typeof image>[1];

const newUids = () => ({ StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() });

const seriesOf = ({ StudyInstanceUID, SeriesInstanceUID }: ReturnType<typeof newUids>) =>
  `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}`;

const withImage = async (elements: Elements = {}, file: File = {}) => {
  const person = await world.signIn();
  const uids = newUids();
  const stored = image({ ...uids, ...elements }, file);
  await storeAs(person, stored);
  return { person, uids, stored, path: `${seriesOf(uids)}/instances/${uids.SOPInstanceUID}` };
};

const pixelsOf = (file: Buffer): Buffer => {
  const { pixelData } = readHeader(file);
  return file.subarray(pixelData?.offset, (pixelData?.offset ?? 0) + (pixelData?.length ?? 0));
};

const datasetOf = async (person: Person, path: string) => {
  const answer = await getFrom(person, path, asFile);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe(`application/dicom; transfer-syntax=${explicitLittleEndian}`);
  expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length));
  return { header: readHeader(answer.rawPayload), pixels: pixelsOf(answer.rawPayload) };
};

/** 16 × 16 pixels of 16 bits, 12 of them stored. */
const ramp = Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => index * 16).buffer);
const falling = Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => 4095 - index).buffer);
const bits = { BitsStored: 12, HighBit: 11 };

test.for(losslessSyntaxes)(
  'an image compressed as %s can also be retrieved in Explicit VR Little Endian with the same pixels',
  async (syntax) => {
    const pixelData = [ramp, falling].map((frame) => compressed(frame, syntax, 16, 16));
    const elements = { ...bits, NumberOfFrames: 2, PatientName: '山田^太郎', LossyImageCompression: '00' };
    const { person, path, stored } = await withImage(elements, { transferSyntaxUID: syntax, pixelData });

    const { header, pixels } = await datasetOf(person, path);

    expect(pixels.equals(Buffer.concat([ramp, falling]))).toBe(true);
    expect(header.transferSyntaxUID).toBe(explicitLittleEndian);
    expect(header.sopInstanceUID).toBe(readHeader(stored.bytes).sopInstanceUID);
    expect(header.dataset).toEqual(readHeader(stored.bytes).dataset);
    expect(header.warnings).toEqual([]);
  },
);

test.for([
  ['implicit', '1.2.840.10008.1.2'],
  ['big endian', '1.2.840.10008.1.2.2'],
  ['deflated', '1.2.840.10008.1.2.1.99'],
] as const)(
  'an uncompressed file in %s can also be retrieved in Explicit VR Little Endian',
  async ([, transferSyntaxUID]) => {
    const { person, path, stored } = await withImage(bits, { transferSyntaxUID, pixelData: ramp });

    const { header, pixels } = await datasetOf(person, path);

    expect(pixels.equals(ramp)).toBe(true);
    expect(header.dataset).toEqual(readHeader(stored.bytes).dataset);
  },
);

test('decodes frames for a client that asks for it, and serves stored frames to other clients', async () => {
  const syntax = '1.2.840.10008.1.2.4.90';
  const frames = [ramp, falling].map((frame) => compressed(frame, syntax, 16, 16));
  const { person, path } = await withImage(
    { ...bits, NumberOfFrames: 2 },
    { transferSyntaxUID: syntax, pixelData: frames },
  );

  const decoded = await getFrom(person, `${path}/frames/2`, asPixels);
  const parts = await partsOf(
    await getFrom(person, `${path}/frames/1,2`, {
      accept: `multipart/related; type="application/octet-stream"; transfer-syntax=${explicitLittleEndian}`,
    }),
  );
  const stored = await getFrom(person, `${path}/frames/2`, { accept: 'application/octet-stream' });

  expect(decoded.headers['content-type']).toBe(`application/octet-stream; transfer-syntax=${explicitLittleEndian}`);
  expect(decoded.rawPayload.equals(falling)).toBe(true);
  expect(parts.map(({ body }) => body)).toEqual([ramp, falling]);
  expect(stored.headers['content-type']).toContain(syntax);
  expect(decoded.headers.etag).not.toBe(stored.headers.etag);
});

test('serves stored pixels rather than converted pixels unless the client prefers converted pixels', async () => {
  const syntax = '1.2.840.10008.1.2.5';
  const pixelData = [compressed(ramp, syntax, 16, 16)];
  const { person, path, stored } = await withImage(bits, { transferSyntaxUID: syntax, pixelData });
  const ask = async (rle: number) => {
    const accept = `${asFile.accept}; q=0.5, application/dicom; transfer-syntax=${syntax}; q=${rle}`;
    return (await getFrom(person, path, { accept })).rawPayload.equals(stored.bytes);
  };

  expect([await ask(0.9), await ask(0.5), await ask(0.1)]).toEqual([true, true, false]);
});

test('returns the convertible files of a study and reports that the other files are missing', async () => {
  const uids = newUids();
  const person = await world.signIn();
  const rle = '1.2.840.10008.1.2.5';
  const study = { ...uids, ...bits, PatientID: 'P' };
  const plain = image({ ...study, InstanceNumber: 1 }, { pixelData: ramp });
  const packed = image(
    { ...study, InstanceNumber: 2, SOPInstanceUID: newUid() },
    { transferSyntaxUID: rle, pixelData: [compressed(ramp, rle, 16, 16)] },
  );
  const video = image(
    { ...study, InstanceNumber: 3, SOPInstanceUID: newUid(), NumberOfFrames: 9 },
    { transferSyntaxUID: '1.2.840.10008.1.2.4.102', pixelData: [Buffer.from('ftypmp42')] },
  );
  const oneBit = image(
    { ...study, InstanceNumber: 4, SOPInstanceUID: newUid(), BitsAllocated: 1, BitsStored: 1, HighBit: 0 },
    { transferSyntaxUID: rle, pixelData: [Buffer.alloc(64)] },
  );
  await storeAs(person, plain, packed);
  const full = await getFrom(person, seriesOf(uids), asParts);

  await storeAs(person, video, oneBit);
  const partial = await getFrom(person, seriesOf(uids), asParts);
  const head = await person.request({ method: 'HEAD', url: `/api/wado-rs${seriesOf(uids)}`, headers: asParts });

  expect([full, partial, head].map(({ statusCode }) => statusCode)).toEqual([200, 206, 206]);
  expect((await partsOf(full)).map(({ body }) => pixelsOf(body))).toEqual([ramp, ramp]);
  expect((await partsOf(partial)).map(({ body }) => readHeader(body).transferSyntaxUID)).toEqual([
    explicitLittleEndian,
    explicitLittleEndian,
  ]);
});

test('refuses an unavailable transfer syntax and names the stored transfer syntax', async () => {
  const jpegXl = '1.2.840.10008.1.2.4.110';
  const { person, path, uids } = await withImage(bits, { transferSyntaxUID: jpegXl, pixelData: [Buffer.from('jxl?')] });
  const plain = await withImage();
  const other = { accept: 'application/dicom; transfer-syntax=1.2.840.10008.1.2.4.90' };

  const answers = [
    await getFrom(person, path, asFile),
    await getFrom(person, seriesOf(uids), asParts),
    await getFrom(person, `${path}/frames/1`, asPixels),
  ];
  const unmade = await getFrom(plain.person, plain.path, other);

  for (const answer of answers) {
    expect(answer.statusCode).toBe(406);
    expect(answer.json().message).toMatch(new RegExp(`stored in transfer syntax ${jpegXl}`, 'i'));
  }
  expect(unmade.json().message).toContain(explicitLittleEndian);
});

test('refuses to transcode a damaged frame', async () => {
  const syntax = '1.2.840.10008.1.2.4.90';
  const damaged = compressed(ramp, syntax, 16, 16).subarray(0, 60);
  const { person, path } = await withImage(bits, { transferSyntaxUID: syntax, pixelData: [damaged] });

  const file = await getFrom(person, path, asFile);
  const frame = await getFrom(person, `${path}/frames/1`, asPixels);

  expect([file.statusCode, frame.statusCode]).toEqual([406, 406]);
  expect(file.headers['cache-control']).toBe('no-store');
  expect(frame.headers['cache-control']).toBe('no-store');
});

test('an instance without an image can also be retrieved in Explicit VR Little Endian', async () => {
  const { person, path, stored } = await withImage(
    { Modality: 'SR', Rows: undefined, ContentSequence: [{ ValueType: 'TEXT', TextValue: 'Größe: 5 mm' }] },
    { transferSyntaxUID: '1.2.840.10008.1.2', pixelData: null },
  );

  const { header } = await datasetOf(person, path);

  expect(header.dataset).toEqual(readHeader(stored.bytes).dataset);
});

const original = 'CTImage.dcm_LittleEndianExplicitTransferSyntax_1.2.840.10008.1.2.1.dcm';
/** Lossless transfer syntaxes. Lossy JPEG-LS, JPEG 2000 and JPEG change the pixels. */
const lossless = /1\.2(\.1|\.1\.99|\.2|\.4\.57|\.4\.70|\.4\.80|\.4\.90|\.5)?\.dcm$/;

test.skipIf(!haveFiles)(
  `a real image in every lossless syntax has the same pixels in Explicit VR Little Endian${unlessMissing}`,
  { timeout: 60_000 },
  async () => {
    const expected = pixelsOf(readFileSync(join(folder, original)));
    const names = readdirSync(folder).filter((name) => name.startsWith('CTImage.dcm_') && lossless.test(name));

    const different: string[] = [];
    for (const name of names) {
      const person = await world.signIn();
      const bytes = readFileSync(join(folder, name));
      await storeAs(person, { name, bytes });
      const { studyInstanceUID, seriesInstanceUID, sopInstanceUID } = readHeader(bytes);
      const path = `/studies/${studyInstanceUID}/series/${seriesInstanceUID}/instances/${sopInstanceUID}`;
      const { pixels } = await datasetOf(person, path);
      if (!pixels.equals(expected)) different.push(name);
    }

    expect(names.length).toBeGreaterThanOrEqual(8);
    expect(different).toEqual([]);
  },
);
