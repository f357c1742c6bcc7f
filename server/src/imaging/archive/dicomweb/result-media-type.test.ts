import { expect, test } from 'vitest';
import { resultMediaType } from './result-media-type.ts';

const dicomJson = 'application/dicom+json';

test('a client that accepts any media type or names none gets DICOM JSON', () => {
  expect(resultMediaType(undefined)).toBe(dicomJson);
  expect(resultMediaType('text/html, */*;q=0.8')).toBe(dicomJson);
});

test('an exact media type overrides a wildcard', () => {
  expect(resultMediaType(`${dicomJson};q=0, */*`)).toBe('application/json');
  expect(resultMediaType(`*/*, ${dicomJson};q=0.1, application/json;q=0.2`)).toBe('multipart/related');
  expect(resultMediaType(`application/*;q=0.5, ${dicomJson};q=0.1`)).toBe('application/json');
});

test('ignores multipart types other than XML, whether the client accepts or refuses them', () => {
  expect(resultMediaType('multipart/related; type="application/dicom"')).toBeUndefined();
  expect(resultMediaType('multipart/related; type="application/dicom";q=0, multipart/*')).toBe('multipart/related');
  expect(resultMediaType('multipart/related; type="application/dicom+xml";q=0')).toBeUndefined();
});
