import type { ReadBytes } from '@radwork/dicom/byte-window';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { readHeaderOf } from './read-header.ts';

const world = await createWorld();

const mark = Buffer.from('a long value');
const longValues = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const group = 0x0009 + 2 * Math.floor(index / 200);
      const tag = `${group.toString(16).padStart(4, '0')}${(0x1000 + (index % 200)).toString(16)}`;
      return [`${tag.toUpperCase()} OB`, mark];
    }),
  );

/** Creates a file from parts and counts the reads. A part that is a number stands for this number of zeros. */
const fileOf = (parts: (Buffer | number)[]) => {
  const chunks: { at: number; bytes: Buffer }[] = [];
  let size = 0;
  for (const part of parts) {
    if (typeof part !== 'number') chunks.push({ at: size, bytes: part });
    size += typeof part === 'number' ? part : part.length;
  }
  const counted = { size, reads: 0, bytesRead: 0 };
  const read: ReadBytes = async (offset, length) => {
    counted.reads += 1;
    counted.bytesRead += length;
    const answer = Buffer.alloc(Math.min(length, size - offset));
    for (const { at, bytes } of chunks) {
      const from = Math.max(at, offset);
      const to = Math.min(at + bytes.length, offset + answer.length);
      if (from < to) bytes.copy(answer, from - offset, from - at, to - at);
    }
    return answer;
  };
  return { read, counted };
};

/** Adds a number of zeros to each value that starts with the mark. */
const lengthened = ({ bytes }: TestFile, more: number) => {
  const parts: (Buffer | number)[] = [];
  let rest = bytes;
  for (let place = rest.indexOf(mark); place >= 0; place = rest.indexOf(mark)) {
    rest.writeUInt32LE(mark.length + more, place - 4);
    parts.push(rest.subarray(0, place + mark.length), more);
    rest = rest.subarray(place + mark.length);
  }
  return fileOf([...parts, rest]);
};

const withLongValues = (count: number, more: number) =>
  lengthened(image({ '00090010 LO': 'RADWORK TEST', ...longValues(count) }), more);

/** Writes the start of an element or an item. Its length is undefined, or the length of the following data. */
const begin = (tag: number, vr: string, length = 0xffff_ffff): Buffer => {
  const header = Buffer.alloc(vr ? 12 : 8);
  header.writeUInt16LE(tag >>> 16);
  header.writeUInt16LE(tag & 0xffff, 2);
  header.write(vr, 4, 'latin1');
  header.writeUInt32LE(length, header.length - 4);
  return header;
};

const item = 0xfffe_e000;
const itemEnd = begin(0xfffe_e00d, '', 0);
const sequenceEnd = begin(0xfffe_e0dd, '', 0);

/** Creates an image with extra elements before its pixels. */
const imageWith = (...elements: (Buffer | number)[]) => {
  const { bytes } = image({ '00090010 LO': 'RADWORK TEST', '00091000 OB': mark });
  const place = bytes.indexOf(mark) - 12;
  return fileOf([bytes.subarray(0, place), ...elements, bytes.subarray(place + 12 + mark.length)]);
};

const document = {
  Rows: undefined,
  Columns: undefined,
  BitsAllocated: undefined,
  Modality: 'DOC',
  MIMETypeOfEncapsulatedDocument: 'model/stl',
};

test('reads elements after a long value and skips the value', async () => {
  const { read, counted } = withLongValues(1, 300 << 20);

  const header = await readHeaderOf(read, counted.size);

  expect(header.dataset['00280010']).toEqual({ vr: 'US', Value: [16] });
  expect(header.pixelData?.length).toBe(512);
  expect(header.bulk).toMatchObject([{ uri: 'bulkdata/00091000', vr: 'OB', length: mark.length + (300 << 20) }]);
  expect(counted.bytesRead).toBeLessThan(200 << 10);
});

test('reads elements after a document of 70 MB without reading the document', async () => {
  const { read, counted } = lengthened(
    image({ ...document, EncapsulatedDocument: mark }, { pixelData: null }),
    70 << 20,
  );

  const { dataset, bulk } = await readHeaderOf(read, counted.size);

  expect(dataset['00420012']).toEqual({ vr: 'LO', Value: ['model/stl'] });
  expect(bulk).toMatchObject([{ uri: 'bulkdata/00420011', length: mark.length + (70 << 20) }]);
  const [{ offset } = { offset: 0 }] = bulk;
  expect(await read(offset, mark.length)).toEqual(mark);
  expect(counted.bytesRead).toBeLessThan(200 << 10);
});

