import { expect, test } from 'vitest';
import { characterSetOf } from './character-set.ts';
import { inlineBinary, valuesOfBytes } from './element-value.ts';

const characterSet = characterSetOf('ISO_IR 192', () => {});

/** Reads the values of bytes that lie within other bytes. */
const valuesOf = (vr: string, value: Buffer | string, littleEndian = true) => {
  const [before, encoded, behind] = [Buffer.from('12\\'), Buffer.from(value), Buffer.from('\\34')];
  const bytes = Buffer.concat([before, encoded, behind]);
  return valuesOfBytes(vr, { bytes, start: 3, end: 3 + encoded.length, littleEndian, characterSet });
};

test('text is split at backslashes and loses its padding; an empty value among others is null', () => {
  expect(valuesOf('CS', 'ORIGINAL\\\\AXIAL ')).toEqual(['ORIGINAL', null, 'AXIAL']);
  expect(valuesOf('UI', '1.2.3\0')).toEqual(['1.2.3']);
  expect(valuesOf('LO', ' Müller \\ b')).toEqual(['Müller', 'b']);
  expect(valuesOf('LO', '\\')).toEqual([]);
});

test('a value of VR LT or UR is one value, even with backslashes, and keeps its leading spaces', () => {
  expect(valuesOf('LT', '  first\\line\r\n ')).toEqual(['  first\\line\r\n']);
  expect(valuesOf('UR', 'https://a.b/c\\d ')).toEqual(['https://a.b/c\\d']);
});

test('keeps all digits of an integer that a number cannot hold', () => {
  expect(valuesOf('IS', '456115117112105110101 ')).toEqual(['456115117112105110101']);
  expect(valuesOf('IS', '9007199254740991')).toEqual([9007199254740991]);
});

test('values of VR DS and IS are read as numbers', () => {
  expect(valuesOf('DS', '-0.5\\+1.25E2 \\ .5\\10')).toEqual([-0.5, 125, 0.5, 10]);
  expect(valuesOf('IS', ' 12\\\\-3 ')).toEqual([12, null, -3]);
});

test.each([
  ['0,143', 0.143],
  ['-1024,0', -1024],
  ['1,5e2', 150],
  [',5', 0.5],
  ['030', 30],
])('reads the decimal %s of VR DS', (text, expected) => {
  expect(valuesOf('DS', `${text}\\ ${text} `)).toEqual([expected, expected]);
});

test('does not read a comma in an integer', () => {
  expect(valuesOf('IS', '1,024')).toEqual(['1,024']);
});

test.each(['NaN', 'Infinity', '0x10', '1e400', '1,5,5', '1.024,5', '1,024.5', ',', '--1', '1'.repeat(65)])(
  'an invalid value of VR DS stays text (%s)',
  (text) => {
    expect(valuesOf('DS', text)).toEqual([text]);
  },
);

test('a name is read with up to three representations, without empty components at the end', () => {
  expect(valuesOf('PN', 'Yamada^Tarou^^^=山田^太郎=やまだ ')).toEqual([
    { Alphabetic: 'Yamada^Tarou', Ideographic: '山田^太郎', Phonetic: 'やまだ' },
  ]);
  expect(valuesOf('PN', 'A^B\\\\==C')).toEqual([{ Alphabetic: 'A^B' }, null, { Phonetic: 'C' }]);
  expect(valuesOf('PN', '^^^^')).toEqual([]);
});

test('binary numbers are read in the byte order of the file', () => {
  expect(valuesOf('US', Buffer.from([1, 2, 255, 255]))).toEqual([513, 65_535]);
  expect(valuesOf('US', Buffer.from([1, 2]), false)).toEqual([258]);
  expect(valuesOf('SS', Buffer.from([0, 0x80]))).toEqual([-32_768]);
  expect(valuesOf('UL', Buffer.from([255, 255, 255, 255]))).toEqual([4_294_967_295]);
  expect(valuesOf('FD', Buffer.from([0, 0, 0, 0, 0, 0, 0xf8, 0x3f]))).toEqual([1.5]);
  expect(valuesOf('AT', Buffer.from([0x18, 0, 0x63, 0x10]))).toEqual(['00181063']);
});

test('numbers that JSON cannot represent are written as text', () => {
  const notANumber = Buffer.alloc(4);
  notANumber.writeFloatLE(NaN);
  const infinite = Buffer.alloc(8);
  infinite.writeDoubleLE(-Infinity);
  const large = Buffer.alloc(8);
  large.writeBigUInt64LE(2n ** 60n + 1n);

  expect(valuesOf('FL', notANumber)).toEqual(['NaN']);
  expect(valuesOf('FD', infinite)).toEqual(['-Infinity']);
  expect(valuesOf('UV', large)).toEqual(['1152921504606846977']);
  expect(valuesOf('SV', Buffer.alloc(8, 255))).toEqual([-1]);
});

test('an incomplete number at the end of a value is dropped', () => {
  expect(valuesOf('US', Buffer.from([1, 0, 2]))).toEqual([1]);
  expect(valuesOf('AT', Buffer.from([1, 0, 2]))).toEqual([]);
});

test('binary values are written as base64 in little endian', () => {
  const bytes = Buffer.from([1, 2, 3, 4]);

  expect(valuesOf('OW', bytes)).toBeUndefined();
  expect(inlineBinary('OW', bytes, true)).toBe('AQIDBA==');
  expect(inlineBinary('OW', bytes, false)).toBe('AgEEAw==');
  expect(inlineBinary('OB', bytes, false)).toBe('AQIDBA==');
  expect(inlineBinary('OF', bytes, false)).toBe('BAMCAQ==');
});
