import { expect, test, vi } from 'vitest';
import { characterSetOf, encoderOf } from './character-set.ts';

const decode = (declared: string, hex: string, delimiters = '\\^=') => {
  const onMisfit = vi.fn<() => void>();
  const text = characterSetOf(declared, onMisfit).decode(Buffer.from(hex.replaceAll(' ', ''), 'hex'), delimiters);
  return { text, isMisfit: onMisfit.mock.calls.length > 0 };
};

test.each([
  [
    'Japanese with ISO 2022 (PS3.5 §H.3.1)',
    '\\ISO 2022 IR 87',
    '59616d6164615e5461726f753d 1b2442 3b334544 1b2842 5e 1b2442 42404f3a 1b2842 3d 1b2442 246424 5e2440 1b2842 5e 1b2442 243f246d2426 1b2842',
    'Yamada^Tarou=山田^太郎=やまだ^たろう',
  ],
  [
    'Japanese with half-width katakana (PS3.5 §H.3.2)',
    'ISO 2022 IR 13\\ISO 2022 IR 87',
    'd4cfc0de5ec0dbb33d 1b2442 3b334544 1b284a 5e 1b2442 42404f3a 1b284a 3d 1b2442 246424 5e2440 1b284a 5e 1b2442 243f246d2426 1b284a',
    'ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう',
  ],
  [
    'Korean (PS3.5 §I.2)',
    '\\ISO 2022 IR 149',
    '486f6e675e47696c646f6e673d 1b242943 fbf3 5e 1b242943 d1ced4d7 3d 1b242943 c8ab 5e 1b242943 b1e6b5bf',
    'Hong^Gildong=洪^吉洞=홍^길동',
  ],
  ['Chinese in UTF-8 (PS3.5 §J.1)', 'ISO_IR 192', '57616e673d e78e8b 5e e5b08f e69db1', 'Wang=王^小東'],
  ['Chinese in GB18030 (PS3.5 §J.2)', 'GB18030', '57616e673d cdf5 5e d0a1 b6ab', 'Wang=王^小东'],
  [
    'Chinese with ISO 2022 (PS3.5 §K.2)',
    '\\ISO 2022 IR 58',
    '5a68616e673d 1b242941 d5c5 5e 1b242941 d0a1b6ab',
    'Zhang=张^小东',
  ],
  ['supplementary Japanese characters', '\\ISO 2022 IR 159', '1b242844 3021 1b2842 5e41', '丂^A'],
  ['Latin and Greek in one name', 'ISO 2022 IR 100\\ISO 2022 IR 126', '1b2d46 d5 5e d5', 'Υ^Õ'],
  ['Greek', 'ISO_IR 126', 'c4e9efedf5f3e9eff2', 'Διονυσιος'],
  ['Cyrillic', 'ISO_IR 144', 'bbeedaceb1c3e0d3', 'ЛюкЮБУрг'],
  ['Hebrew', 'ISO_IR 138', 'f9f8e5ef', 'שרון'],
  ['Thai', 'ISO_IR 166', 'cac1aad2c2', 'สมชาย'],
  ['Latin 9', 'ISO_IR 203', 'a4', '€'],
])('text in the character set is decoded: %s', (_, declared, hex, expected) => {
  expect(decode(declared, hex)).toEqual({ text: expected, isMisfit: false });
});

test.each([
  ['GBK', 'b25c 5c 41', '瞈\\A'],
  ['GB18030', '8130 8130 5e', '\u0080^'],
  ['ISO_IR 13', '835c 5c 41', 'ソ\\A'],
])('in %s a second byte that equals a backslash is part of its character', (declared, hex, expected) => {
  expect(decode(declared, hex).text).toBe(expected);
});

test('a Latin character set stays selected after "=" and "^" in a text that is no name', () => {
  const greek = '1b2d46 d5 3d d5';

  expect(decode('ISO 2022 IR 100\\ISO 2022 IR 126', greek, '\\').text).toBe('Υ=Υ');
  expect(decode('ISO 2022 IR 100\\ISO 2022 IR 126', greek, '\\^=').text).toBe('Υ=Õ');
});

