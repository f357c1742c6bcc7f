import { expect, test } from 'vitest';
import { eachMarkedPixel, isWholePlane, overlayPlanesOf, planeBitsOf } from './overlay-planes.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const header = (more: Parameters<typeof overlayPlanesOf>[0]) => ({
  '00280010': of(4),
  '00280011': of(4),
  '00280100': of(16),
  '60000010': of(4),
  '60000011': of(4),
  '60003000': { vr: 'OW', InlineBinary: 'AAA=' },
  ...more,
});

const marksOf = (bytes: number[], more: Parameters<typeof overlayPlanesOf>[0] = {}): number[] => {
  const marked: number[] = [];
  const [overlay] = overlayPlanesOf(header(more));
  if (!overlay) throw new Error('No plane');
  const bits = planeBitsOf(overlay.plane, Uint8Array.from(bytes), 1);
  eachMarkedPixel(bits, { rows: 4, columns: 4 }, (index) => marked.push(index));
  return marked;
};

test('reads data of one bit per pixel even if its header says 16', () => {
  expect(marksOf([0b1001, 0b1], { '60000100': of(16), '60000102': of(12) })).toEqual([0, 3, 8]);
});

test('reads data that has a cell for each pixel', () => {
  const cells = Array.from({ length: 16 }, (_, pixel) => [0, pixel === 5 ? 0x10 : 0]).flat();

  expect(marksOf(cells, { '60000100': of(16), '60000102': of(12) })).toEqual([5]);
});

test('a plane without an origin or a size begins at the first pixel and has the size of its image', () => {
  expect(marksOf([0, 0x80], { '60000010': of(), '60000011': of() })).toEqual([15]);
});

test('knows when the data has too few bits', () => {
  const [overlay] = overlayPlanesOf(header({}));
  if (!overlay) throw new Error('No plane');

  expect(isWholePlane(planeBitsOf(overlay.plane, new Uint8Array(2), 1))).toBe(true);
  expect(isWholePlane(planeBitsOf(overlay.plane, new Uint8Array(1), 1))).toBe(false);
});

test('a plane is named by its label, or else by its description', () => {
  const nameOf = (more: Parameters<typeof overlayPlanesOf>[0]) => overlayPlanesOf(header(more))[0]?.plane.name;

  expect(nameOf({ '60000022': of('Left side'), '60001500': of('MARKER ') })).toBe('MARKER');
  expect(nameOf({ '60000022': of('Left side') })).toBe('Left side');
  expect(nameOf({})).toBe('');
});
