import { expect, test } from 'vitest';
import { acceptedRanges, acceptHeaderOf, preferredMediaType } from './accept-header.ts';

const choose = (accept: string | undefined, ...offered: string[]) => preferredMediaType(accept, offered);

test('a client without preferences gets the first media type that the server offers', () => {
  expect(choose(undefined, 'image/jpeg', 'image/png')).toBe('image/jpeg');
  expect(choose('', 'image/jpeg', 'image/png')).toBe('image/jpeg');
});

test('the media type with the highest quality value wins, in any order', () => {
  expect(choose('image/jpeg;q=0.5, image/png', 'image/jpeg', 'image/png')).toBe('image/png');
  expect(choose('image/*;q=0.9, image/jpeg;q=0.1', 'image/jpeg', 'image/png')).toBe('image/png');
});

test('among media types of equal quality, the first that the server offers wins', () => {
  expect(choose('application/json, text/plain, */*', 'text/plain', 'application/json')).toBe('text/plain');
});

test('chooses no media type when the client refuses all of them', () => {
  expect(choose('image/gif, image/jpeg;q=0', 'image/jpeg', 'image/png')).toBeUndefined();
});

test('a quoted parameter of the Accept header may contain separators', () => {
  const [range] = acceptedRanges('multipart/related; type="a,b;c"; transfer-syntax=*, text/html;q=0.1');

  expect(range?.type).toBe('multipart/related');
  expect(Object.fromEntries(range?.parameters ?? [])).toEqual({ type: 'a,b;c', 'transfer-syntax': '*' });
});

test('reads a space in a media type in the address as a plus sign', () => {
  const accept = 'multipart/related; type="application/dicom xml";q=0.5, application/dicom json, */* ;q=0.1';

  expect(acceptHeaderOf({ query: { accept }, headers: {} })).toBe(
    'multipart/related; type="application/dicom+xml";q=0.5, application/dicom+json, */* ;q=0.1',
  );
  expect(acceptHeaderOf({ query: {}, headers: { accept: 'image/jpeg' } })).toBe('image/jpeg');
});
