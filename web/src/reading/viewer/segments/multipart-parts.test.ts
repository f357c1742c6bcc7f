import { expect, test } from 'vitest';
import { partsOf } from './multipart-parts.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const message =
  '--abc\r\nContent-Type: application/octet-stream\r\n\r\none\r\n--ab\r\n\r\n--abc\r\nContent-Type: x\r\n\r\n\u0000\u00ff\r\n--abc--\r\n';

test('a part of a multipart answer ends at the next boundary, whatever bytes it contains', () => {
  const parts = partsOf('multipart/related; type="application/octet-stream"; boundary=abc', bytes(message));

  expect(parts.map((part) => [...part])).toEqual([[...bytes('one\r\n--ab\r\n')], [0, 255]]);
});

test('a multipart answer that breaks off is refused', () => {
  const cut = bytes(message).subarray(0, -9);

  expect(() => partsOf('multipart/related; boundary="abc"', cut)).toThrow('breaks off');
  expect(() => partsOf('application/json', bytes(message))).toThrow('not in parts');
});
