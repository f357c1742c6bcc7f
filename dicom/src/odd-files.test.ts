import { expect, test } from 'vitest';
import { deidentifyFile } from './deidentify-file.ts';
import { ReplacedUids } from './replaced-uids.ts';
import { textOf } from './dataset.ts';
import { indexFrames } from './frame-index.ts';
import { readHeader } from './header.ts';
import { readRawFile, textOfRaw } from './raw-data-set.ts';
import { alignedFrame } from './packed-bits.ts';
import { type Elements, writePart10 } from './part10.ts';
import { rawElement, rawItem, sampleDataset, sampleFile, sampleJpeg, withBytes } from './sample-files.ts';
import { explicitLittleEndian, implicitLittleEndian } from './transfer-syntax.ts';
import { encodeBeforePixels } from './uncompressed-data-set.ts';

const index = (file: Buffer) =>
  indexFrames(async (offset, length) => file.subarray(offset, offset + length), readHeader(file), file.length);

const lengthOf = (bytes: number, value: number): Buffer => {
  const length = Buffer.alloc(bytes);
  length.writeUIntLE(value, 0, bytes);
  return length;
};

/** An element with a VR that does not exist, in one of the three forms of a header. */
const odd = (tag: string, vr: string, form: string, value: Buffer): Buffer => {
  const start = rawElement(tag, 'LO').subarray(0, 4);
  if (form === 'short') return Buffer.concat([start, Buffer.from(vr), lengthOf(2, value.length), value]);
  if (form === 'implicit') return Buffer.concat([start, lengthOf(4, value.length), value]);
  return Buffer.concat([start, Buffer.from(vr), Buffer.alloc(2), lengthOf(4, value.length), value]);
};

/** The sample with elements before its patient. */
const withElements = (...elements: Buffer[]): Buffer => {
  const file = sampleFile();
  const patient = rawElement('00100010', 'PN', Buffer.from('Doe^Jane'));
  return withBytes(file, patient, Buffer.concat([...elements, patient]));
};

const acme = Buffer.from('ACME');
const forms = ['short', 'long', 'implicit'];
const oddVrs = ['  ', '??', '\0\0', '-\0', 'xs'];

test.each(oddVrs.flatMap((vr) => forms.map((form) => [vr, form] as const)))(
  'reads an element with the VR "%s" and a %s header',
  (vr, form) => {
    for (const value of [acme, Buffer.alloc(0), Buffer.alloc(300, 'A')]) {
      const file = withElements(odd('00080070', vr, form, value), odd('00091010', vr, form, value));
      const { dataset } = readHeader(file);
      expect(textOf(dataset, 'Manufacturer')).toBe(value.length > 0 ? value.toString() : undefined);
      expect(dataset['00091010']?.InlineBinary ?? '').toBe(value.toString('base64'));
      expect(textOf(dataset, 'PatientName')).toBe('Doe^Jane');
      expect(textOfRaw(readRawFile(file).dataSet, '00100020')).toBe('P-1');
    }
  },
);

test.each(forms)('reads many elements in a row without VR, with a %s header', (form) => {
  const many = Array.from({ length: 200 }, (_, at) => odd(`0009${(0x1010 + at).toString(16)}`, '  ', form, acme));
  expect(Object.keys(readHeader(withElements(...many)).dataset)).toContain('000910D7');
});

test('an unknown VR has a short header if the next element can be read only then', () => {
  expect(textOf(readHeader(withElements(odd('00080070', 'ZZ', 'short', acme))).dataset, 'Manufacturer')).toBe('ACME');
  expect(textOf(readHeader(withElements(odd('00080070', 'ZZ', 'long', acme))).dataset, 'Manufacturer')).toBe('ACME');
});

test.each(['  ', '??'])('reads a file whose first element has the VR "%s"', (vr) => {
  const file = withBytes(
    sampleFile(),
    Buffer.from([8, 0, 5, 0, 0x43, 0x53]),
    Buffer.concat([Buffer.from([8, 0, 5, 0]), Buffer.from(vr)]),
  );
  const header = readHeader(file);
  expect(header.transferSyntaxUID).toBe(explicitLittleEndian.uid);
  expect(textOf(header.dataset, 'SpecificCharacterSet')).toBe('ISO_IR 192');
});

