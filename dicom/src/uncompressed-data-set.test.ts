import { expect, test } from 'vitest';
import { encodeAfterPixels, encodeBeforePixels, encodeElementHeader } from './uncompressed-data-set.ts';
import { readHeader } from './header.ts';
import { type Elements, writeFileStart, writePart10 } from './part10.ts';
import { rawElement, rawItem, sampleDataset, samplePixels } from './sample-files.ts';
import { explicitBigEndian, explicitLittleEndian, implicitLittleEndian } from './transfer-syntax.ts';

const deflated = '1.2.840.10008.1.2.1.99';

const rich: Elements = {
  ...sampleDataset,
  PatientName: '山田^太郎',
  PixelRepresentation: 1,
  SmallestImagePixelValue: -5,
  RescaleSlope: 0.5,
  FrameIncrementPointer: '00181063',
  RealWorldValueMappingSequence: [{ RealWorldValueSlope: 0.1, LUTLabel: 'one' }, { LUTLabel: 'two' }],
  RedPaletteColorLookupTableData: Buffer.from(Uint16Array.from({ length: 16 }, (_, index) => index).buffer),
  '00091001 UN': Buffer.from([1, 2, 3, 4]),
};

const rewritten = (file: Buffer, changed: Elements = {}, into = explicitLittleEndian): Buffer => {
  const header = readHeader(file);
  const end = header.inflated ? file.length : (header.pixelData?.offset ?? file.length);
  return Buffer.concat([
    writeFileStart(into.uid, {
      SOPClassUID: header.sopClassUID,
      SOPInstanceUID: header.sopInstanceUID,
    }),
    encodeBeforePixels(file.subarray(0, end), header, into, changed),
    ...(header.pixelData ? [encodeElementHeader('7FE00010', 'OW', samplePixels.length, into), samplePixels] : []),
  ]);
};

test.each([
  ['implicit', implicitLittleEndian.uid],
  ['big endian', explicitBigEndian.uid],
  ['deflated', deflated],
  ['explicit little endian', explicitLittleEndian.uid],
])('a data set in %s stays the same when rewritten in explicit little endian', (_, transferSyntaxUID) => {
  const expected = readHeader(
    writePart10({ transferSyntaxUID: explicitLittleEndian.uid, dataset: rich, pixelData: samplePixels }),
  );

  const header = readHeader(rewritten(writePart10({ transferSyntaxUID, dataset: rich, pixelData: samplePixels })));

  expect(header.transferSyntaxUID).toBe(explicitLittleEndian.uid);
  expect(header.dataset).toEqual(expected.dataset);
  expect(header.warnings).toEqual([]);
});

test.each([
  ['explicit', explicitLittleEndian.uid],
  ['big endian', explicitBigEndian.uid],
  ['deflated', deflated],
  ['implicit', implicitLittleEndian.uid],
])(
  'a data set in %s rewritten in implicit little endian keeps all that this syntax can express',
  (_, transferSyntaxUID) => {
    const file = (uid: string) => writePart10({ transferSyntaxUID: uid, dataset: rich, pixelData: samplePixels });

    const rewrittenFile = rewritten(file(transferSyntaxUID), {}, implicitLittleEndian);

    expect(rewrittenFile.equals(file(implicitLittleEndian.uid))).toBe(true);
    expect(readHeader(rewrittenFile).warnings).toEqual([]);
  },
);

test('rewriting a data set changes, adds and removes elements and keeps their order', () => {
  const file = writePart10({ transferSyntaxUID: implicitLittleEndian.uid, dataset: rich, pixelData: samplePixels });

  const header = readHeader(
    rewritten(file, { PhotometricInterpretation: 'RGB', PlanarConfiguration: 0, RescaleSlope: undefined }),
  );

  expect(header.dataset).toMatchObject({ '00280004': { Value: ['RGB'] }, '00280006': { Value: [0] } });
  expect(header.dataset).not.toHaveProperty('00281053');
  expect(header.warnings).toEqual([]);
});

test('a text too long for its VR is written as UN, as the standard requires', () => {
  const long = 'x'.repeat(70_000);
  const dataset = { ...sampleDataset, ImageComments: long };
  const file = writePart10({ transferSyntaxUID: implicitLittleEndian.uid, dataset, pixelData: samplePixels });

  const header = readHeader(rewritten(file));

  expect(header.bulk).toMatchObject([{ uri: 'bulkdata/00204000', length: 70_000 }]);
  expect(encodeElementHeader('00204000', 'LT', 70_000, explicitLittleEndian).toString('latin1', 4, 6)).toBe('UN');
});

test('rewriting a data set drops a compressed icon and nothing else', () => {
  const fragments = Buffer.concat([rawItem('FFFEE000'), rawItem('FFFEE000', Buffer.from('jpeg')), rawItem('FFFEE0DD')]);
  const pixels = Buffer.concat([rawElement('7FE00010', 'OB', Buffer.alloc(0), 0xffff_ffff), fragments]);
  const icon = rawElement('00880200', 'SQ', rawItem('FFFEE000', pixels));
  const file = Buffer.concat([
    writePart10({ transferSyntaxUID: '1.2.840.10008.1.2.4.50', dataset: sampleDataset }),
    icon,
    rawElement('00880912', 'LO', Buffer.from('kept')),
  ]);

  const { dataset } = readHeader(rewritten(file));

  expect(dataset).not.toHaveProperty('00880200');
  expect(dataset).toMatchObject({ '00880912': { Value: ['kept'] } });
});

test('rewriting a data set keeps elements after the pixels and drops padding and invalid bytes', () => {
  const signature = rawElement('FFFAFFFA', 'SQ', rawItem('FFFEE000', rawElement('0400020A', 'LO', Buffer.from('ok'))));
  const padding = rawElement('FFFCFFFC', 'OB', Buffer.alloc(4));

  expect(encodeAfterPixels(Buffer.concat([signature, padding]), explicitLittleEndian, explicitLittleEndian)).toEqual(
    signature,
  );
  expect(
    encodeAfterPixels(Buffer.concat([signature, Buffer.from('rubbish?')]), explicitLittleEndian, explicitLittleEndian),
  ).toEqual(signature);
});
