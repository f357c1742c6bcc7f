import { chestUpright } from './chest.ts';
import { coronal, planeAround, stackAround, type Plane, type Point } from './geometry.ts';
import { paint, sphere, tube, type Shape } from './painter.ts';
import { addNoise, soften } from './texture.ts';

/** Two lead balls on the skin below the right armpit. One ball is 100 mm above the other. */
export const leadBalls: readonly { centre: Point; radius: number }[] = [
  { centre: [-146, 0, 40], radius: 2.5 },
  { centre: [-146, 0, -60], radius: 2.5 },
];

/** The letter L in lead wire over the patient's left shoulder: top, corner and end of the foot. */
export const sideMarker = { top: [136, 0, 166], corner: [136, 0, 142], foot: [150, 0, 142], radius: 2.5 } as const;

/** Millimeters of water that absorb as much as the lead. */
const leadInWater = 160;

const lead: readonly Shape<number>[] = [
  ...leadBalls.map(({ centre, radius }) => sphere(leadInWater, centre, radius)),
  ...tube(leadInWater, sideMarker.radius, sideMarker.top, sideMarker.corner, sideMarker.foot),
];

const slabThickness = 2;
const middle: Point = [0, 0, 8];

/** The detector at the patient's back with `rows` rows. It covers 410 mm from chin to belly. */
export const plateOf = (rows: number): Plane =>
  planeAround(middle, coronal, { rows, columns: Math.round(rows * 0.84), pixelSpacing: 410 / rows });

/**
 * A chest radiograph with parallel rays from the back. Values are the matter along each ray in mm of water. They are
 * sums over thin coronal slabs of the CT's body, plus the lead.
 */
export const radiographOf = (plate: Plane, seed: string): Float32Array => {
  const { rows, columns, pixelSpacing } = plate;
  const water = new Float32Array(rows * columns);
  paint(water, plate, lead);
  const slabs = stackAround(middle, coronal, { rows, columns, pixelSpacing, slices: 130, spacing: slabThickness });
  for (const slab of slabs) addSlab(water, slab);
  addNoise(water, columns, { floor: 1.5, share: 0.008 }, seed);
  soften(water, columns);
  return water;
};

const addSlab = (water: Float32Array, slab: Plane): void => {
  const image = new Float32Array(water.length).fill(chestUpright.background);
  paint(image, slab, chestUpright.anatomy);
  paint(image, slab, chestUpright.inserts);
  for (let index = 0; index < water.length; index += 1) {
    water[index] = (water[index] ?? 0) + ((image[index] ?? 0) / 1000 + 1) * slabThickness;
  }
};
