import { t } from '@lingui/core/macro';
import type { MeasuredQuantity, MeasuredValue, MeasurementTool } from '@radwork/contract/reading/measurements';
import {
  extentsIn,
  type NoScale,
  type Pixel,
  regionOf,
  type UltrasoundRegion,
  valueIn,
} from '#reading/viewer/images/header/ultrasound-regions.ts';

/** Values on an ultrasound image, with a note for the reader. */
export type RegionValues = { values: MeasuredValue[]; remark: string };

/** Scale of a measurement: a region, or the reason why only pixels can be measured. */
type Scale = UltrasoundRegion | NoScale;

const value = (quantity: MeasuredQuantity, number: number, unit: string): MeasuredValue => ({
  quantity,
  value: number,
  unit,
});

/** Whether lengths in all directions are valid in this scale. */
const isTissue = (scale: Scale): scale is UltrasoundRegion =>
  typeof scale === 'object' && scale.kind === 'tissue' && scale.x.unit === 'cm' && scale.y.unit === 'cm';

/**
 * Measures points of an ultrasound image, using the region that contains all of them. `tool` gives the shape and the
 * order of the points. Measures in pixels if no region contains all points, or if the region does not fit the shape.
 */
export const valuesInRegions = (
  tool: MeasurementTool,
  points: readonly Pixel[],
  regions: readonly UltrasoundRegion[],
): RegionValues => {
  const scale = regionOf(regions, points);
  const remark = typeof scale === 'string' ? noScaleTexts[scale] : '';
  const values = (measure[tool] ?? nothing)(points, scale);
  return {
    values,
    remark: values.length > 0 && values.every(isUncalibrated) ? remark || t`length cannot be measured here` : '',
  };
};

const noScaleTexts: Record<NoScale, string> = {
  'outside the calibrated regions': t`outside the calibrated regions`,
  'across regions': t`across several regions`,
  'no single scale here': t`more than one scale here`,
};

const isUncalibrated = ({ unit }: MeasuredValue) => unit.startsWith('px');

type Measure = (points: readonly Pixel[], scale: Scale) => MeasuredValue[];

const nothing: Measure = () => [];

/** Returns the distance of two points, in cm or pixels. */
const distance = (from: Pixel, to: Pixel, scale: Scale): [length: number, unit: string] =>
  isTissue(scale)
    ? [Math.hypot(...extentsIn(scale, from, to)), 'cm']
    : [Math.hypot(to[0] - from[0], to[1] - from[1]), 'px'];

/**
 * Values of a line. On tissue: its length. Over time: its duration and the difference between the values at its ends.
 */
const line: Measure = ([from, to], scale) => {
  if (!from || !to) return [];
  const { x, y } = typeof scale === 'object' ? scale : {};
  if (typeof scale === 'object' && x?.unit === 's' && (scale.kind === 'spectrum' || scale.kind === 'motion')) {
    const [time, difference] = extentsIn(scale, from, to);
    const interval = value('TIME', time, 's');
    if (scale.kind === 'spectrum' && y?.unit === 'cm/s') return [interval, value('VELOCITY', difference, 'cm/s')];
    if (scale.kind === 'motion' && y?.unit === 'cm') return [interval, value('LENGTH', difference, 'cm')];
    return [interval];
  }
  return [value('LENGTH', ...distance(from, to, scale))];
};

/** Values of a point: its velocity. The sign follows the scale of the device (toward the probe or away). */
const point: Measure = ([at], scale) => {
  if (!at || typeof scale !== 'object' || scale.kind !== 'spectrum' || scale.y.unit !== 'cm/s') return [];
  const velocity = valueIn(scale, at);
  return velocity === undefined ? [] : [value('VELOCITY', velocity, 'cm/s')];
};

/** Values of two lines. The longer line is the length, whichever was drawn first. */
const bidirectional: Measure = ([from, to, otherFrom, otherTo], scale) => {
  if (!from || !to || !otherFrom || !otherTo) return [];
  const [[one, unit], [other]] = [distance(from, to, scale), distance(otherFrom, otherTo, scale)];
  return [value('LENGTH', Math.max(one, other), unit), value('SHORT_AXIS', Math.min(one, other), unit)];
};

/** Converts square pixels to the unit of the scale. Valid for every shape and rotation. */
const area = (squarePixels: number, scale: Scale): MeasuredValue =>
  isTissue(scale)
    ? value('AREA', squarePixels * Math.abs(scale.x.perPixel * scale.y.perPixel), 'cm²')
    : value('AREA', squarePixels, 'px²');

const inPixels = (from: Pixel, to: Pixel) => Math.hypot(to[0] - from[0], to[1] - from[1]);

/** Ellipse, given by the end points of its axes. */
const ellipse: Measure = ([bottom, top, left, right], scale) =>
  bottom && top && left && right ? [area((Math.PI / 4) * inPixels(bottom, top) * inPixels(left, right), scale)] : [];

const rectangle: Measure = ([corner, beside, below], scale) =>
  corner && beside && below ? [area(inPixels(corner, beside) * inPixels(corner, below), scale)] : [];

/** Closed outline. */
const outline: Measure = (points, scale) => {
  if (points.length < 3) return [];
  const twice = points.reduce((sum, [column, row], at) => {
    const [nextColumn, nextRow] = points[(at + 1) % points.length] ?? [0, 0];
    return sum + column * nextRow - nextColumn * row;
  }, 0);
  return [area(Math.abs(twice) / 2, scale)];
};

/**
 * Returns the angle between two lines. Uses centimeters if columns and rows differ in scale. Empty in regions where an
 * axis is not a length, such as time.
 */
const angleBetween = (one: readonly [Pixel, Pixel], other: readonly [Pixel, Pixel], scale: Scale): MeasuredValue[] => {
  if (typeof scale === 'object' && !isTissue(scale)) return [];
  const [perColumn, perRow] = isTissue(scale) ? [Math.abs(scale.x.perPixel), Math.abs(scale.y.perPixel)] : [1, 1];
  const direction = ([from, to]: readonly [Pixel, Pixel]) =>
    [(to[0] - from[0]) * perColumn, (to[1] - from[1]) * perRow] as const;
  const [[x1, y1], [x2, y2]] = [direction(one), direction(other)];
  const angle = Math.abs((Math.atan2(x1 * y2 - y1 * x2, x1 * x2 + y1 * y2) * 180) / Math.PI);
  return [value('ANGLE', angle, '°')];
};

const angle: Measure = ([from, corner, to], scale) =>
  from && corner && to ? angleBetween([corner, from], [corner, to], scale) : [];

/** Angle between two separate lines: the smaller of the two angles. */
const cobbAngle: Measure = ([from, to, otherFrom, otherTo], scale) =>
  from && to && otherFrom && otherTo
    ? angleBetween([from, to], [otherFrom, otherTo], scale).map((one) => ({
        ...one,
        value: Math.min(one.value, 180 - one.value),
      }))
    : [];

const measure: Partial<Record<MeasurementTool, Measure>> = {
  LENGTH: line,
  PROBE: point,
  BIDIRECTIONAL: bidirectional,
  ELLIPSE: ellipse,
  RECTANGLE: rectangle,
  FREEHAND: outline,
  ANGLE: angle,
  COBB_ANGLE: cobbAngle,
};
