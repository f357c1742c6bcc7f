import { expect, test } from 'vitest';
import { z } from 'zod';
import { pageOf, pageQuery, sortQuery } from './paging.ts';

const query = z.object(pageQuery);
const sort = sortQuery(['studyDate', 'status'], 'studyDate,desc');

test('pages count from zero and have 10 items by default, and at most 200', () => {
  expect(query.parse({})).toEqual({ page: 0, size: 10 });
  expect(query.parse({ page: '3', size: '5000' })).toEqual({ page: 3, size: 200 });
  expect(query.safeParse({ page: '-1' }).success).toBe(false);
});

test('a list can be sorted only by known fields', () => {
  expect(sort.parse(undefined)).toEqual({ field: 'studyDate', direction: 'desc' });
  expect(sort.parse('status,asc')).toEqual({ field: 'status', direction: 'asc' });
  expect(sort.safeParse('password_hash,asc').success).toBe(false);
  expect(sort.safeParse('status,sideways').success).toBe(false);
});

test('a page after the last one is empty and contains the total', () => {
  expect(pageOf([], 25, { page: 9, size: 10 })).toEqual({
    content: [],
    totalElements: 25,
    totalPages: 3,
    number: 9,
    size: 10,
  });
});
