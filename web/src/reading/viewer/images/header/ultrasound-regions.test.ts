import { expect, test } from 'vitest';
import type { DicomJson } from './dicom-json.ts';
import { extentsIn, type Pixel, regionOf, regionsOf, valueIn } from './ultrasound-regions.ts';

type RegionFields = {
  format: number;
  box: readonly [left: number, top: number, right: number, bottom: number];
  units: readonly [x: number, y: number];
  deltas: readonly [x: number, y: number];
  reference?: readonly [x: number, y: number];
  value?: number;
  flags?: number;
};

const number = (value: number) => ({ vr: 'FD', Value: [value] });

const item = ({ format, box, units, deltas, reference, value, flags = 0 }: RegionFields): DicomJson => ({
  '00186012': number(format),
  '00186016': number(flags),
  '00186018': number(box[0]),
  '0018601A': number(box[1]),
  '0018601C': number(box[2]),
  '0018601E': number(box[3]),
  '00186024': number(units[0]),
  '00186026': number(units[1]),
  '0018602C': number(deltas[0]),
  '0018602E': number(deltas[1]),
  ...(reference && { '00186020': number(reference[0]), '00186022': number(reference[1]) }),
  ...(value !== undefined && { '0018602A': number(value) }),
});

const regions = (...regionFields: RegionFields[]) =>
  regionsOf({ '00186011': { vr: 'SQ', Value: regionFields.map(item) } });

const tissue: RegionFields = { format: 1, box: [0, 0, 299, 199], units: [3, 3], deltas: [0.05, 0.05] };
const doppler: RegionFields = {
  format: 3,
  box: [50, 220, 249, 299],
  units: [4, 7],
  deltas: [0.005, -1.5],
  reference: [0, 60],
};

const kindAt = (regionFields: readonly RegionFields[], ...points: Pixel[]) => {
  const region = regionOf(regions(...regionFields), points);
  return typeof region === 'string' ? region : region.kind;
};

test('the ultrasound region of a point is found, also for its last pixel', () => {
  const both = [tissue, doppler];

  expect(kindAt(both, [0, 0], [299, 199])).toBe('tissue');
  expect(kindAt(both, [50, 220], [249, 299])).toBe('spectrum');
  expect(kindAt(both, [10, 205])).toBe('outside the calibrated regions');
  expect(kindAt(both, [300, 10])).toBe('outside the calibrated regions');
  expect(kindAt([], [10, 10])).toBe('outside the calibrated regions');
});

test('two points in different regions have no common scale, even if both scales are equal', () => {
  const left: RegionFields = { ...tissue, box: [0, 0, 149, 199] };
  const right: RegionFields = { ...tissue, box: [150, 0, 299, 199] };

  expect(kindAt([tissue, doppler], [100, 100], [100, 250])).toBe('across regions');
  expect(kindAt([left, right], [100, 100], [200, 100])).toBe('across regions');
});

test('if the scales agree, a point in a color box is measured like the tissue below the box', () => {
  const colour: RegionFields = { ...tissue, box: [100, 50, 200, 150] };
  const other: RegionFields = { ...colour, deltas: [0.06, 0.05] };

  expect(kindAt([tissue, colour], [10, 10], [150, 100])).toBe('tissue');
  expect(kindAt([colour, tissue], [120, 60], [150, 100])).toBe('tissue');
  expect(kindAt([tissue, other], [120, 60], [150, 100])).toBe('no single scale here');
  expect(kindAt([tissue, other], [10, 10], [150, 100])).toBe('no single scale here');
});

test('where regions overlap, the region with the high priority is used', () => {
  const below: RegionFields = { ...tissue, box: [0, 0, 299, 299], flags: 1 };

  expect(kindAt([below, doppler], [60, 230], [100, 250])).toBe('spectrum');
  expect(kindAt([below, doppler], [10, 10], [20, 20])).toBe('tissue');
  expect(kindAt([below, doppler], [10, 10], [100, 250])).toBe('across regions');
});

test('distances in an ultrasound region are positive in every axis direction', () => {
  const [region] = regions(doppler);
  if (!region) throw new Error('There is one region');

  const extents = extentsIn(region, [100, 280], [60, 240]);

  expect(extents[0]).toBeCloseTo(0.2);
  expect(extents[1]).toBeCloseTo(60);
});

test('Doppler values are positive above the baseline and negative below', () => {
  const [region] = regions(doppler);
  if (!region) throw new Error('There is one region');

  expect(valueIn(region, [100, 280])).toBeCloseTo(0);
  expect(valueIn(region, [100, 240])).toBeCloseTo(60);
  expect(valueIn(region, [100, 290])).toBeCloseTo(-15);
});

test('an ultrasound region can have a reference value other than 0, and its values can rise downward', () => {
  const [region] = regions({ ...doppler, deltas: [0.005, 2], value: 10 });

  expect(region && valueIn(region, [100, 285])).toBeCloseTo(20);
});

test('an ultrasound region without a reference pixel gives no values', () => {
  const { reference: _, ...unreferenced } = doppler;
  const [region] = regions(unreferenced);

  expect(region && valueIn(region, [100, 240])).toBeUndefined();
});

test('an ultrasound region without a location or with a scale of 0 is ignored', () => {
  expect(regions({ ...tissue, deltas: [0, 0.05] })).toEqual([]);
  expect(regionsOf({ '00186011': { vr: 'SQ', Value: [{ '00186012': number(1) }] } })).toEqual([]);
  expect(regionsOf({})).toEqual([]);
});

test('an ultrasound axis in an unsupported unit has no unit', () => {
  const [region] = regions({ ...tissue, units: [0, 3] });

  expect(region?.x.unit).toBeUndefined();
  expect(region?.y.unit).toBe('cm');
});
