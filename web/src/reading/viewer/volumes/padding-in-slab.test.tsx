import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { paneTextOf } from '#reading/viewer/pictures/picture-overlays.ts';
import { PaddingInRendering, PaddingInSlab } from './padding-in-slab.tsx';
import type { Slab } from './slab.ts';

const header = {
  [tag.BitsStored]: { vr: 'US', Value: [16] },
  [tag.PixelRepresentation]: { vr: 'US', Value: [1] },
  [tag.PixelPaddingValue]: { vr: 'SS', Value: [-2000] },
};

const factsWith = (slab: Slab) =>
  paneTextOf(render(<PaddingInSlab images={[{ header: {} }, { header }]} slab={slab} />).container).facts;

test('a slab in which padding counts says so, also on saved pictures', () => {
  expect(factsWith({ kind: 'minimum', thickness: 20 })).toEqual(['Padding of the images counts in this slab']);
});

test('a slab that padding does not change shows no warning', () => {
  expect(factsWith({ kind: 'maximum', thickness: 20 })).toEqual([]);
});

test('a volume rendering says that it draws bright padding', () => {
  const bright = { ...header, [tag.PixelPaddingValue]: { vr: 'SS', Value: [32_767] } };
  const factsOf = (one: typeof header) =>
    paneTextOf(render(<PaddingInRendering images={[{ header: one }]} />).container).facts;

  expect(factsOf(bright)).toEqual(['Padding of the images is drawn in this rendering']);
  expect(factsOf(header)).toEqual([]);
});
