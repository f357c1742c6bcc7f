import { DicomError } from '@radwork/dicom/dicom-error';
import { expect, test } from 'vitest';
import { reasonOf } from './image-arrival.ts';

const answered = (status: number) => Object.create(XMLHttpRequest.prototype, { status: { value: status } });

test('a failed image shows the status of the answer as the reason', () => {
  expect(reasonOf(answered(0))).toBe('No response received from server.');
  expect(reasonOf(answered(404))).toBe('The server does not have the image (status 404).');
  expect(reasonOf(answered(429))).toBe('Too many requests (status 429). Try again in a moment.');
  expect(reasonOf(answered(503))).toBe('The server answered with status 503.');
});

test('an image that arrived but cannot be read shows a message that says so', () => {
  expect(reasonOf(new DicomError('PIXEL', 'The palette of the image is damaged.'))).toBe(
    'The palette of the image is damaged.',
  );
  expect(reasonOf(new Error('charls: corrupt stream'))).toBe('The image could not be decoded.');
});
