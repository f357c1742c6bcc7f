import type { Point } from './geometry.ts';
import { sphere, tube, type Shape } from './painter.ts';

export type BonyTissue = 'cortical bone' | 'marrow' | 'disc' | 'cartilage' | 'spinal canal';

type Part = Shape<BonyTissue>;
type Side = -1 | 1;

const right: Side = -1;
const left: Side = 1;
const counted = (length: number): number[] => Array.from({ length }, (_, index) => index);

const solid = (substance: BonyTissue, center: Point, radii: Point): Part => ({ substance, centre: center, radii });

const vertebra = (superior: number): Part[] => [
  solid('disc', [0, 58, superior - 12], [17, 14, 5]),
  solid('cortical bone', [0, 78, superior], [15, 13, 8]),
  solid('cortical bone', [0, 96, superior - 8], [3, 13, 7]),
  solid('cortical bone', [0, 84, superior], [34, 4, 5]),
  solid('cortical bone', [0, 58, superior], [19, 15.5, 11]),
  solid('marrow', [0, 58, superior], [17.5, 14, 10]),
  solid('spinal canal', [0, 79, superior], [9, 8, 13]),
];

/** The width of the rib cage at a height, relative to its widest part below. */
const cageAt = (superior: number): number => Math.sqrt(1 - (Math.max(0, superior) / 168) ** 2);

/** A point of a rib. `angle` runs from the spine (0) around the side to the breastbone (π), descending. */
const ribPoint = (side: Side, head: number, angle: number): Point => {
  const superior = head - 62 * ((1 - Math.cos(angle)) / 2);
  const width = cageAt(superior);
  return [side * 138 * width * Math.sin(angle), 92 * width * Math.cos(angle) - 3, superior];
};

const rib = (side: Side, head: number): Part[] => {
  const bonyPart = counted(56).map((step) => ribPoint(side, head, 0.2 + (step / 55) * 2.2));
  const cartilage = counted(10).map((step) => ribPoint(side, head, 2.4 + (step / 9) * 0.5));
  return [
    ...cartilage.map((center) => solid('cartilage', center, [5, 5, 6])),
    ...bonyPart.map((center) => solid('cortical bone', center, [4.2, 4.2, 6])),
    ...bonyPart.map((center) => solid('marrow', center, [2.2, 2.2, 4])),
  ];
};

/** A shoulder blade: a plate of bone, wide above and pointed below, leaning on the ribs from the back. */
const scapula = (side: Side): Part[] =>
  counted(24).flatMap((level) => {
    const superior = 120 - level * 6;
    const outwards = 142 - level * 2.2;
    return tube<BonyTissue>('cortical bone', 3, [side * 74, 94, superior], [side * outwards, 58 + level, superior]);
  });

const clavicle = (side: Side): Part[] =>
  tube<BonyTissue>('cortical bone', 6, [side * 16, -72, 106], [side * 70, -62, 122], [side * 145, -8, 146]);

const sternum: Part[] = [
  solid('cortical bone', [0, -93, 22], [17, 6, 78]),
  solid('marrow', [0, -93, 22], [15, 4.2, 76]),
  solid('cortical bone', [0, -82, 98], [26, 7, 22]),
  solid('marrow', [0, -82, 98], [24, 5, 20]),
];

/** The bones of the chest, from the outside in. */
export const skeleton: readonly Part[] = [
  ...counted(16).flatMap((index) => vertebra(196 - index * 24)),
  ...[right, left].flatMap((side) => [
    ...counted(12).flatMap((index) => rib(side, 142 - index * 24)),
    ...scapula(side),
    ...clavicle(side),
    sphere<BonyTissue>('cortical bone', [side * 158, 14, 142], 24),
    sphere<BonyTissue>('marrow', [side * 158, 14, 142], 22),
  ]),
  ...sternum,
];
