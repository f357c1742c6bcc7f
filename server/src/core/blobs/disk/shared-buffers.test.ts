import { expect, test } from 'vitest';
import { createSlabs } from './shared-buffers.ts';

const many = Array.from({ length: 64 });

test('returned buffers are used again, up to the number that all concurrent uploads need', () => {
  const slabs = createSlabs();
  const lent = many.map(() => slabs.take());
  for (const slab of lent) slabs.giveBack(slab);

  const again = many.map(() => slabs.take());

  expect(new Set(again)).toEqual(new Set(lent));
  expect(new Set(again).size).toBe(many.length);
});

test('buffers beyond the number that all concurrent uploads need are freed', () => {
  const slabs = createSlabs();
  const lent = [...many, undefined].map(() => slabs.take());
  for (const slab of lent) slabs.giveBack(slab);

  const again = lent.map(() => slabs.take());

  expect(again.filter((slab) => !lent.includes(slab))).toHaveLength(1);
});
