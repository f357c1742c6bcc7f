import { expect, test } from 'vitest';
import { openText, sealText } from './sealed-text.ts';

const key = 'ab'.repeat(32);

test.each(['', 'No focal lesion.', 'Zwölf Köpfe, 胸部正常, 🩻', 'x'.repeat(200_000)])(
  'a sealed text opens only with its key and under its storage name',
  (text) => {
    const sealed = sealText(text, key, 'a place');

    expect(openText(sealed, key, 'a place')).toBe(text);
    expect(openText(sealed, 'cd'.repeat(32), 'a place')).toBeUndefined();
    expect(openText(sealed, key, 'another place')).toBeUndefined();
  },
);

test('a sealed text does not contain the text, and sealing it again gives another result', () => {
  const sealed = sealText('Carcinoma of the left lung', key, 'a place');

  expect(sealed).not.toContain('Carcinoma');
  expect(sealText('Carcinoma of the left lung', key, 'a place')).not.toBe(sealed);
});

test('a sealed text that was changed or cut short, or was never sealed, does not open', () => {
  const sealed = sealText('Chest', key, 'a place');

  for (let at = 0; at < sealed.length; at += 1) {
    const changed = String.fromCharCode(sealed.charCodeAt(at) ^ 1);
    expect(openText(sealed.slice(0, at) + changed + sealed.slice(at + 1), key, 'a place')).toBeUndefined();
    expect(openText(sealed.slice(0, at), key, 'a place')).toBeUndefined();
  }
  expect(openText('{"content":"<p>plain</p>"}', key, 'a place')).toBeUndefined();
});

test('a sealed text can be written to text storage, read again and opened', () => {
  const sealed = sealText('Chest', key, 'a place');

  localStorage.setItem('sealed', sealed);

  expect(openText(localStorage.getItem('sealed') ?? '', key, 'a place')).toBe('Chest');
});
