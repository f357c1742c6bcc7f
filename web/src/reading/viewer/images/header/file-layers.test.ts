import { expect, test } from 'vitest';
import { hasOverlayPlanes } from './overlay-planes.ts';

const data = (bytes: number[]) => ({ vr: 'OB', InlineBinary: btoa(String.fromCharCode(...bytes)) });
const bits = (count: number) => ({ vr: 'US', Value: [count] });

test.each([
  ['in its own bytes', { '60003000': data([0, 4, 0, 0]) }],
  ['in bulk data', { '60023000': { vr: 'OW', BulkDataURI: '/bulkdata/60023000' } }],
  ['in the last overlay group', { '601E3000': data([1, 0]) }],
  ['in bits that the pixels do not use', { '60000100': bits(16), '60000102': bits(12) }],
])('an overlay plane is found %s', (_, header) => {
  expect(hasOverlayPlanes(header)).toBe(true);
});

test.each([
  ['no overlay element', {}],
  ['only the size of an overlay', { '60000010': bits(512), '60000100': bits(1), '60000102': bits(0) }],
  ['an empty overlay', { '60003000': data([0, 0, 0, 0]) }],
  ['private data of the scanner', { '60013000': data([1, 1]) }],
])('an image with %s has no overlay plane', (_, header) => {
  expect(hasOverlayPlanes(header)).toBe(false);
});
