import { jpegOf } from '@radwork/phantom/jpeg';
import { expect, test } from 'vitest';
import { jpegColorsOf } from './jpeg-colors.ts';

const segment = (marker: number, content: readonly number[]) => [0xff, marker, 0, content.length + 2, ...content];
const letters = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
const frame = (names: readonly number[]) =>
  segment(0xc0, [8, 0, 16, 0, 16, names.length, ...names.flatMap((name) => [name, 0x11, 0])]);
const jfif = segment(0xe0, [...letters('JFIF'), 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);
const adobe = (transform: number) => segment(0xee, [...letters('Adobe'), 0, 100, 0, 0, 0, 0, transform]);
const jpeg = (...segments: number[][]) => Uint8Array.from([0xff, 0xd8, ...segments.flat()]);

test.each([
  ['JFIF', jpeg(jfif, frame([1, 2, 3])), 'ybr'],
  ['JFIF before Adobe', jpeg(jfif, adobe(0), frame([1, 2, 3])), 'ybr'],
  ['Adobe without a transform', jpeg(adobe(0), frame([1, 2, 3])), 'rgb'],
  ['Adobe with a transform', jpeg(adobe(1), frame([1, 2, 3])), 'ybr'],
  ['components named R, G and B', jpeg(frame(letters('RGB'))), 'rgb'],
  ['numbered components', jpeg(frame([1, 2, 3])), 'ybr'],
  ['one component', jpeg(frame([1])), 'gray'],
  ['no JPEG', Uint8Array.from([1, 2, 3, 4]), undefined],
  ['a JPEG cut short', jpeg(jfif), undefined],
])('reads the colors of a JPEG as browsers do: %s', (_, bytes, expected) => {
  expect(jpegColorsOf(bytes)).toBe(expected);
});

test('a generated tile has luminance and chrominance', () => {
  expect(jpegColorsOf(jpegOf(Buffer.alloc(16 * 16 * 3, 90), 16, 16))).toBe('ybr');
});
