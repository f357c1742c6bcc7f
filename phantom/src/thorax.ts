import type { Point } from './geometry.ts';
import { vesselsOf } from './lung-vessels.ts';
import { endless, sphere, tube, type Radius, type Shape } from './painter.ts';
import { skeleton, type BonyTissue } from './thorax-skeleton.ts';

export type ThoraxTissue =
  | BonyTissue
  | 'table'
  | 'air'
  | 'fat'
  | 'muscle'
  | 'lung'
  | 'lung vessel'
  | 'blood'
  | 'heart muscle'
  | 'liver'
  | 'spleen'
  | 'stomach';

type Part = Shape<ThoraxTissue>;

const solid = (substance: ThoraxTissue, center: Point, radii: Point): Part => ({ substance, centre: center, radii });
const duct = tube<ThoraxTissue>;
const vessel = (radius: Radius, ...points: readonly Point[]): Part[] => duct('blood', radius, ...points);

/** Trunk, shoulders and neck, and the fat in the belly. */
const outline: Part[] = [
  solid('fat', [0, 0, -100], [182, 125, 430]),
  solid('fat', [-128, 12, 132], [72, 62, 58]),
  solid('fat', [128, 12, 132], [72, 62, 58]),
  solid('fat', [0, 8, 210], [62, 66, 140]),
  solid('muscle', [0, 0, -100], [169, 113, 430]),
  solid('muscle', [-128, 12, 132], [62, 53, 50]),
  solid('muscle', [128, 12, 132], [62, 53, 50]),
  solid('muscle', [0, 8, 210], [54, 58, 140]),
  solid('fat', [0, -5, -205], [134, 84, 130]),
];

const rightLung = solid('lung', [-68, -3, 0], [65, 86, 138]);
const leftLung = solid('lung', [71, -1, 0], [60, 84, 133]);
const mediastinum = solid('fat', [3, -6, 40], [34, 70, 130]);

/** The liver under the right dome of the diaphragm. The spleen and a stomach with air under the left dome, in fat. */
const belowDiaphragm: Part[] = [
  solid('muscle', [-64, -4, -152], [70, 82, 88]),
  solid('liver', [-62, -4, -154], [72, 82, 86]),
  solid('liver', [10, -42, -140], [72, 42, 55]),
  solid('muscle', [74, 2, -158], [64, 82, 82]),
  solid('fat', [74, 2, -160], [61, 79, 80]),
  solid('spleen', [98, 44, -136], [26, 32, 48]),
  solid('stomach', [62, -22, -122], [40, 44, 36]),
  solid('air', [64, -46, -112], [25, 17, 18]),
];

/** The trachea and its two main bronchi with walls, and the esophagus behind them. */
const airways: Part[] = [
  ...duct('muscle', 10.5, [0, 10, 190], [2, 22, 38]),
  ...duct('muscle', 8, [2, 22, 38], [-36, 20, 8]),
  ...duct('muscle', 7.5, [2, 22, 38], [42, 22, 2]),
  ...duct('air', 8.5, [0, 10, 190], [2, 22, 38]),
  ...duct('air', 6.5, [2, 22, 38], [-36, 20, 8]),
  ...duct('air', 6, [2, 22, 38], [42, 22, 2]),
  ...duct('muscle', 6, [4, 32, 190], [12, 40, -130]),
];

/** The aorta with its arch, the superior vena cava, the pulmonary arteries, and three vessels to the neck. */
const greatVessels: Part[] = [
  ...vessel(
    [14, 11],
    [4, -25, -8],
    [-12, -36, 42],
    [2, -14, 66],
    [18, 18, 64],
    [28, 42, 42],
    [26, 44, -20],
    [14, 42, -200],
  ),
  ...vessel([9, 8], [-30, -22, 0], [-28, -20, 96]),
  ...vessel(13, [14, -42, -4], [24, -24, 30]),
  ...vessel([9, 8], [18, -18, 28], [-40, -4, 18]),
  ...vessel([10, 8], [24, -20, 32], [46, 8, 24]),
  ...vessel([6, 4], [-6, -26, 68], [-24, -2, 170]),
  ...vessel(4, [8, -6, 70], [22, 4, 170]),
  ...vessel([5, 4], [16, 14, 66], [40, 14, 140]),
];

/** The heart in its fat, its tip to the left, front and down: left and right ventricle, and the two atria. */
const heart: Part[] = [
  ...duct('fat', [47, 33], [-2, -24, -18], [52, -48, -58]),
  ...duct('heart muscle', [34, 22], [12, -22, -20], [56, -46, -56]),
  ...vessel([22, 13], [18, -24, -22], [50, -42, -50]),
  ...duct('heart muscle', [21, 13], [0, -50, -26], [38, -64, -58]),
  ...vessel([18, 10], [0, -50, -26], [38, -64, -58]),
  solid('blood', [8, 12, -14], [32, 17, 19]),
  solid('blood', [-30, -24, -28], [20, 26, 31]),
];

const thyroid: Part[] = [sphere('muscle', [-22, -8, 112], 14), sphere('muscle', [24, -8, 114], 13)];

/**
 * A chest, painted from the outside in: the right side is -x, the back +y, the head +z. The origin is the center of the
 * lungs.
 */
export const thorax: readonly Part[] = [
  ...outline,
  rightLung,
  leftLung,
  mediastinum,
  ...vesselsOf<ThoraxTissue>('lung vessel', rightLung, [-36, 8, 12]),
  ...vesselsOf<ThoraxTissue>('lung vessel', leftLung, [42, 10, 12]),
  ...belowDiaphragm,
  ...heart,
  ...greatVessels,
  ...airways,
  ...thyroid,
  ...skeleton,
];

/** The table of the scanner. */
export const table: readonly Part[] = [solid('table', [0, 136, 0], [215, 9, endless])];
