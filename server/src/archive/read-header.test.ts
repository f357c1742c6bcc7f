import type { ReadBytes } from '@radwork/dicom/byte-window';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive.ts';
import { image } from '#test/upload.ts';
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

/** A file with values of so many bytes more than it holds, which are zeros; and how many bytes of it have been read. */
const withLongValues = (count: number, more: number) => {
  const { bytes } = image({ '00090010 LO': 'RADWORK TEST', ...longValues(count) });
  const parts: { at: number; bytes: Buffer }[] = [];
  let size = 0;
  let rest = bytes;
  for (let place = rest.indexOf(mark); place >= 0; place = rest.indexOf(mark)) {
    rest.writeUInt32LE(mark.length + more, place - 4);
    parts.push({ at: size, bytes: rest.subarray(0, place) });
    size += place + mark.length + more;
    rest = rest.subarray(place + mark.length);
  }
  parts.push({ at: size, bytes: rest });
  const counted = { size: size + rest.length, bytesRead: 0 };
  const read: ReadBytes = async (offset, length) => {
    counted.bytesRead += length;
    const answer = Buffer.alloc(Math.min(length, counted.size - offset));
    for (const part of parts) {
      const from = Math.max(part.at, offset);
      const to = Math.min(part.at + part.bytes.length, offset + answer.length);
      if (from < to) part.bytes.copy(answer, from - offset, from - part.at, to - part.at);
    }
    return answer;
  };
  return { read, counted };
};

test('what stands behind a long value is read, and the value is passed over', async () => {
  const { read, counted } = withLongValues(1, 300 << 20);

  const header = await readHeaderOf(read, counted.size);

  expect(header.dataset['00280010']).toEqual({ vr: 'US', Value: [16] });
  expect(header.pixelData?.length).toBe(512);
  expect(header.bulk).toMatchObject([{ uri: 'bulkdata/00091000', vr: 'OB', length: mark.length + (300 << 20) }]);
  expect(counted.bytesRead).toBeLessThan(200 << 10);
});

test('many long values are passed over in few steps', async () => {
  const { read, counted } = withLongValues(60, 20 << 20);

  const header = await readHeaderOf(read, counted.size);

  expect(header.bulk).toHaveLength(60);
  expect(counted.bytesRead).toBeLessThan(10 << 20);
});

test('a file with so many of them that very much would have to be read is refused', async () => {
  const { read, counted } = withLongValues(1200, 1 << 20);

  await expect(readHeaderOf(read, counted.size)).rejects.toThrow('More than 64 MiB come before the image.');
});

test('a file that ends within its header is cut short', async () => {
  const { read, counted } = withLongValues(1, 300 << 20);

  await expect(readHeaderOf(read, counted.size - (1 << 20))).rejects.toThrow('The file is cut short');
});

test('an image behind a private value of 70 MB is stored, shown and given back', async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const value = Buffer.alloc(70 << 20, 'private ');
  const file = image({ ...uids, PatientID: 'P', '00090010 LO': 'RADWORK TEST', '00091000 OB': value });

  await storeAs(person, file);
  const path = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  const bulk = await getFrom(person, `${path}/bulkdata/00091000`, { accept: 'application/octet-stream' });
  const drawn = await getFrom(person, `${path}/rendered`);

  expect(bulk.rawPayload.equals(value)).toBe(true);
  expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/jpeg']);
});