test.each([
  [true, undefined],
  [false, undefined],
])('reads a sequence without VR whose items have VRs: %s', (isExplicit) => {
  const inner = isExplicit
    ? rawElement('00081150', 'UI', Buffer.from('1.2\0'))
    : odd('00081150', '', 'implicit', Buffer.from('1.2\0'));
  const items = Buffer.concat([rawItem('FFFEE000', inner), rawItem('FFFEE0DD')]);
  const sequence = Buffer.concat([
    rawElement('00081140', 'LO').subarray(0, 4),
    Buffer.from('  \0\0'),
    lengthOf(4, 0xffff_ffff),
    items,
  ]);
  const { dataset } = readHeader(withElements(sequence));
  expect(dataset['00081140']).toEqual({ vr: 'SQ', Value: [{ '00081150': { vr: 'UI', Value: ['1.2'] } }] });
});

test.each(['OW', '  ', '??'])('finds native pixels with the VR "%s"', async (vr) => {
  const file = withBytes(
    sampleFile(),
    Buffer.from([0xe0, 0x7f, 0x10, 0, 0x4f, 0x57]),
    Buffer.concat([Buffer.from([0xe0, 0x7f, 0x10, 0]), Buffer.from(vr)]),
  );
  expect(readHeader(file).pixelData).toMatchObject({ vr: 'OW', length: 12 });
  expect((await index(file)).frames).toHaveLength(1);
});

test('writes elements without VR into another transfer syntax', () => {
  const file = withElements(odd('00080070', '  ', 'short', acme), odd('00091010', '\0\0', 'long', acme));
  const header = readHeader(file);
  const before = file.subarray(0, header.pixelData?.offset);
  for (const into of [explicitLittleEndian, implicitLittleEndian]) {
    const encoded = encodeBeforePixels(before, header, into);
    expect(encoded.indexOf(acme)).toBeGreaterThan(0);
    expect(encoded.indexOf('Doe^Jane')).toBeGreaterThan(0);
  }
});

test('refuses an element without VR if no element follows', () => {
  expect(() => readHeader(withElements(odd('00080070', '  ', 'short', acme), Buffer.from('garbage!')))).toThrow(
    'The file header is damaged.',
  );
});

const blank = Buffer.alloc(8);
const delimitedItem = (value: Buffer, end: Buffer) => Buffer.concat([rawItem('FFFEE000', value, 0xffff_ffff), end]);

test('reads sequences and items that end with NULs instead of a delimiter', () => {
  const reference = rawElement('00081150', 'UI', Buffer.from('1.2\0'));
  const sequence = rawElement('00081140', 'SQ', Buffer.concat([delimitedItem(reference, blank), blank]), 0xffff_ffff);
  const file = withElements(sequence);
  const header = readHeader(file);
  expect(header.dataset['00081140']).toEqual({ vr: 'SQ', Value: [{ '00081150': { vr: 'UI', Value: ['1.2'] } }] });
  expect(header.warnings).toContain('A delimiter of the file is blank.');
  expect(readRawFile(file).dataSet.find(({ tag }) => tag === '00081140')?.value).toHaveLength(1);
  expect(
    encodeBeforePixels(file.subarray(0, header.pixelData?.offset), header, implicitLittleEndian).indexOf('1.2'),
  ).toBeGreaterThan(0);
});

test('refuses a file whose end was lost in a sequence and filled with NULs', () => {
  const sequence = rawElement(
    '00081140',
    'SQ',
    delimitedItem(rawElement('00081150', 'UI', Buffer.from('1.2\0')), Buffer.alloc(0)),
    0xffff_ffff,
  );
  const file = withElements(sequence);
  const lost = Buffer.concat([file.subarray(0, file.indexOf('Doe^Jane') - 8), Buffer.alloc(600)]);
  expect(() => readHeader(lost)).toThrow('The file is incomplete');
});

const jpeg = (fill: number, length = 40) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(length, fill), Buffer.from([0xff, 0xd9])]);
const endMark = rawItem('FFFEE0DD');

/** The compressed file with other bytes instead of its end mark. */
const endingWith = (file: Buffer, end: Buffer) => Buffer.concat([file.subarray(0, -endMark.length), end]);

test.each([
  ['8 NULs', blank],
  ['1000 NULs', Buffer.alloc(1000)],
  ['NULs and a signature', Buffer.concat([blank, rawElement('FFFAFFFA', 'SQ', Buffer.alloc(0))])],
])('shows frames that end with %s', async (_, end) => {
  const { frames, warnings } = await index(endingWith(sampleJpeg([jpeg(1), jpeg(2)]), end));
  expect(frames).toHaveLength(2);
  expect(warnings).toContain('The end mark of the image is blank, but all frames are present.');
});

test('refuses fragments that end with NULs before all frames', async () => {
  const file = sampleJpeg([jpeg(1), jpeg(2)]);
  const lost = Buffer.concat([file.subarray(0, -endMark.length - 8 - 46), Buffer.alloc(54)]);
  await expect(index(lost)).rejects.toThrow('The file is incomplete');
});

