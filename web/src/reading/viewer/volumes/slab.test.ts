import { expect, test } from 'vitest';
import { nextThickness, noSlab, presentationOf, type Slab, slabOf, slabText, thickest } from './slab.ts';

test('the thickness of a slab changes in steps, from the single plane to the thickest slab', () => {
  expect([nextThickness(0, 1), nextThickness(20, 1), nextThickness(20, -1)]).toEqual([2, 30, 15]);
  expect([nextThickness(0, -1), nextThickness(thickest, 1)]).toEqual([0, thickest]);
});

test('a step from a thickness between two steps goes to the next step in that direction', () => {
  expect([nextThickness(12, 1), nextThickness(12, -1)]).toEqual([15, 10]);
});

test.each<Slab>([
  { kind: 'maximum', thickness: 20 },
  { kind: 'minimum', thickness: 5 },
  { kind: 'average', thickness: 40 },
])('the settings of a slab stay the same when written and read again: $kind', (slab) => {
  expect(slabOf(presentationOf(slab))).toEqual(slab);
});

test('a slab shows a label, and a single plane shows none', () => {
  expect(slabText({ kind: 'minimum', thickness: 8 })).toBe('MinIP 8 mm');
  expect(slabText(noSlab)).toBe('');
  expect(slabOf(undefined)).toEqual(noSlab);
});
