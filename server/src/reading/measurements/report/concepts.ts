import type { MeasuredQuantity, MeasuredValue, ScaleOrigin } from '@radwork/contract/reading/measurements';
import { scaleOriginWords } from '@radwork/contract/reading/measurements';
import { type Code, code, dcm, sct } from '#imaging/study-documents/codes.ts';

const ucum = code('UCUM');
/** Our own codes, where the standard has none. */
export const own = code('99RADWORK');

/** UCUM codes of the viewer's units (PS3.16 CID 7181, CID 7460-7462). */
const units: ReadonlyMap<string, Code> = new Map([
  ['', ucum('1', 'no units')],
  ['px', ucum('{pixels}', 'pixels')],
  ['px²', ucum('{pixels}', 'pixels')],
  ['mm', ucum('mm', 'mm')],
  ['cm', ucum('cm', 'cm')],
  ['mm²', ucum('mm2', 'square millimeter')],
  ['cm²', ucum('cm2', 'square centimeter')],
  ['mm³', ucum('mm3', 'cubic millimeter')],
  ['cm³', ucum('cm3', 'cubic centimeter')],
  ['ml', ucum('ml', 'milliliter')],
  ['°', ucum('deg', 'degree')],
  ['HU', ucum("[hnsf'U]", 'Hounsfield unit')],
  ['SUV', ucum('{SUVbw}g/ml', 'Standardized Uptake Value body weight')],
  ['g/ml', ucum('g/ml', 'gram per milliliter')],
  ['mg/ml', ucum('mg/ml', 'milligram per milliliter')],
  ['Bq/ml', ucum('Bq/ml', 'Becquerels/milliliter')],
  ['cm/s', ucum('cm/s', 'centimeter per second')],
  ['m/s', ucum('m/s', 'meter per second')],
  ['s', ucum('s', 'second')],
  ['ms', ucum('ms', 'millisecond')],
]);

/**
 * A code has at most 16 characters (PS3.5 §6.2, SH). An annotation stands between two braces, so 14 characters remain.
 */
const longestAnnotation = 14;

/** Returns the code of a unit. An unknown unit becomes a UCUM annotation (UCUM §3.2). */
export const unitOf = ({ unit }: Pick<MeasuredValue, 'unit'>): Code =>
  units.get(unit) ?? ucum(`{${unit.replaceAll(/[^!-z|~]/g, '_').slice(0, longestAnnotation)}}`, unit);

/** Statistics of a region or a point, by quantity (PS3.16 CID 7464). */
const derivations: Partial<Record<MeasuredQuantity, Code>> = {
  MEAN: sct('373098007', 'Mean'),
  STANDARD_DEVIATION: sct('386136009', 'Standard Deviation'),
  MINIMUM: sct('255605001', 'Minimum'),
  MAXIMUM: sct('56851009', 'Maximum'),
  PEAK: dcm('126031', 'Peak Value Within ROI'),
};
export const derivationOf = ({ quantity }: Pick<MeasuredValue, 'quantity'>): Code | undefined => derivations[quantity];

/** PS3.16 CID 7470 to 7473, and CID 3627 for values that are read from a curve. */
const quantities: Partial<Record<MeasuredQuantity, Code>> = {
  LENGTH: sct('410668003', 'Length'),
  ANGLE: sct('1483009', 'Angle'),
  PERIMETER: sct('131191004', 'Perimeter'),
  AREA: sct('42798000', 'Area'),
  VOLUME: sct('118565006', 'Volume'),
  VELOCITY: dcm('110828', 'Flow Velocity'),
  TIME: sct('103335007', 'Duration'),
};

export const longAxis = sct('103339001', 'Long axis');
export const shortAxis = sct('103340004', 'Short axis');
export const cobbAngle = sct('285285000', 'Cobb angle');

/** Returns the concept of pixel values: by their unit, or else by the modality of the image (PS3.16 CID 7180). */
const pixelsOf = (unit: string, modality: string): Code => {
  if (unit === 'HU') return dcm('112031', 'Attenuation Coefficient');
  if (unit === 'SUV') return dcm('126401', 'SUVbw');
  if (unit === 'Bq/ml') return dcm('110821', 'Nuclear Medicine Tomographic Activity');
  if (unit.endsWith('m/s')) return dcm('110828', 'Flow Velocity');
  return modality === 'MR' ? dcm('110852', 'MR signal intensity') : own('PIXEL', 'Pixel value');
};

/**
 * For a measurement with a time interval, a value is the difference between the ends of the interval, not a velocity or
 * length.
 */
const differences: Partial<Record<MeasuredQuantity, Code>> = {
  VELOCITY: own('VELOCITY_DIFFERENCE', 'Velocity difference'),
  LENGTH: own('DEPTH_DIFFERENCE', 'Depth difference'),
};

type MeasuredTool = { tool: string; values: readonly MeasuredValue[] };

/** Returns the concept that a value measures. `modality` is the modality of the image. */
export const conceptOf = (
  { quantity, unit }: MeasuredValue,
  { tool, values }: MeasuredTool,
  modality: string,
): Code => {
  const difference = values.some((value) => value.quantity === 'TIME') ? differences[quantity] : undefined;
  if (difference) return difference;
  if (quantity === 'SHORT_AXIS') return shortAxis;
  if (quantity === 'LENGTH' && tool === 'BIDIRECTIONAL') return longAxis;
  if (quantity === 'ANGLE' && tool === 'COBB_ANGLE') return cobbAngle;
  return quantities[quantity] ?? pixelsOf(unit, modality);
};

/**
 * States where the millimeters of a radiograph are valid (PS3.3 §10.7.1.3). Without this statement, a length would seem
 * too exact.
 */
export const scaleMethod = (scale: ScaleOrigin): Code => own(scale, scaleOriginWords[scale]);
