import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import {
  boundaryOf,
  closingBoundary,
  newBoundary,
  parameterOf,
  partHeader,
  readMultipart,
  type MultipartLimits,
} from './multipart.ts';

const chunked = async function* (bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

const readAll = async (bytes: Buffer | string, size = 1 << 16, limits?: Partial<MultipartLimits>) => {
  const parts: { headers: Record<string, string>; body: string }[] = [];
  for await (const { headers, body } of readMultipart(chunked(Buffer.from(bytes), size), 'edge', limits)) {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    parts.push({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString('latin1') });
  }
  return parts;
};

const message = [
  'a preamble\r\n',
  '--edge\r\nContent-Type: application/dicom\r\nContent-Location: /a\r\n\r\nfirst\r\n-- \r\n--edg',
  '\r\n--edge\r\n\r\n',
  '\r\n--edge  \r\ncontent-type:text/plain\r\n\r\nthird',
  '\r\n--edge--\r\nan epilogue',
].join('');

const expected = [
  { headers: { 'content-type': 'application/dicom', 'content-location': '/a' }, body: 'first\r\n-- \r\n--edg' },
  { headers: {}, body: '' },
  { headers: { 'content-type': 'text/plain' }, body: 'third' },
];

test.each([1, 2, 3, 7, 11, 64, 1000])(
  'a multipart message gives the same parts when read in chunks of %i bytes',
  async (size) => {
    expect(await readAll(message, size)).toEqual(expected);
  },
);

test('a multipart message may begin with its first boundary and may have no parts', async () => {
  expect(await readAll('--edge\r\nA: b\r\n\r\nx\r\n--edge--')).toEqual([{ headers: { a: 'b' }, body: 'x' }]);
  expect(await readAll('--edge--')).toEqual([]);
});

test('field name and file name of a form are read in any script', async () => {
  const disposition = 'form-data; name="files"; filename="Schädel \\"1\\".dcm"';
  const [part] = await readAll(`--edge\r\nContent-Disposition: ${disposition}\r\n\r\nx\r\n--edge--`);

  const value = part?.headers['content-disposition'] ?? '';

  expect(parameterOf(value, 'name')).toBe('files');
  expect(parameterOf(value, 'filename')).toBe('Schädel "1".dcm');
  expect(parameterOf(value, 'size')).toBeUndefined();
});

test('a part that its reader does not read completely is skipped', async () => {
  const bodies: string[] = [];

  for await (const { body } of readMultipart(chunked(Buffer.from(message), 3), 'edge')) {
    for await (const chunk of body) {
      bodies.push(chunk.toString());
      break;
    }
  }
  const unread = [];
  for await (const { headers } of readMultipart(chunked(Buffer.from(message), 3), 'edge')) unread.push(headers);

  expect(bodies.map((body) => body[0])).toEqual(['f', 't']);
  expect(unread).toHaveLength(3);
});

test('the body of a part is empty when it is read too late', async () => {
  const parts = readMultipart(chunked(Buffer.from(message), 5), 'edge');
  const first = await parts.next();
  await parts.next();

  const chunks = [];
  for await (const chunk of first.value?.body ?? []) chunks.push(chunk);

  expect(chunks).toEqual([]);
});

test('a multipart message that breaks off at any point is an error', async () => {
  const end = message.indexOf('--edge--') + 8;

  for (let length = 0; length < end; length += 1) {
    await expect(readAll(message.slice(0, length), 16)).rejects.toMatchObject({ code: 'TRUNCATED' });
  }
});

test('when the stream fails, reading the body of a part fails', async () => {
  const failing = async function* () {
    yield Buffer.from('--edge\r\n\r\nhalf of it');
    throw new Error('connection lost');
  };

  const read = async () => {
    for await (const { body } of readMultipart(failing(), 'edge'))
      for await (const chunk of body) expect(chunk).toBeDefined();
  };

  await expect(read()).rejects.toThrow('connection lost');
});

test('part headers and parts without an end are refused', async () => {
  const endless = `--edge\r\nA: ${'x'.repeat(20_000)}`;
  const long = `--edge\r\nA: ${'x'.repeat(300)}\r\n\r\nx\r\n--edge--`;

  await expect(readAll(endless)).rejects.toMatchObject({ code: 'HEADERS' });
  await expect(readAll(long, 1000, { headerBytes: 200 })).rejects.toMatchObject({ code: 'HEADERS' });
  await expect(readAll(message, 1000, { parts: 2 })).rejects.toMatchObject({ code: 'TOO_MANY_PARTS' });
});

test('the stream stays open when reading stops early', async () => {
  const stream = Readable.from([Buffer.from(message)]);

  for await (const { headers } of readMultipart(stream, 'edge')) {
    expect(headers.size).toBe(2);
    break;
  }

  expect(stream.destroyed).toBe(false);
});

test.each([
  ['multipart/related; type="application/dicom"; boundary=abc', 'abc'],
  ['multipart/form-data; boundary="a b:c"', 'a b:c'],
  ['Multipart/Related;boundary=a;type=x', 'a'],
  // The boundary is longer than RFC 2046 allows. Orthanc sends such boundaries.
  [`multipart/related; boundary=${'a'.repeat(73)}`, 'a'.repeat(73)],
])('the boundary in %s is %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary);
});

test.each([
  undefined,
  '',
  'application/dicom',
  'multipart/mixed; boundary=a',
  'multipart/related',
  `multipart/related; boundary=${'a'.repeat(201)}`,
])('the content type %s without a usable boundary is refused', (contentType) => {
  expect(() => boundaryOf(contentType)).toThrow(expect.objectContaining({ code: 'NOT_MULTIPART' }));
});

test('a written multipart message can be read again, and each boundary is different', async () => {
  const boundary = newBoundary();
  const body = Buffer.from([0, 13, 10, 45, 45, 255]);
  const encoded = Buffer.concat([
    partHeader({ boundary, contentType: 'application/dicom; transfer-syntax=1.2', contentLocation: '/studies/1' }),
    body,
    partHeader({ boundary, contentType: 'text/plain' }),
    closingBoundary(boundary),
  ]);

  const parts = [];
  for await (const part of readMultipart(chunked(encoded, 9), boundary)) {
    const chunks: Buffer[] = [];
    for await (const chunk of part.body) chunks.push(chunk);
    parts.push([part.headers.get('content-type'), part.headers.get('content-location'), Buffer.concat(chunks)]);
  }

  expect(parts).toEqual([
    ['application/dicom; transfer-syntax=1.2', '/studies/1', body],
    ['text/plain', undefined, Buffer.alloc(0)],
  ]);
  expect(encoded.toString('latin1')).toContain('\r\nContent-Type: application/dicom');
  expect(newBoundary()).not.toBe(boundary);
});

test('a line break in a part header is refused', () => {
  expect(() => partHeader({ boundary: 'a', contentType: 'x\r\nSet-Cookie: y' })).toThrow(RangeError);
});
