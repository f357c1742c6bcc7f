import { expect, test } from 'vitest';
import { nextThickness, noSlab, presentationOf, type Slab, slabOf, slabText, thickest } from './slab.ts';

test('a slab grows and shrinks in steps, from the single plane to the thickest', () => {
  expect([nextThickness(0, 1), nextThickness(20, 1), nextThickness(20, -1)]).toEqual([2, 30, 15]);
  expect([nextThickness(0, -1), nextThickness(thickest, 1)]).toEqual([0, thickest]);
});

test('a thickness between two steps moves to the nearer end of its step', () => {
  expect([nextThickness(12, 1), nextThickness(12, -1)]).toEqual([15, 10]);
});

test.each<Slab>([
  { kind: 'maximum', thickness: 20 },
  { kind: 'minimum', thickness: 5 },
  { kind: 'average', thickness: 40 },
])('a slab reads back as it was set: $kind', (slab) => {
  expect(slabOf(presentationOf(slab))).toEqual(slab);
});

test('a slab has a label, a single plane has none', () => {
  expect(slabText({ kind: 'minimum', thickness: 8 })).toBe('MinIP 8 mm');
  expect(slabText(noSlab)).toBe('');
  expect(slabOf(undefined)).toEqual(noSlab);
});
