import { DicomError } from '@radwork/dicom/dicom-error';
import { expect, test } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import { MissingTable } from '#reading/viewer/engine/loading/load-lookup-tables.ts';
import { isForGood, reasonOf } from './image-arrival.ts';

const answered = (status: number, response?: unknown) =>
  Object.create(XMLHttpRequest.prototype, { status: { value: status }, response: { value: response } });

test('a failed image shows the status of the answer as the reason', () => {
  expect(reasonOf(answered(0))).toBe('No response received from server. Check the connection and try again.');
  expect(reasonOf(answered(404))).toBe('The image was deleted, or you have no access to it (status 404).');
  expect(reasonOf(answered(429))).toBe('Too many requests (status 429). Try again in a moment.');
  expect(reasonOf(answered(503))).toBe('The server is busy or failed (status 503). Try again in a moment.');
  expect(reasonOf(answered(409))).toBe('The server answered with status 409.');
});

test('an image that the server refuses shows the reason of the server', () => {
  const body = new TextEncoder().encode(
    JSON.stringify({ message: 'The frames are stored in transfer syntax 1.2' }),
  ).buffer;

  expect(reasonOf(answered(406, body))).toBe('The frames are stored in transfer syntax 1.2');
  expect(reasonOf(answered(406, new ArrayBuffer(0)))).toBe('The server answered with status 406.');
});

test('a failed image offers a retry only if a retry can help', () => {
  expect([0, 404, 429, 503].map((status) => isForGood(answered(status)))).toEqual([false, false, false, false]);
  expect([403, 406, 422].map((status) => isForGood(answered(status)))).toEqual([true, true, true]);
});

test.each([
  ['a corrupt stream', new Error('charls: corrupt stream')],
  ['a value outside of the data', new RangeError('Offset is outside the bounds of the DataView')],
  ['a decoder that reads past its memory', new Error('memory access out of bounds')],
  ['a number that a decoder throws', 5_308_416],
  ['a damaged palette', new DicomError('paletteDamaged')],
  ['a table that the server refuses', new MissingTable('', { cause: new ApiError(422, '', '') })],
])('no retry is offered after %s', (_, error) => {
  expect(isForGood(error)).toBe(true);
});

test.each([
  ['too little memory', new RangeError('Array buffer allocation failed')],
  ['a decoder without memory', new Error('Aborted(OOM)')],
  ['a decoder that takes too long', new Error('Decoding timed out')],
  ['a decoder that did not arrive', new TypeError('Failed to fetch dynamically imported module: /assets/a.js')],
  [
    'a decoder for which an error page arrived',
    new Error('Aborted(CompileError: WebAssembly.instantiate(): expected magic word 00 61 73 6d, found 3c 21 44 4f)'),
  ],
  ['a response that is not whole', new Error('invalid response - terminating boundary not found')],
  ['a table that did not arrive', new MissingTable('', { cause: new ApiError(503, '', '') })],
])('a retry is offered after %s', (_, error) => {
  expect(isForGood(error)).toBe(false);
});

test('an image that arrived but cannot be read shows a message that says so', () => {
  expect(reasonOf(new DicomError('paletteDamaged'))).toBe('The palette of the image is damaged.');
  expect(reasonOf(new Error('charls: corrupt stream'))).toBe('The image is damaged, or this browser cannot decode it.');
});

test('an image whose decoding did not end shows a message that asks to try again', () => {
  const sentence = 'The browser could not finish decoding: data, time or memory was missing. Try again.';
  expect(reasonOf(new Error('Decoding timed out'))).toBe(sentence);
  expect(reasonOf(new RangeError('Array buffer allocation failed'))).toBe(sentence);
});
