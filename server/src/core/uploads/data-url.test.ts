import { expect, test } from 'vitest';
import { readDataUrl } from './data-url.ts';

test('reads media type and bytes from a data URL in base64', () => {
  expect(readDataUrl('data:image/png;base64,iVBORw==')).toEqual({ type: 'image/png', base64: 'iVBORw==' });
  expect(readDataUrl('data:image/svg+xml;base64,PHN2Zz4=')).toEqual({ type: 'image/svg+xml', base64: 'PHN2Zz4=' });
});

test.each([
  '',
  'iVBORw==',
  'data:image/png;base64,',
  'data:image/png,iVBORw==',
  'data:image/png;base64,iV BORw==',
  'data:image/png;base64,iV=BORw',
  'data:image/png;base64,iVBORw===',
  'data:image/png;base64,iVBORw==\n',
  'DATA:image/png;base64,iVBORw==',
  ' data:image/png;base64,iVBORw==',
])('rejects the data URL %j', (text) => {
  expect(readDataUrl(text)).toBeUndefined();
});

test('accepts base64 data of any length', () => {
  const base64 = 'A'.repeat(40 << 20);

  expect(readDataUrl(`data:image/png;base64,${base64}`)?.base64).toBe(base64);
  expect(readDataUrl(`data:image/png;base64,${base64}!`)).toBeUndefined();
});
