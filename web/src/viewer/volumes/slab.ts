import { Enums } from '@cornerstonejs/core';

/** What a pixel of a thick slab shows of the numbers before and behind it. */
export const slabKinds = ['maximum', 'minimum', 'average'] as const;
export type SlabKind = (typeof slabKinds)[number];

export const slabLabels: Record<SlabKind, string> = { maximum: 'MIP', minimum: 'MinIP', average: 'Average' };

/** How thick a plane is, in mm, half of it before the plane and half behind; 0 is the plane alone. */
export type Slab = { kind: SlabKind; thickness: number };

export const noSlab: Slab = { kind: 'maximum', thickness: 0 };

const { MAXIMUM_INTENSITY_BLEND, MINIMUM_INTENSITY_BLEND, AVERAGE_INTENSITY_BLEND } = Enums.BlendModes;

const blendModes = {
  maximum: MAXIMUM_INTENSITY_BLEND,
  minimum: MINIMUM_INTENSITY_BLEND,
  average: AVERAGE_INTENSITY_BLEND,
} as const;

/** As the library takes it. */
export const presentationOf = ({ kind, thickness }: Slab) => ({
  blendMode: blendModes[kind],
  slabThickness: thickness,
});

/** The slab that the library shows. */
export const slabOf = (shown: { blendMode?: Enums.BlendModes; slabThickness?: number } | undefined): Slab => ({
  kind: slabKinds.find((kind) => blendModes[kind] === shown?.blendMode) ?? noSlab.kind,
  thickness: shown?.slabThickness ?? 0,
});

/** Steps of thickness in mm: fine where a slice or two are joined, coarse where a whole region is looked through. */
const steps = [0, 2, 3, 5, 8, 10, 15, 20, 30, 40, 60, 80, 100, 150, 200];

/** The next thickness up or down, in mm. */
export const nextThickness = (thickness: number, direction: 1 | -1): number =>
  (direction > 0 ? steps.find((step) => step > thickness) : steps.toReversed().find((step) => step < thickness)) ??
  thickness;

/** How thick a slab may be, in mm. */
export const thickest = 200;

/** "MIP 20 mm", '' for a single plane. */
export const slabText = ({ kind, thickness }: Slab): string =>
  thickness > 0 ? `${slabLabels[kind]} ${thickness} mm` : '';
