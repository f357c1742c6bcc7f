import type { MeasuredQuantity, MeasuredValue, ScaleOrigin } from '@radwork/contract/measurements';
import { scaleOriginWords } from '@radwork/contract/measurements';
import { type Code, code, dcm, sct } from '#features/study-documents/codes.ts';

const ucum = code('UCUM');
/** What the standard has no code for. */
export const own = code('99RADWORK');

/** In which units a number is written in the viewer, as UCUM (PS3.16 CID 7181, CID 7460-7462). */
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

/** A code has 16 characters (PS3.5 §6.2, SH), two of which are the braces of an annotation. */
const longestAnnotation = 14;

/** The unit of a value. One that nobody knows goes along as the words that it is (UCUM §3.2, annotations). */
export const unitOf = ({ unit }: Pick<MeasuredValue, 'unit'>): Code =>
  units.get(unit) ?? ucum(`{${unit.replaceAll(/[^!-z|~]/g, '_').slice(0, longestAnnotation)}}`, unit);

/** What of a region or a point is said by each of its values (PS3.16 CID 7464). */
const derivations: Partial<Record<MeasuredQuantity, Code>> = {
  MEAN: sct('373098007', 'Mean'),
  STANDARD_DEVIATION: sct('386136009', 'Standard Deviation'),
  MINIMUM: sct('255605001', 'Minimum'),
  MAXIMUM: sct('56851009', 'Maximum'),
  PEAK: dcm('126031', 'Peak Value Within ROI'),
};
export const derivationOf = ({ quantity }: Pick<MeasuredValue, 'quantity'>): Code | undefined => derivations[quantity];

/** PS3.16 CID 7470 to 7473, and CID 3627 for what is read off a curve. */
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

/** What the pixels of an image measure, by the unit of their values and else by its modality (PS3.16 CID 7180). */
const pixelsOf = (unit: string, modality: string): Code => {
  if (unit === 'HU') return dcm('112031', 'Attenuation Coefficient');
  if (unit === 'SUV') return dcm('126401', 'SUVbw');
  if (unit === 'Bq/ml') return dcm('110821', 'Nuclear Medicine Tomographic Activity');
  if (unit.endsWith('m/s')) return dcm('110828', 'Flow Velocity');
  return modality === 'MR' ? dcm('110852', 'MR signal intensity') : own('PIXEL', 'Pixel value');
};

/** Over an interval of time, how far its ends differ: neither a velocity nor a length of anything. */
const differences: Partial<Record<MeasuredQuantity, Code>> = {
  VELOCITY: own('VELOCITY_DIFFERENCE', 'Velocity difference'),
  LENGTH: own('DEPTH_DIFFERENCE', 'Depth difference'),
};

type Whole = { tool: string; values: readonly MeasuredValue[] };

/** What a value of a measurement measures. `modality` is that of the image. */
export const conceptOf = ({ quantity, unit }: MeasuredValue, { tool, values }: Whole, modality: string): Code => {
  const difference = values.some((value) => value.quantity === 'TIME') ? differences[quantity] : undefined;
  if (difference) return difference;
  if (quantity === 'SHORT_AXIS') return shortAxis;
  if (quantity === 'LENGTH' && tool === 'BIDIRECTIONAL') return longAxis;
  if (quantity === 'ANGLE' && tool === 'COBB_ANGLE') return cobbAngle;
  return quantities[quantity] ?? pixelsOf(unit, modality);
};

/** Where the millimetres of a radiograph hold: without it a length says more than is known (PS3.3 §10.7.1.3). */
export const scaleMethod = (scale: ScaleOrigin): Code => own(scale, scaleOriginWords[scale]);
