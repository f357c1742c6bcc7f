import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { paneTextOf } from '#reading/viewer/pictures/picture-overlays.ts';
import type { Slab } from '#reading/viewer/volumes/slab.ts';
import { PaddingInSlab } from './plane-overlays.tsx';

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
