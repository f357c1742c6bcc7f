import { t } from '../core/translate.ts';
import { type MeasuredQuantity, type MeasuredValue, scaleOriginWords } from './measurements.ts';

const digitsOf: Record<string, number> = { cm: 2, 'cm²': 2, ml: 2, SUV: 2, s: 3 };

/** Quantities that are computed from pixel values. Of their units, only HU and SUV have a known range of values. */
const readFromPixels: readonly MeasuredQuantity[] = [
  'MEAN',
  'STANDARD_DEVIATION',
  'MINIMUM',
  'MAXIMUM',
  'PEAK',
  'VALUE',
];
const knownScales: readonly string[] = ['HU', 'SUV'];

/** Number of significant digits for pixel values that are neither HU nor SUV, and maximum number of decimal places. */
const [counting, mostPlaces] = [3, 12];

const placesOf = ({ quantity, value, unit }: MeasuredValue): number => {
  const usual = digitsOf[unit] ?? 1;
  if (!readFromPixels.includes(quantity) || knownScales.includes(unit) || value === 0) return usual;
  return Math.min(mostPlaces, Math.max(usual, counting - 1 - Math.floor(Math.log10(Math.abs(value)))));
};

/**
 * Formats a number. It has one decimal place; values in cm, ml and SUV have two, and seconds have three. Pixel values
 * on other scales (diffusion, fractions, doses) have at least three significant digits, because 0.00085 must not become
 * 0.
 */
const writtenNumber = (one: MeasuredValue): string => {
  const places = 10 ** placesOf(one);
  return String(Math.round(one.value * places) / places);
};

/** Formats a value with its unit. */
export const writtenValue = (one: MeasuredValue): string => {
  const number = writtenNumber(one);
  return one.unit === '°' ? `${number}°` : `${number} ${one.unit}`.trim();
};

const withOrigin = (text: string, { scale }: MeasuredValue): string =>
  scale ? `${text} ${scaleOriginWords[scale]}` : text;

/** Parts for a sphere: mean, maximum, peak and volume. */
const partsOfBall = (of: (quantity: MeasuredQuantity) => MeasuredValue | undefined): string[] =>
  (
    [
      ['MEAN', (value: string) => t`mean ${value}`],
      ['MAXIMUM', (value: string) => t`max ${value}`],
      ['PEAK', (value: string) => t`peak ${value}`],
      ['VOLUME', (value: string) => value],
    ] as const
  ).flatMap(([quantity, named]) => {
    const one = of(quantity);
    return one ? named(writtenValue(one)) : [];
  });

/** Returns the parts of the summary: "12.3 mm × 8 mm at the detector"; "251 mm²", "41.2 HU ± 12". */
export const measuredParts = (values: readonly MeasuredValue[]): string[] => {
  const of = (quantity: MeasuredQuantity) => values.find((value) => value.quantity === quantity);
  const [mean, deviation] = [of('MEAN'), of('STANDARD_DEVIATION')];
  if (of('VOLUME')) return partsOfBall(of);
  const [length, ...sides] = [of('LENGTH'), of('SHORT_AXIS')].flatMap((one) => one ?? []);
  const extent = length ? withOrigin([length, ...sides].map(writtenValue).join(' × '), length) : '';
  const [time, velocity] = [of('TIME'), of('VELOCITY')];
  // For a line with a duration, the velocity is the difference between its ends. For a point, it is the velocity at
  // this point.
  const flow = velocity ? `${time ? 'Δv ' : ''}${writtenValue(velocity)}` : '';
  const single = (['ANGLE', 'AREA', 'VALUE'] as const)
    .flatMap((quantity) => of(quantity) ?? [])
    .map((one) => withOrigin(writtenValue(one), one));
  const spread = deviation ? ` ± ${writtenNumber(deviation)}` : '';
  const interval = time ? writtenValue(time) : '';
  return [interval, flow, extent, ...single, mean ? `${writtenValue(mean)}${spread}` : ''].filter(
    (part) => part !== '',
  );
};

/** Returns a summary in one line. Empty without values. */
export const summaryOf = (values: readonly MeasuredValue[]): string => measuredParts(values).join(' · ');
