import { expect, test } from 'vitest';
import { acceptedRanges, acceptOf, preferred } from './accept.ts';

const choose = (accept: string | undefined, ...offered: string[]) => preferred(accept, offered);

test('a client that says nothing gets what is offered first', () => {
  expect(choose(undefined, 'image/jpeg', 'image/png')).toBe('image/jpeg');
  expect(choose('', 'image/jpeg', 'image/png')).toBe('image/jpeg');
});

test('what is wanted more comes first, whatever the order', () => {
  expect(choose('image/jpeg;q=0.5, image/png', 'image/jpeg', 'image/png')).toBe('image/png');
  expect(choose('image/*;q=0.9, image/jpeg;q=0.1', 'image/jpeg', 'image/png')).toBe('image/png');
});

test('what is wanted alike is decided by what is offered first', () => {
  expect(choose('application/json, text/plain, */*', 'text/plain', 'application/json')).toBe('text/plain');
});

test('what is not wanted at all is not offered', () => {
  expect(choose('image/gif, image/jpeg;q=0', 'image/jpeg', 'image/png')).toBeUndefined();
});

test('a quoted parameter may hold what divides others', () => {
  const [range] = acceptedRanges('multipart/related; type="a,b;c"; transfer-syntax=*, text/html;q=0.1');

  expect(range?.type).toBe('multipart/related');
  expect(Object.fromEntries(range?.parameters ?? [])).toEqual({ type: 'a,b;c', 'transfer-syntax': '*' });
});

test('a plus of a media type in an address is one, though it stands for a space there', () => {
  const accept = 'multipart/related; type="application/dicom xml";q=0.5, application/dicom json, */* ;q=0.1';

  expect(acceptOf({ query: { accept }, headers: {} })).toBe(
    'multipart/related; type="application/dicom+xml";q=0.5, application/dicom+json, */* ;q=0.1',
  );
  expect(acceptOf({ query: {}, headers: { accept: 'image/jpeg' } })).toBe('image/jpeg');
});
