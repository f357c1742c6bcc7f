import { cerebrum, type BrainTissue } from './cerebrum.ts';
import type { Point } from './geometry.ts';
import { sphere, tube, type Shape } from './painter.ts';

export type HeadTissue = BrainTissue | 'air' | 'fat' | 'cortical bone' | 'marrow' | 'muscle';

type Part = Shape<HeadTissue>;
type Side = -1 | 1;

const solid = (substance: HeadTissue, center: Point, radii: Point): Part => ({ substance, centre: center, radii });
const cord = tube<HeadTissue>;
const onBothSides = (parts: (side: Side) => Part[]): Part[] => [...parts(-1), ...parts(1)];

const faceAndNeck: Part[] = [
  solid('fat', [0, 22, -140], [58, 62, 120]),
  solid('muscle', [0, 22, -140], [52, 56, 118]),
  solid('fat', [0, -42, -62], [62, 60, 72]),
  solid('muscle', [0, -42, -62], [56, 53, 66]),
  solid('fat', [0, -68, -112], [38, 36, 28]),
  solid('muscle', [0, -66, -110], [33, 31, 24]),
  solid('fat', [0, -99, -46], [10, 16, 17]),
];

/** Scalp, two tables of bone with marrow between, and the cerebrospinal fluid. */
const skull: Part[] = [
  solid('fat', [0, 2, 12], [80, 100, 108]),
  solid('cortical bone', [0, 2, 13], [74, 94, 101]),
  solid('marrow', [0, 2, 13], [72, 92, 99]),
  solid('cortical bone', [0, 2, 13], [69.5, 89.5, 96]),
  solid('fluid', [0, 2, 17], [67.5, 87.5, 90]),
];

/** Painted over the brain: the base of the skull from brow to nape. */
const skullBase: Part[] = [
  solid('muscle', [0, -52, -64], [58, 46, 42]),
  solid('muscle', [0, -4, -90], [62, 72, 44]),
  solid('muscle', [0, -60, -90], [44, 42, 40]),
];

/** Nose, sinuses and throat, with the tongue below. */
const hollows: Part[] = [
  solid('air', [0, -66, -52], [9, 32, 22]),
  solid('muscle', [5, -66, -58], [3, 26, 7]),
  solid('muscle', [-5, -66, -58], [3, 26, 7]),
  solid('air', [0, -38, -40], [13, 13, 10]),
  solid('air', [0, -86, 4], [20, 4, 10]),
  ...onBothSides((side) => [solid('air', [side * 27, -64, -62], [15, 18, 17])]),
  ...cord('air', [8, 7], [0, -28, -62], [0, -16, -80], [0, -18, -190]),
  solid('muscle', [0, -58, -98], [26, 36, 17]),
];

/** An eye in its fat, with two of its muscles and the optic nerve. */
const eye = (side: Side): Part[] => [
  solid('fat', [side * 32, -70, -26], [20, 25, 18]),
  ...cord('muscle', 2.5, [side * 22, -45, -26], [side * 19, -78, -26]),
  ...cord('muscle', 2.5, [side * 36, -45, -26], [side * 46, -76, -26]),
  ...cord('grey matter', 2.4, [side * 33, -70, -26], [side * 12, -30, -22]),
  sphere('cortical bone', [side * 33, -82, -26], 13),
  sphere('fluid', [side * 33, -82, -26], 12),
  solid('muscle', [side * 33, -90, -26], [5, 2, 5]),
];

/** The cervical vertebrae and their canal. */
const cervicalSpine: Part[] = [
  ...Array.from({ length: 6 }, (_, index) => -82 - index * 19).flatMap((superior) => [
    solid('cortical bone', [0, 12, superior], [13, 11, 9.5]),
    solid('marrow', [0, 12, superior], [11.5, 9.5, 8]),
    solid('cortical bone', [0, 52, superior - 3], [5, 14, 5]),
    solid('marrow', [0, 52, superior - 3], [3.5, 12.5, 3.5]),
  ]),
  ...cord('fluid', [9, 8], [0, 26, -60], [0, 32, -200]),
];

/** The corpus callosum, and on both sides the gray nuclei around the curved ventricle. */
const deepBrain: Part[] = [
  ...cord('white matter', 5, [0, -44, 26], [0, -34, 42], [0, 0, 48], [0, 26, 40], [0, 32, 30]),
  ...onBothSides((side) => [
    solid('white matter', [side * 20, -4, 16], [16, 40, 16]),
    solid('grey matter', [side * 13, 8, 16], [9, 15, 9]),
    solid('grey matter', [side * 15, -26, 24], [5, 11, 9]),
    solid('grey matter', [side * 27, -8, 12], [5, 18, 10]),
    ...cord('fluid', [4.5, 7.5], [side * 7, -42, 24], [side * 8, -12, 33], [side * 14, 24, 32], [side * 27, 44, 14]),
    ...cord('fluid', [5, 3], [side * 27, 44, 14], [side * 33, 20, -8], [side * 33, 0, -14]),
  ]),
  solid('fluid', [0, 2, 14], [2.6, 14, 10]),
];

/** The horizontal furrows of the cerebellum, as deep as its cortex. */
const folia: Part[] = [-48, -43, -38, -33, -28, -23].map((superior) => {
  const width = Math.sqrt(1 - ((superior + 34) / 23) ** 2);
  return solid('fluid', [0, 48, superior], [48 * width, 29 * width, 0.8]);
});

/** The cerebellum in its cistern, and the brain stem down into the spine. */
const hindbrain: Part[] = [
  solid('fluid', [0, 47, -35], [49, 34, 24.5]),
  solid('fluid', [0, 6, -30], [17, 16, 20]),
  ...onBothSides((side) => [solid('grey matter', [side * 24, 48, -34], [25, 30, 23])]),
  solid('grey matter', [0, 52, -32], [10, 26, 20]),
  ...folia,
  ...onBothSides((side) => [
    solid('grey matter', [side * 22, 47, -34], [21, 25, 19]),
    solid('white matter', [side * 18, 46, -34], [15, 17, 9]),
  ]),
  ...cord('white matter', 13, [0, 10, 4], [0, 14, -14]),
  solid('white matter', [0, 10, -28], [16, 13, 15]),
  ...cord('white matter', [8, 5.5], [0, 16, -36], [0, 26, -62], [0, 32, -200]),
  solid('fluid', [0, 27, -26], [6, 5, 9]),
  ...cord('fluid', 1.4, [0, 14, 6], [0, 24, -20]),
];

/** A head with its brain, painted from the outside in: the right side is -x, the face -y, the crown +z. */
export const head = (): Part[] => [
  ...faceAndNeck,
  ...skull,
  ...cerebrum(),
  ...deepBrain,
  ...skullBase,
  ...cervicalSpine,
  ...hindbrain,
  ...hollows,
  ...eye(-1),
  ...eye(1),
];
