import { t } from '@lingui/core/macro';
import { cache, utilities } from '@cornerstonejs/core';
import type { MeasuredQuantity, MeasuredValue, ScaleOrigin } from '@radwork/contract/reading/measurements';
import { measuredParts, writtenValue } from '@radwork/contract/reading/measurement-text';
import { calibrated, calibrationOf } from './manual-calibration.ts';
import { unitOnImage } from '#reading/viewer/images/values/density-unit.ts';

/** Statistics that the imaging library computed for a measurement on one image. */
type Statistics = {
  index?: readonly number[];
  value?: number | readonly number[];
  modalityUnit?: string | readonly string[];
};

type Measurement = { cachedStats: Record<string, Statistics> };

/**
 * Returns the text of a probe, with the value from the image. The imaging library (5.14.0) indexes an image of one
 * slice by its position in the stack. So it finds a value for the first image only.
 */
export const probeText = ({ cachedStats }: Measurement, target: string): string[] | undefined => {
  const { index, value, modalityUnit } = cachedStats[target] ?? {};
  if (!index) return undefined;
  const unit = typeof modalityUnit === 'string' ? unitOnImage(modalityUnit, imageOf(target)) : '';
  const indexed = valueAt(index, target) ?? value;
  if (Array.isArray(indexed)) return [`R ${indexed[0]}  G ${indexed[1]}  B ${indexed[2]}`];
  return typeof indexed === 'number' ? [writtenValue({ quantity: 'VALUE', value: indexed, unit })] : undefined;
};

/** Returns the ID of the image from which a value was read, or of the first image of the volume. */
const imageOf = (target: string): string =>
  target.startsWith('volumeId:')
    ? (cache.getVolume(utilities.getVolumeId(target))?.imageIds[0] ?? '')
    : target.replace(/^imageId:/, '');

/** Returns the value at a pixel of an image: three numbers for colors, undefined if the image is not loaded. */
export const valueAt = ([column = 0, row = 0]: readonly number[], target: string): unknown =>
  (target.startsWith('imageId:') ? cache.getImage(target.slice('imageId:'.length)) : undefined)?.voxelManager?.getAtIJK(
    column,
    row,
    0,
  );

/** Scale origins by the names that the imaging library uses. */
const origins: Record<string, ScaleOrigin> = {
  Proj: 'DETECTOR',
  ERMF: 'MAGNIFICATION',
  Calibrated: 'CALIBRATED',
  User: 'BY_HAND',
  Unknown: 'UNKNOWN',
  Error: 'UNKNOWN',
};

/** Splits the unit text of the imaging library into symbol and origin of the scale. "raw" means no unit. */
const unitOf = (unitText: unknown): Pick<MeasuredValue, 'unit' | 'scale'> => {
  const [symbol = '', origin = ''] = typeof unitText === 'string' ? unitText.split(' ') : [];
  if (symbol === 'raw') return { unit: '' };
  const scale = symbol.startsWith('px') ? undefined : origins[origin];
  return { unit: symbol.slice(0, 16), ...(scale && { scale }) };
};

/** Statistics of the imaging library: name, quantity, and name of the field with the unit. */
const quantities: readonly (readonly [string, MeasuredQuantity, string])[] = [
  ['length', 'LENGTH', 'unit'],
  ['width', 'SHORT_AXIS', 'unit'],
  ['angle', 'ANGLE', ''],
  ['area', 'AREA', 'areaUnit'],
  ['mean', 'MEAN', 'modalityUnit'],
  ['stdDev', 'STANDARD_DEVIATION', 'modalityUnit'],
  ['min', 'MINIMUM', 'modalityUnit'],
  ['max', 'MAXIMUM', 'modalityUnit'],
  ['value', 'VALUE', 'modalityUnit'],
];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Returns the values that the imaging library computed for a measurement on one image. For a probe, reads the image.
 */
export const valuesIn = (cachedStats: Record<string, unknown>, target: string): MeasuredValue[] => {
  const statistics = cachedStats[target];
  const index: unknown = isRecord(statistics) ? statistics['index'] : undefined;
  const indexed = Array.isArray(index) ? valueAt(index, target) : undefined;
  const values = valuesOf(
    indexed === undefined ? statistics : { ...(isRecord(statistics) && statistics), value: indexed },
  );
  return values.map((value) => ({ ...value, unit: unitOnImage(value.unit, imageOf(target)) }));
};

const valuesOf = (statistics: unknown): MeasuredValue[] =>
  quantities.flatMap(([name, quantity, unit]) => {
    const value = isRecord(statistics) ? statistics[name] : undefined;
    if (!isRecord(statistics) || typeof value !== 'number' || !Number.isFinite(value)) return [];
    return [{ quantity, value, ...(quantity === 'ANGLE' ? { unit: '°' } : unitOf(statistics[unit])) }];
  });

type AnnotationData = {
  label?: string;
  cachedStats: Record<string, unknown>;
  /**
   * Calibration factor of the drawing. If null, the drawing is not calibrated, even if its image is. If undefined, the
   * calibration of the image applies.
   */
  byHand?: number | null;
};

/** Returns the values of a measurement on one image, with its manual calibration applied. */
export const calibratedValues = ({ cachedStats, byHand }: AnnotationData, target: string): MeasuredValue[] => {
  const image = imageOf(target);
  const factor = byHand === undefined ? calibrationOf(image)?.factor : byHand;
  return calibrated(valuesIn(cachedStats, target), factor ?? undefined);
};

/** Returns the text next to a measurement on its image: label, values, and value range of a region. */
export const measuredText = (data: AnnotationData, target: string): string[] =>
  annotationLines(data.label ?? '', calibratedValues(data, target));

/** Returns label and values as lines of text. */
export const annotationLines = (label: string, values: readonly MeasuredValue[]): string[] => {
  const [min, max] = (['MINIMUM', 'MAXIMUM'] as const).map((quantity) => {
    const statistic = values.find((value) => value.quantity === quantity);
    return statistic && writtenValue(statistic);
  });
  return [
    ...(label ? [label] : []),
    ...measuredParts(values),
    ...(min !== undefined && max !== undefined ? [t`${min} to ${max}`] : []),
  ];
};
