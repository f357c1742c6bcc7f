import { expect, test } from 'vitest';
import { textOf } from './dataset.ts';
import { readHeader } from './header.ts';
import { writePart10 } from './part10.ts';
import { rawElement, rawItem, sampleDataset, sampleFile, samplePixels, sampleWithoutPixels } from './sample-files.ts';
import { explicitBigEndian } from './transfer-syntax.ts';
import { itemDelimitationTag, itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

test('group lengths are read and left out of the data set', () => {
  const file = Buffer.concat([sampleWithoutPixels(), rawElement('60000000', 'UN', Buffer.alloc(4))]);

  expect(readHeader(file).dataset['60000000']).toBeUndefined();
});

test('a short binary value is in the JSON, and a long binary value refers to the file', () => {
  const few = Buffer.from('few bytes.');
  const many = Buffer.alloc(1026, 7);
  const file = sampleFile({ '00091001 OB': few, ReferencedImageSequence: [{}, { '00091002 UN': many }] });

  const { dataset, bulk } = readHeader(file);

  expect(dataset['00091001']).toEqual({ vr: 'OB', InlineBinary: few.toString('base64') });
  const uri = 'bulkdata/00081140/2/00091002';
  expect(dataset['00081140']?.Value?.[1]).toEqual({ '00091002': { vr: 'UN', BulkDataURI: uri } });
  expect(bulk).toEqual([{ uri, vr: 'UN', offset: file.indexOf(many), length: many.length }]);
});

test('long lists of numbers and long texts are not in the JSON and refer to the file', () => {
  const file = sampleFile({ '00091001 FD': Array.from({ length: 1025 }, () => 1), TextValue: 'x'.repeat(65_538) });

  const { dataset } = readHeader(file);

  expect(dataset['00091001']).toEqual({ vr: 'FD', BulkDataURI: 'bulkdata/00091001' });
  expect(dataset['0040A160']).toEqual({ vr: 'UT', BulkDataURI: 'bulkdata/0040A160' });
});

test('a sequence and its items may have a length or a delimiter', () => {
  const uid = rawElement('00081155', 'UR', Buffer.from('1.2 '));
  const items = [
    Buffer.concat([rawItem(itemTag, uid), rawItem(itemTag, uid, undefinedLength), rawItem(itemDelimitationTag)]),
    rawItem(itemTag),
  ];
  const body = Buffer.concat(items);
  const withLength = rawElement('00081140', 'SQ', body);
  const withDelimiter = rawElement(
    '00081199',
    'SQ',
    Buffer.concat([body, rawItem(sequenceDelimitationTag)]),
    undefinedLength,
  );

  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), withLength, withDelimiter]));

  const item = { '00081155': { vr: 'UR', Value: ['1.2'] } };
  expect(dataset['00081140']).toEqual({ vr: 'SQ', Value: [item, item, {}] });
  expect(dataset['00081199']).toEqual({ vr: 'SQ', Value: [item, item, {}] });
});

test('elements that their sender stored as UN are read by the dictionary of PS3.6', () => {
  const implicitItem = rawItem(itemTag, Buffer.from([0x08, 0, 0x50, 0x11, 4, 0, 0, 0, ...Buffer.from('1.2\0')]));
  const unknown = [
    rawElement('00321060', 'UN', Buffer.from('Thorax')),
    rawElement('00321064', 'UN', implicitItem),
    rawElement('00331001', 'UN', Buffer.concat([implicitItem, rawItem(sequenceDelimitationTag)]), undefinedLength),
    rawElement('00331002', 'UN', Buffer.from('private!')),
  ];

  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), ...unknown]));

  const items = [{ '00081150': { vr: 'UI', Value: ['1.2'] } }];
  expect(dataset['00321060']).toEqual({ vr: 'LO', Value: ['Thorax'] });
  expect(dataset['00321064']).toEqual({ vr: 'SQ', Value: items });
  expect(dataset['00331001']).toEqual({ vr: 'SQ', Value: items });
  expect(dataset['00331002']).toEqual({ vr: 'UN', InlineBinary: Buffer.from('private!').toString('base64') });
});

test.each(['UT', 'LT', 'ST', 'LO', 'SH'])('reads a pixel spacing that was written as %s', (vr) => {
  const spacing = rawElement('00280030', vr, Buffer.from('2.5000\\2.50'));
  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), spacing]));
  expect(dataset['00280030']).toEqual({ vr: 'DS', Value: [2.5, 2.5] });
});

