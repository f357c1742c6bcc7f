import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

test('a long Patient ID is read from the address unchanged', () => {
  const search = { query: '12345678901234567890' };

  expect(parseSearch(stringifySearch(search))).toEqual(search);
});

test('text in the address that looks like JSON stays text', () => {
  expect(parseSearch('?query=%7B%22a%22%3A1%7D&page=2')).toEqual({ query: '{"a":1}', page: '2' });
});

test('the address omits values that are not set', () => {
  expect(stringifySearch({ query: '', status: undefined, page: 0 })).toBe('?page=0');
  expect(stringifySearch({})).toBe('');
});
