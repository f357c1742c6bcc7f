import type { PriorMeasurement } from '@radwork/contract/reading/lesions';
import { expect, test } from 'vitest';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { placeInSeries } from './place-in-series.ts';

/** Axial images at these heights in mm. */
const stack = (frameOfReference: string, series: string, heights: readonly number[]): SeriesImage[] =>
  heights.map((height, at) => ({
    imageId: `wadors:/api/wado-rs/studies/1/series/${series}/instances/${series}.${at + 1}/frames/1`,
    header: { '00200052': { vr: 'UI', Value: [frameOfReference] } },
    frame: 1,
    numberOfFrames: 1,
    instanceNumber: at + 1,
    plane: { position: [0, 0, height], along: [1, 0, 0], down: [0, 1, 0] },
  }));

const heights = (from: number, step: number, count: number) =>
  Array.from({ length: count }, (_, at) => from + at * step);

const priorAt = (sopInstanceUID: string, height: number): PriorMeasurement => ({
  id: 'm1',
  study: {
    studyId: 's1',
    studyInstanceUID: '1',
    studyDate: '2026-06-01',
    modality: 'CT',
    description: 'CT chest',
  },
  lesionId: null,
  tool: 'LENGTH',
  seriesInstanceUID: '2',
  sopInstanceUID,
  frame: 1,
  frameOfReferenceUID: 'A',
  points: [
    [10, 20, height],
    [30, 20, height],
  ],
  plane: null,
  label: '',
  values: [],
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:00:00Z',
  isMine: false,
});

const instance = (found: ReturnType<typeof placeInSeries>) => [
  /instances\/([\d.]+)/.exec(found?.image.imageId ?? '')?.[1],
  found?.by,
];

const priorImages = stack('A', '2', heights(0, 5, 21));

test('finds the nearest slice by position in the same frame of reference', () => {
  const images = stack('A', '3', heights(-100, 3, 80));

  expect(instance(placeInSeries(images, priorImages, priorAt('2.5', 20)))).toEqual(['3.41', 'POSITION']);
});

test('finds the same part of the stack in another frame of reference', () => {
  const images = stack('B', '3', heights(500, 2, 101));

  expect(instance(placeInSeries(images, priorImages, priorAt('2.6', 25)))).toEqual(['3.26', 'FRACTION']);
});

test('finds the same part of a stack that runs in the opposite direction', () => {
  const images = stack('B', '3', heights(500, -2, 101));

  expect(instance(placeInSeries(images, priorImages, priorAt('2.6', 25)))).toEqual(['3.76', 'FRACTION']);
});

test('does not show a slice far from the lesion by position', () => {
  const images = stack('A', '3', heights(400, 3, 11));

  expect(instance(placeInSeries(images, priorImages, priorAt('2.11', 50)))).toEqual(['3.6', 'FRACTION']);
});

test('finds no place without the image of the measurement', () => {
  expect(placeInSeries(stack('B', '3', [0, 1]), priorImages, priorAt('9.9', 0))).toBeUndefined();
});
