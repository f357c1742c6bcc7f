import { t } from '@lingui/core/macro';
import { Enums } from '@cornerstonejs/core';

/** Projection of a thick slab. */
export const slabKinds = ['maximum', 'minimum', 'average'] as const;
export type SlabKind = (typeof slabKinds)[number];

export const slabLabels: Record<SlabKind, string> = { maximum: t`MIP`, minimum: t`MinIP`, average: t`Average` };

/** Thickness of the slab in mm, half on either side of the plane. 0 is a single plane. */
export type Slab = { kind: SlabKind; thickness: number };

export const noSlab: Slab = { kind: 'maximum', thickness: 0 };

const { MAXIMUM_INTENSITY_BLEND, MINIMUM_INTENSITY_BLEND, AVERAGE_INTENSITY_BLEND } = Enums.BlendModes;

const blendModes = {
  maximum: MAXIMUM_INTENSITY_BLEND,
  minimum: MINIMUM_INTENSITY_BLEND,
  average: AVERAGE_INTENSITY_BLEND,
} as const;

/** Converts a slab to the format of the imaging library. */
export const presentationOf = ({ kind, thickness }: Slab) => ({
  blendMode: blendModes[kind],
  slabThickness: thickness,
});

/** Converts a slab from the format of the imaging library. */
export const slabOf = (presentation: { blendMode?: Enums.BlendModes; slabThickness?: number } | undefined): Slab => ({
  kind: slabKinds.find((kind) => blendModes[kind] === presentation?.blendMode) ?? noSlab.kind,
  thickness: presentation?.slabThickness ?? 0,
});

/** Thickness steps in mm: fine for a few slices, coarse for whole regions. */
const steps = [0, 2, 3, 5, 8, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200];

/** Returns the next larger or smaller thickness, in mm. */
export const nextThickness = (thickness: number, direction: 1 | -1): number =>
  (direction > 0 ? steps.find((step) => step > thickness) : steps.toReversed().find((step) => step < thickness)) ??
  thickness;

/** Largest slab thickness, in mm. */
export const thickest = 200;

/** Returns a label such as "MIP 20 mm". Empty for a single plane. */
export const slabText = ({ kind, thickness }: Slab): string =>
  thickness > 0 ? `${slabLabels[kind]} ${thickness} mm` : '';