test('refuses a file whose last fragment and end mark were overwritten with NULs', async () => {
  const file = sampleJpeg([jpeg(1), jpeg(2)]);
  const lost = Buffer.concat([file.subarray(0, -endMark.length - 24), Buffer.alloc(24 + 500)]);
  await expect(index(lost)).rejects.toThrow('The file is incomplete');
});

const jpegs = (count: number) => Array.from({ length: count }, (_, at) => jpeg(at + 1));

test.each([
  [2, 3],
  [5, 3],
  [1, 3],
  [0, 3],
  [3, 1],
])('the fragments decide the number of frames, with a warning: %s declared, %s found', async (declared, fragments) => {
  const { frames, warnings } = await index(sampleJpeg(jpegs(fragments), { NumberOfFrames: declared }));
  expect(frames).toHaveLength(fragments);
  expect(warnings).toContain(`The file declares a wrong number of frames. Its image has ${fragments}.`);
});

test('each RLE fragment is one frame', async () => {
  const frame = Buffer.alloc(80, 9);
  frame.writeUInt32LE(2, 0);
  frame.writeUInt32LE(64, 4);
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.5',
    dataset: { ...sampleDataset, NumberOfFrames: 7 },
    pixelData: [frame, frame],
  });
  expect((await index(file)).frames).toHaveLength(2);
});

test('keeps the fragments of one frame together', async () => {
  const jpegFrame = jpeg(1);
  const { frames, warnings } = await index(
    sampleJpeg([jpegFrame.subarray(0, 20), jpegFrame.subarray(20)], { NumberOfFrames: 1 }),
  );
  expect(frames).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test.each([undefined, 0, '', -1, '1A'])(
  'uncompressed pixels count as one frame if the number of frames is %s',
  async (declared) => {
    const file = sampleFile({ NumberOfFrames: declared });
    expect(readHeader(file).renderable).toBe(true);
    expect((await index(file)).frames).toHaveLength(1);
  },
);

test('if the declared number of frames is impossible, uncompressed frames are counted by their bytes', async () => {
  const { frames, warnings } = await index(
    writePart10({
      transferSyntaxUID: explicitLittleEndian.uid,
      dataset: { ...sampleDataset, NumberOfFrames: 0 },
      pixelData: Buffer.alloc(36),
    }),
  );
  expect(frames).toHaveLength(3);
  expect(warnings).toContain('The file declares a wrong number of frames. Its image has 3.');
});

/** An image of 5 x 5 colored pixels, 75 bytes. Some of the bytes are missing. */
const oddImage = (length: number, differences: Elements = {}) =>
  writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: {
      ...sampleDataset,
      Rows: 5,
      Columns: 5,
      SamplesPerPixel: 3,
      PhotometricInterpretation: 'RGB',
      BitsAllocated: 8,
      BitsStored: 8,
      HighBit: 7,
      ...differences,
    },
    pixelData: Buffer.alloc(length, 7),
  });

test('accepts native pixels that were cut to an even length', async () => {
  const file = oddImage(74);
  const { frames, packed, warnings } = await index(file);
  expect(frames).toEqual([[[file.length - 74, 74]]]);
  expect(warnings).toContain('The last byte of the image is missing.');
  if (!packed) throw new Error('The frame is not completed');
  const served = alignedFrame(file.subarray(-74), packed, 0);
  expect(served).toEqual(Buffer.concat([Buffer.alloc(74, 7), Buffer.alloc(1)]));
});

test('accepts native pixels without the pad byte that their length counts', async () => {
  const file = oddImage(76).subarray(0, -1);
  expect(readHeader(file).pixelData).toMatchObject({ length: 75 });
  expect((await index(file)).frames).toEqual([[[file.length - 75, 75]]]);
  expect(readRawFile(file).pixelData).toMatchObject({ length: 75 });
});

test('refuses native pixels that lack more than one byte', async () => {
  await expect(index(oddImage(72))).rejects.toThrow('The file is incomplete');
  expect(() => readHeader(oddImage(76).subarray(0, -2))).toThrow('The file is incomplete');
});

test('de-identifies a file whose frames end with NULs instead of an end mark', async () => {
  const file = endingWith(sampleJpeg([jpeg(1), jpeg(2)]), blank);

  const { blob } = await deidentifyFile(new Blob([new Uint8Array(file)]), {
    pseudonym: { patientName: 'Case^One', patientId: 'C-1' },
    uids: new ReplacedUids(),
  });

  const { frames } = await index(Buffer.from(await blob.arrayBuffer()));
  expect(frames).toHaveLength(2);
});