test.each(['ISO-IR 100', 'ISO_IR_100', 'iso_ir 100', 'ISO 2022 IR 100'])(
  'the character set %s is understood',
  (declared) => {
    expect(decode(declared, '4dfc6c6c6572')).toEqual({ text: 'Müller', isMisfit: false });
  },
);

test('text outside the declared character set is decoded by its most likely encoding and reported', () => {
  expect(decode('ISO_IR 192', '4dfc6c6c6572')).toEqual({ text: 'Müller', isMisfit: true });
  expect(decode('', '4dc3bc6c6c6572')).toEqual({ text: 'Müller', isMisfit: true });
  expect(decode('', '4dfc6c6c6572')).toEqual({ text: 'Müller', isMisfit: true });
  expect(decode('ISO 2022 IR 6', '4dfc6c6c6572')).toEqual({ text: 'Müller', isMisfit: true });
  expect(decode('ISO_IR 999', '4d')).toEqual({ text: 'M', isMisfit: true });
});

const korean = '486f6e675e47696c646f6e673d 1b242943 fbf3 5e 1b242943 d1ced4d7';
const japanese = '59616d6164613d 1b2442 3b334544 1b2842 5e 1b2442 42404f3a 1b2842';

test.each([
  ['nothing', '', korean, 'Hong^Gildong=洪^吉洞'],
  ['Latin 1 without extensions', 'ISO_IR 100', korean, 'Hong^Gildong=洪^吉洞'],
  ['ASCII', 'ISO_IR 6', japanese, 'Yamada=山田^太郎'],
  ['Latin 1 without extensions, and Japanese', 'ISO_IR 100', japanese, 'Yamada=山田^太郎'],
  ['UTF-8', 'ISO_IR 192', japanese, 'Yamada=山田^太郎'],
  ['Korean without extensions', 'ISO_IR 149', korean, 'Hong^Gildong=洪^吉洞'],
])('reads escape sequences that the declared character set does not announce: %s', (_, declared, hex, expected) => {
  expect(decode(declared, hex)).toEqual({ text: expected, isMisfit: true });
});

test('incomplete escape sequences in a text are ignored', () => {
  expect(decode('\\ISO 2022 IR 87', '41 1b 1b2442').text).toBe('A\u001b');
  expect(decode('\\ISO 2022 IR 87', '1b2442 30').text).toBe('\ufffd');
  expect(decode('\\ISO 2022 IR 87', '1b2442 3021 0a 41').text).toBe('亜\nA');
});

test.each(['100', '101', '109', '110', '126', '127', '138', '144', '148', '166', '203'])(
  'the encoder for ISO_IR %s encodes exactly the characters that the decoder reads',
  (number) => {
    const read = (bytes: Uint8Array) => characterSetOf(`ISO_IR ${number}`, () => {}).decode(bytes, '');
    const bytes = Uint8Array.from({ length: 96 }, (_, index) => 0xa0 + index).filter(
      (byte) => read(Uint8Array.of(byte)) !== '\ufffd',
    );
    const encoder = encoderOf(`ISO 2022 IR ${number}`);

    expect(encoder?.name).toBe(`ISO_IR ${number}`);
    expect(encoder?.encode(`A\\${read(bytes)}^`)).toEqual(Uint8Array.of(0x41, 0x5c, ...bytes, 0x5e));
    expect(encoder?.encode('山')).toBeUndefined();
  },
);

test('there is no encoder for multi-byte or unknown character sets', () => {
  const declared = ['', 'ISO_IR 192', 'GB18030', 'ISO_IR 13', 'ISO 2022 IR 149', '\\ISO 2022 IR 87', 'LATIN'];

  expect(declared.map(encoderOf)).toEqual(declared.map(() => undefined));
  expect(encoderOf('ISO_IR 100')?.encode('€')).toBeUndefined();
});
