import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { withEndFromBehind } from '../../../../../build/patch-multipart.ts';

const loader = createRequire(import.meta.url).resolve('@cornerstonejs/dicom-image-loader');
const place = new URL('./imageLoader/wadors/extractMultipart.js', pathToFileURL(loader));
const installed = readFileSync(place, 'utf8');

/** Reads a response with the code of the image loader. Replaces its import of states, which it only passes on. */
const extractWith = async (code: string) => {
  const alone = code
    .replace(/^import \{ Enums \}.*$/m, 'const Enums = { ImageQualityStatus: {} };')
    .replaceAll(/from '(\.[^']+)'/g, (_, path: string) => `from '${new URL(path, place).href}'`);
  const { default: extract } = await import(`data:text/javascript,${encodeURIComponent(alone)}`);
  return (body: string): number[] => {
    const bytes = Uint8Array.from(body, (letter) => letter.charCodeAt(0));
    const { pixelData } = extract('multipart/related; type="application/octet-stream"', bytes);
    return [...pixelData];
  };
};

const head = '--limit\r\nContent-Type: application/octet-stream\r\n\r\n';
const bytesOf = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));

test.each([
  ['a line end after it', `${head}pixels\r\n--limit--\r\n`, 'pixels'],
  ['nothing after it', `${head}pixels\r\n--limit--`, 'pixels'],
  ['a text after it', `${head}pixels\r\n--limit--\r\nThe server adds these words.`, 'pixels'],
  ['no bytes before it', `${head}\r\n--limit--\r\n`, ''],
])('a frame ends at the closing delimiter with %s', async (_, body, pixels) => {
  const [before, after] = [await extractWith(installed), await extractWith(withEndFromBehind(installed))];

  expect(after(body)).toEqual(bytesOf(pixels));
  expect(after(body)).toEqual(before(body));
});

test('a frame that is cut short fails', async () => {
  const extract = await extractWith(withEndFromBehind(installed));

  expect(() => extract(`${head}pixels\r\n--lim`)).toThrow('terminating boundary not found');
});

test('unknown code of the image loader stops the build', () => {
  expect(() => withEndFromBehind(installed.replace('const endIndex', 'let endIndex'))).toThrow('in another way');
});
