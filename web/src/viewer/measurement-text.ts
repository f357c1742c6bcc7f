import { cache } from '@cornerstonejs/core';

/** What the library has worked out about a measurement on one image. */
type Statistics = {
  index?: readonly number[];
  value?: number | readonly number[];
  modalityUnit?: string | readonly string[];
  length?: number | null;
  unit?: string;
};

type Measurement = { cachedStats: Record<string, Statistics> };

const rounded = (value: number, digits = 1): string => String(Math.round(value * 10 ** digits) / 10 ** digits);

/**
 * The value under a probe. The library looks it up at the slice's number in the stack although an image has one
 * slice only, and so knows it on no image but the first (5.14.0): here it is read from the image itself.
 */
export const probeText = ({ cachedStats }: Measurement, target: string): string[] | undefined => {
  const { index, value, modalityUnit } = cachedStats[target] ?? {};
  if (!index) return undefined;
  if (Array.isArray(value) && Array.isArray(modalityUnit)) {
    return value.map((one, axis) => `${rounded(one)} ${modalityUnit[axis] ?? ''}`);
  }
  const unit = typeof modalityUnit === 'string' ? modalityUnit : '';
  const [column = 0, row = 0] = index;
  const image = target.startsWith('imageId:') ? cache.getImage(target.slice('imageId:'.length)) : undefined;
  const found: unknown = image ? image.voxelManager?.getAtIJK(column, row, 0) : value;
  if (Array.isArray(found)) return [`R ${found[0]}  G ${found[1]}  B ${found[2]}`];
  return typeof found === 'number' ? [`${rounded(found)} ${unit}`.trim()] : undefined;
};

/** How the library says where a scale comes from, and how we say it. */
const origins: Record<string, string> = {
  Proj: 'at the detector',
  ERMF: 'magnification corrected',
  Calibrated: 'calibrated',
  'US Region': '',
  Unknown: '',
};

/** A length in its unit: mm or cm where the image is calibrated at that place, px where it is not. */
export const lengthText = ({ cachedStats }: Measurement, target: string): string[] | undefined => {
  const { length, unit = '' } = cachedStats[target] ?? {};
  if (typeof length !== 'number' || Number.isNaN(length)) return undefined;
  const [symbol = '', ...rest] = unit.split(' ');
  const origin = rest.join(' ');
  // A tenth of a millimetre, whichever unit the machine measures in.
  return [[rounded(length, symbol === 'cm' ? 2 : 1), symbol, origins[origin] ?? origin].filter(Boolean).join(' ')];
};
