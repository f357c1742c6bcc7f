import { expect, test } from 'vitest';
import { characterSetOf } from './character-set.ts';
import { type DicomJson, itemsOf, textOf } from './dataset.ts';
import { dateOf, matchRange } from './dicom-date.ts';
import { readHeader } from './header.ts';
import { imageGrid } from './image-grid.ts';
import { displayName } from './person-name.ts';
import { rawElement, rawItem, sampleFile, sampleWithoutPixels } from './sample-files.ts';
import { itemDelimitationTag, itemTag, sequenceDelimitationTag, undefinedLength } from './vr.ts';

/** Inputs after public reports about other systems. docs/public-reports.md lists the threads. */

const decode = (declared: string, hex: string, delimiters = '\\^=') => {
  let isMisfit = false;
  const set = characterSetOf(declared, () => {
    isMisfit = true;
  });
  return { text: set.decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), delimiters), isMisfit };
};

test('reads several names in half-width katakana and kanji', () => {
  const yamada = 'd4cfc0de 5c c0dbb3 3d 1b2442 3b334544 1b284a 5c 1b2442 42404f3a 1b284a';
  expect(decode('ISO 2022 IR 13\\ISO 2022 IR 87', yamada).text).toBe('ﾔﾏﾀﾞ\\ﾀﾛｳ=山田\\太郎');
  expect(decode('ISO_IR 13\\ISO 2020 IR 87', yamada).text).toBe('ﾔﾏﾀﾞ\\ﾀﾛｳ=山田\\太郎');
});

test.each([
  ['three numbers', '0.2\\0\\0.20000'],
  ['one number', '0.5'],
  ['a comma for the separator', '0.005865432,0.001955034'],
  ['a word', 'N/A'],
])('measures in pixels with a pixel spacing of %s', (_, text) => {
  const { dataset } = readHeader(sampleFile({ PixelSpacing: Buffer.from(text) }));
  expect(imageGrid(dataset, 1)).toMatchObject({ rowSpacing: 1, columnSpacing: 1 });
});

test('combines an attribute of a frame with an attribute that all frames share in the same functional group', () => {
  const shared = [{ PixelMeasuresSequence: [{ PixelSpacing: [0.5, 0.7] }] }];
  const own = [{ PixelMeasuresSequence: [{ SliceThickness: 3 }] }];
  const { dataset } = readHeader(
    sampleFile({
      NumberOfFrames: 1,
      SharedFunctionalGroupsSequence: shared,
      PerFrameFunctionalGroupsSequence: own,
      PixelSpacing: undefined,
    }),
  );
  expect(imageGrid(dataset, 1)).toMatchObject({ rowSpacing: 0.5, columnSpacing: 0.7 });
});

test('reads nested sequences of VR UN with items in implicit VR, with lengths and with delimiters', () => {
  const implicit = (tag: string, value: Buffer, length = value.length) => {
    const header = Buffer.alloc(8);
    header.writeUInt16LE(parseInt(tag.slice(0, 4), 16), 0);
    header.writeUInt16LE(parseInt(tag.slice(4), 16), 2);
    header.writeUInt32LE(length, 4);
    return Buffer.concat([header, value]);
  };
  const uid = implicit('00081150', Buffer.from('1.2\0'));
  const inner = Buffer.concat([
    rawItem(itemTag, uid),
    rawItem(itemTag, uid, undefinedLength),
    rawItem(itemDelimitationTag),
  ]);
  const nested = implicit('00081140', Buffer.concat([inner, rawItem(sequenceDelimitationTag)]), undefinedLength);
  const known = rawElement('0018100A', 'UN', rawItem(itemTag, nested));
  const unknown = rawElement(
    '00331001',
    'UN',
    Buffer.concat([rawItem(itemTag, nested), rawItem(sequenceDelimitationTag)]),
    undefinedLength,
  );
  const after = rawElement('00400280', 'ST', Buffer.from('last'));
  const { dataset } = readHeader(Buffer.concat([sampleWithoutPixels(), known, unknown, after]));
  const items = (one?: DicomJson) =>
    itemsOf(one ?? {}, 'ReferencedImageSequence').map((item) => textOf(item, 'ReferencedSOPClassUID'));
  expect(items(itemsOf(dataset, 'UDISequence')[0])).toEqual(['1.2', '1.2']);
  expect(items(dataset['00331001']?.Value?.[0] as DicomJson)).toEqual(['1.2', '1.2']);
  expect(textOf(dataset, 'CommentsOnThePerformedProcedureStep')).toBe('last');
});

test.each([
  ['1993.08.22', '1993-08-22'],
  ['00010101', '0001-01-01'],
  ['18991231', '1899-12-31'],
  ['19000101', '1900-01-01'],
  ['20150001', undefined],
  ['20150100', undefined],
  ['201500AA', undefined],
])('reads the date "%s" as %s', (da, expected) => {
  expect(dateOf(da)).toBe(expected);
  expect(matchRange(da)).toEqual(expected && { from: expected, to: expected });
});

test.each([
  ['ÕÅÖÇºê', 'ISO_IR 100', 'd5c5 d6c7 baea', false],
  ['±è±Í¼ø', '', 'b1e8 b1cd bcf8', true],
  ['»îÚÎ', 'ISO 2022 IR 6, IS', 'bbee dace', true],
])('text whose character set cannot be told is shown as %s', (text, declared, hex, isMisfit) => {
  expect(decode(declared, hex)).toEqual({ text, isMisfit });
});

test('shows a name whose alphabetic group is empty', () => {
  expect(displayName('=山田^太郎=やまだ^たろう')).toBe('山田, 太郎');
});
