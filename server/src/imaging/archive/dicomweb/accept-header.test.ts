import { expect, test } from 'vitest';
import { acceptedRanges, acceptHeaderOf, preferredMediaType } from './accept-header.ts';

const choose = (accept: string | undefined, ...offered: string[]) => preferredMediaType(accept, offered);

test('a client without preferences gets the first offered type', () => {
  expect(choose(undefined, 'image/jpeg', 'image/png')).toBe('image/jpeg');
  expect(choose('', 'image/jpeg', 'image/png')).toBe('image/jpeg');
});

test('a higher quality wins, whatever the order', () => {
  expect(choose('image/jpeg;q=0.5, image/png', 'image/jpeg', 'image/png')).toBe('image/png');
  expect(choose('image/*;q=0.9, image/jpeg;q=0.1', 'image/jpeg', 'image/png')).toBe('image/png');
});

test('equal quality is decided by the order of the offer', () => {
  expect(choose('application/json, text/plain, */*', 'text/plain', 'application/json')).toBe('text/plain');
});

test('offers nothing when the client refuses every type', () => {
  expect(choose('image/gif, image/jpeg;q=0', 'image/jpeg', 'image/png')).toBeUndefined();
});

test('a quoted parameter may contain separators', () => {
  const [range] = acceptedRanges('multipart/related; type="a,b;c"; transfer-syntax=*, text/html;q=0.1');

  expect(range?.type).toBe('multipart/related');
  expect(Object.fromEntries(range?.parameters ?? [])).toEqual({ type: 'a,b;c', 'transfer-syntax': '*' });
});

test('a space in a media type of an address is read as a plus', () => {
  const accept = 'multipart/related; type="application/dicom xml";q=0.5, application/dicom json, */* ;q=0.1';

  expect(acceptHeaderOf({ query: { accept }, headers: {} })).toBe(
    'multipart/related; type="application/dicom+xml";q=0.5, application/dicom+json, */* ;q=0.1',
  );
  expect(acceptHeaderOf({ query: {}, headers: { accept: 'image/jpeg' } })).toBe('image/jpeg');
});
