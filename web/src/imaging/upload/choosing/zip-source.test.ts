import { BlobWriter, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { expect, test } from 'vitest';
import { sourceOf } from '#test/upload.ts';
import { SourceProblem } from './file-source.ts';
import { openZip } from './zip-source.ts';

type Options = { password?: string; zip64?: boolean; level?: number };

const zipOf = async (files: Record<string, Uint8Array>, options: Options = {}) => {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...options });
  for (const [name, bytes] of Object.entries(files)) await writer.add(name, new Uint8ArrayReader(bytes));
  await writer.add('folder/', new TextReader(''), { directory: true });
  const blob = await writer.close();
  return new Uint8Array(await blob.arrayBuffer());
};

const bytesOf = async (blob: Blob) => [...new Uint8Array(await blob.arrayBuffer())];

test.each([
  ['compressed', {}],
  ['stored', { level: 0 }],
  ['ZIP64', { zip64: true }],
])('files of a ZIP file are found and unpacked one at a time (%s)', async (_, options) => {
  const zip = sourceOf(
    'disc.zip',
    await zipOf({ 'CT/IM1': Uint8Array.of(1, 2, 3), 'CT/IM2': Uint8Array.of(4) }, options),
  );

  const { sources, unreadable } = await openZip(zip);

  expect(sources.map(({ name, size }) => ({ name, size }))).toEqual([
    { name: 'disc.zip/CT/IM1', size: 3 },
    { name: 'disc.zip/CT/IM2', size: 1 },
  ]);
  expect(unreadable).toEqual([]);
  expect(await Promise.all(sources.map(async ({ open }) => bytesOf(await open())))).toEqual([[1, 2, 3], [4]]);
});

test('reading the beginning of a long ZIP entry unpacks no more than needed', async () => {
  const long = crypto.getRandomValues(new Uint8Array(60_000));
  const { sources } = await openZip(sourceOf('disc.zip', await zipOf({ IM1: new Uint8Array(4_000_000), IM2: long })));

  const heads = await Promise.all(sources.map(({ head }) => head(1000)));

  expect(heads.map(({ size }) => size >= 1000 && size < 2_000_000)).toEqual([true, true]);
});

test('a password-protected ZIP file is refused with a message', async () => {
  const zip = sourceOf('disc.zip', await zipOf({ IM1: Uint8Array.of(1, 2, 3) }, { password: 'secret' }));

  await expect(openZip(zip)).rejects.toThrow(/Protected by a password/);
});

/** Replaces a name in the bytes of the ZIP file by a name of the same length. ZIP programs do not write such names. */
const renamed = (zip: Uint8Array, from: string, to: string) =>
  Buffer.from(Buffer.from(zip).toString('latin1').replaceAll(from, to), 'latin1');

test.each([
  ['a parent folder', '../IM1', 'disc.zip/../IM1'],
  ['a leading slash', '//IM1x', 'disc.zip/IM1x'],
  ['a drive letter', 'c:/IM1', 'disc.zip/c:/IM1'],
  ['a backslash', 'CT\\IM1', 'disc.zip/CT/IM1'],
])(
  'a ZIP entry with %s in its name is listed, because no file is written under that name',
  async (_, name, expectedName) => {
    const zip = renamed(await zipOf({ xxxxxx: Uint8Array.of(1), IM2: Uint8Array.of(2) }), 'xxxxxx', name);

    const { sources } = await openZip(sourceOf('disc.zip', zip));

    expect(sources.map((source) => source.name)).toEqual([expectedName, 'disc.zip/IM2']);
  },
);

/** Returns the position of the first entry of the central directory (APPNOTE 4.3.12). */
const firstRecordOf = (zip: Uint8Array) => Buffer.from(zip).indexOf('PK\u0001\u0002');

test.each([
  ['of MS-DOS', 0, 0x10],
  ['of Unix', 3, 0o040755 * 0x10000],
])(
  'a ZIP entry with content counts as a file although its attributes %s mark a directory',
  async (_, system, attributes) => {
    const zip = Buffer.from(await zipOf({ IM1: Uint8Array.of(1, 2), IM2: Uint8Array.of(3) }));
    zip.writeUInt8(system, firstRecordOf(zip) + 5);
    zip.writeUInt32LE(attributes, firstRecordOf(zip) + 38);

    const { sources } = await openZip(sourceOf('disc.zip', zip));

    expect(sources.map(({ name }) => name)).toEqual(['disc.zip/IM1', 'disc.zip/IM2']);
    expect(await bytesOf((await sources[0]?.open()) ?? new Blob())).toEqual([1, 2]);
  },
);

test.each([
  ['Deflate64', 9],
  ['LZMA', 14],
])('a ZIP entry packed with %s is reported with a remedy, not as damaged', async (_, method) => {
  const zip = Buffer.from(await zipOf({ IM1: Uint8Array.of(1, 2), IM2: Uint8Array.of(3) }));
  zip.writeUInt16LE(method, firstRecordOf(zip) + 10);

  const { sources, unreadable } = await openZip(sourceOf('disc.zip', zip));

  expect(sources.map(({ name }) => name)).toEqual(['disc.zip/IM2']);
  expect(unreadable).toEqual([
    { name: 'disc.zip/IM1', why: expect.stringMatching(/Unpack the ZIP file with another program/) },
  ]);
});

test('bytes after the end of a ZIP file, such as padding of a disc, are ignored', async () => {
  const zip = Buffer.concat([await zipOf({ IM1: Uint8Array.of(1) }), Buffer.alloc(70_000, 1)]);

  const { sources } = await openZip(sourceOf('disc.zip', zip));

  expect(sources.map(({ name }) => name)).toEqual(['disc.zip/IM1']);
});

test('a file that is not a ZIP file is refused with a message', async () => {
  await expect(openZip(sourceOf('disc.zip', 5000))).rejects.toThrow('Damaged, or not a ZIP file');
});

test('a damaged entry of a ZIP file is refused', async () => {
  const packed = await zipOf({ IM1: crypto.getRandomValues(new Uint8Array(2000)) }, { level: 0 });
  packed[600] = (packed[600] ?? 0) ^ 0xff;
  const { sources } = await openZip(sourceOf('disc.zip', packed));

  await expect(sources[0]?.open()).rejects.toThrow('Damaged inside the ZIP file');
});

test('unpacking a ZIP entry stops with an error when it exceeds the declared size', async () => {
  const packed = await zipOf({ IM1: new Uint8Array(1_000_000) });
  const text = Buffer.from(packed);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(1_000_000);
  for (let at = text.indexOf(size); at >= 0; at = text.indexOf(size, at + 4)) text.writeUInt32LE(1000, at);
  const { sources } = await openZip(sourceOf('bomb.zip', text));

  await expect(sources[0]?.open()).rejects.toThrow(SourceProblem);
});