test('skips fragments before the pixel data in the same way as other long values', async () => {
  const fragment = [begin(item, '', 40 << 20), 40 << 20];
  const { read, counted } = imageWith(begin(0x0009_1000, 'OB'), ...fragment, ...fragment, sequenceEnd);

  const { bulk, pixelData } = await readHeaderOf(read, counted.size);

  expect(bulk).toMatchObject([{ uri: 'bulkdata/00091000', length: 2 * (8 + (40 << 20)) + 8 }]);
  expect(pixelData?.length).toBe(512);
  expect(counted.bytesRead).toBeLessThan(400 << 10);
});

test('reads a file without long values only once', async () => {
  const { read, counted } = imageWith();

  await readHeaderOf(read, counted.size);

  expect(counted.reads).toBe(1);
});

test('skips many values slightly longer than the limit with few reads', async () => {
  const one = Buffer.concat([begin(item, ''), begin(0x0009_1000, 'OB', 1100), Buffer.alloc(1100), itemEnd]);
  const many = Array.from({ length: 20_000 }, () => one);
  const { read, counted } = imageWith(begin(0x0009_1000, 'SQ'), Buffer.concat(many), sequenceEnd);

  const { bulk } = await readHeaderOf(read, counted.size);

  expect(bulk).toHaveLength(20_000);
  expect(counted.reads).toBeLessThan(12);
});

test('a long header is not read again for each long value after it', async () => {
  const empty = Buffer.concat([begin(item, ''), itemEnd]);
  const header = [begin(0x0009_1000, 'SQ'), Buffer.concat(Array.from({ length: 150_000 }, () => empty)), sequenceEnd];
  const longs = Array.from({ length: 100 }, (_, index) => [begin(0x0009_1001 + index, 'OB', 300_000), 300_000]);
  const { read, counted } = imageWith(...header, ...longs.flat());

  const { bulk } = await readHeaderOf(read, counted.size);

  expect(bulk).toHaveLength(100);
  expect(counted.reads).toBeLessThan(20);
});

test('skips many long values with few reads', async () => {
  const { read, counted } = withLongValues(60, 20 << 20);

  const header = await readHeaderOf(read, counted.size);

  expect(header.bulk).toHaveLength(60);
  expect(counted.bytesRead).toBeLessThan(10 << 20);
});

test('refuses a file with so many long values that too many bytes must be read', async () => {
  const { read, counted } = withLongValues(1200, 1 << 20);

  await expect(readHeaderOf(read, counted.size)).rejects.toThrow('More than 64 MiB precede the image.');
});

test('refuses a header that exceeds the size limit even without its long values', async () => {
  const text = Buffer.concat([begin(0x0009_1000, 'UT', 65_534), Buffer.alloc(65_534, 'text')]);
  const { read, counted } = imageWith(...Array.from({ length: 1025 }, () => text));

  await expect(readHeaderOf(read, counted.size)).rejects.toThrow('More than 64 MiB precede the image.');
});

test('reports a file that ends within its header as truncated', async () => {
  const { read, counted } = withLongValues(1, 300 << 20);

  await expect(readHeaderOf(read, counted.size - (1 << 20))).rejects.toThrow('The file is incomplete');
});

test('an image after a private value of 70 MB is stored, rendered and returned', async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const value = Buffer.alloc(70 << 20, 'private ');
  const file = image({ ...uids, PatientID: 'P', '00090010 LO': 'RADWORK TEST', '00091000 OB': value });

  await storeAs(person, file);
  const path = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  const bulk = await getFrom(person, `${path}/bulkdata/00091000`, { accept: 'application/octet-stream' });
  const rendered = await getFrom(person, `${path}/rendered`);

  expect(bulk.rawPayload.equals(value)).toBe(true);
  expect([rendered.statusCode, rendered.headers['content-type']]).toEqual([200, 'image/jpeg']);
});

test('a document of 70 MB is stored and returned unchanged', async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const bytes = Buffer.alloc(70 << 20, 'solid model ');

  await storeAs(person, image({ ...uids, ...document, EncapsulatedDocument: bytes }, { pixelData: null }));
  const path = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  const bulk = await getFrom(person, `${path}/bulkdata/00420011`, { accept: 'application/octet-stream' });
  const renderedResponse = await getFrom(person, `${path}/rendered`);

  expect(bulk.rawPayload.equals(bytes)).toBe(true);
  expect(renderedResponse.headers['content-type']).toBe('model/stl');
  expect(renderedResponse.rawPayload.equals(bytes)).toBe(true);
});