test('a sequence of VR UN in a big endian file is read as little endian', () => {
  const implicitItem = rawItem(itemTag, Buffer.from([0x08, 0, 0x50, 0x11, 4, 0, 0, 0, ...Buffer.from('1.2\0')]));
  const header = Buffer.from([0x00, 0x32, 0x10, 0x64, ...Buffer.from('UN\0\0'), 0, 0, 0, implicitItem.length]);
  const { Rows: _, Columns: __, ...dataset } = sampleDataset;
  const file = writePart10({ transferSyntaxUID: explicitBigEndian.uid, dataset });

  const read = readHeader(Buffer.concat([file, header, implicitItem]));

  expect(read.dataset['00321064']).toEqual({ vr: 'SQ', Value: [{ '00081150': { vr: 'UI', Value: ['1.2'] } }] });
});

test('a private creator is read as text even with VR UN', () => {
  const unknown = [
    rawElement('70530010', 'UN', Buffer.from('Philips PET Private Group ')),
    rawElement('705300E1', 'UN', Buffer.from('Another Private Group ')),
    rawElement('70531000', 'UN', Buffer.from('0.000443 ')),
  ];

  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), ...unknown]));

  expect(dataset['70530010']).toEqual({ vr: 'LO', Value: ['Philips PET Private Group'] });
  expect(dataset['705300E1']).toEqual({ vr: 'LO', Value: ['Another Private Group'] });
  expect(dataset['70531000']).toMatchObject({ vr: 'UN' });
});

test('the icon of a compressed file is not in the JSON and refers to the file, whether compressed or not', () => {
  const fragments = Buffer.concat([
    rawItem(itemTag),
    rawItem(itemTag, Buffer.from('icon')),
    rawItem(sequenceDelimitationTag),
  ]);
  const icon = rawElement('7FE00010', 'OB', fragments, undefinedLength);
  const sequence = rawElement('00880200', 'SQ', rawItem(itemTag, icon));

  const { dataset, bulk, pixelData } = readHeader(Buffer.concat([sampleWithoutPixels(), sequence]));

  const uri = 'bulkdata/00880200/1/7FE00010';
  expect(dataset['00880200']?.Value).toEqual([{ '7FE00010': { vr: 'OB', BulkDataURI: uri } }]);
  expect(bulk).toMatchObject([{ uri, length: fragments.length }]);
  expect(pixelData).toBeUndefined();
});

test('long values and fragments do not count toward the header limit', () => {
  const fragment = rawItem(itemTag, Buffer.alloc(6000));
  const fragments = Buffer.concat([fragment, fragment, rawItem(sequenceDelimitationTag)]);
  const long = [
    rawElement('00091001', 'OB', Buffer.alloc(6000)),
    rawElement('00091002', 'OB', fragments, undefinedLength),
  ];
  const file = Buffer.concat([sampleWithoutPixels(), ...long, rawElement('00091003', 'LO', Buffer.from('behind'))]);

  const { dataset, bulk } = readHeader(file, { limits: { headerBytes: 5000 } });

  expect(dataset['00091003']?.Value).toEqual(['behind']);
  expect(bulk.map(({ length }) => length)).toEqual([6000, fragments.length]);
});

test('if the pixels are signed, the pixel limits in the header are read as signed', () => {
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2',
    dataset: { ...sampleDataset, PixelRepresentation: 1, PixelPaddingValue: -2000 },
    pixelData: samplePixels,
  });

  expect(readHeader(file).dataset['00280120']).toEqual({ vr: 'SS', Value: [-2000] });
});

test('an item of a sequence may have its own character set', () => {
  const name = Buffer.from([0x4d, 0xfc, 0x6c]);
  const file = sampleFile({
    PatientName: 'Müller',
    ReferencedImageSequence: [{ SpecificCharacterSet: 'ISO_IR 100', StudyDescription: name }],
    StudyDescription: 'Schädel',
  });

  const { dataset, warnings } = readHeader(file);

  expect(textOf(dataset, 'PatientName')).toBe('Müller');
  expect(textOf(dataset, 'StudyDescription')).toBe('Schädel');
  expect(dataset['00081140']?.Value?.[0]).toMatchObject({ '00081030': { Value: ['Mül'] } });
  expect(warnings).toEqual([]);
});
