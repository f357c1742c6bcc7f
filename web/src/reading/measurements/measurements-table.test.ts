import type { Measurement } from '@radwork/contract/reading/measurements';
import { expect, test } from 'vitest';
import { changesIn, measurementsTable } from './measurements-table.ts';

const measured: Measurement = {
  id: 'm1',
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 1,
  frameOfReferenceUID: null,
  points: [[0, 0, 0]],
  plane: null,
  label: '',
  values: [{ quantity: 'LENGTH', value: 12.34, unit: 'mm' }],
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:00:00Z',
  isMine: true,
};

const textsIn = (html: string) =>
  [...new DOMParser().parseFromString(html, 'text/html').querySelectorAll('tr')].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );

test('each measurement is a row of the table with its label or its tool', () => {
  const html = measurementsTable([measured, { ...measured, label: 'Nodule S2' }]);

  expect(textsIn(html)).toEqual([
    ['Finding', 'Measurement', 'Measured by'],
    ['Length', '12.3 mm', 'Dr Weiss'],
    ['Nodule S2', '12.3 mm', 'Dr Weiss'],
  ]);
});

test('a measurement on a plane through a volume names the plane', () => {
  const onPlane: Measurement = {
    ...measured,
    sopInstanceUID: null,
    frame: null,
    plane: { normal: [0, 1, 0], up: [0, 0, 1] },
  };

  const rows = textsIn(measurementsTable([onPlane, { ...onPlane, tool: 'SPHERE' }]));

  expect(rows.slice(1).map(([finding]) => finding)).toEqual(['Length, coronal plane', 'Sphere']);
});

test('the table escapes markup in a label', () => {
  const html = measurementsTable([{ ...measured, label: '<img src=x onerror=alert(1)> & more' }]);

  expect(textsIn(html)[1]?.[0]).toBe('<img src=x onerror=alert(1)> & more');
  expect(html).not.toContain('<img');
});

test('the change since the last earlier study has its own column, and a dash without one', () => {
  const reading = (studyId: string, longMm: number, measurementId: string) => ({
    studyId,
    measurementId,
    longMm,
    shortMm: null,
    state: null,
  });
  const timepoint = (studyId: string) => ({
    studyId,
    studyInstanceUID: '1',
    studyDate: null,
    modality: 'CT',
    description: '',
  });
  const lesion = { id: 'l1', label: '', organ: '', isNode: false, kind: 'FOLLOWED' as const, revision: 1 };
  const changes = changesIn(
    {
      timepoints: [timepoint('s1'), timepoint('s2')],
      lesions: [{ ...lesion, readings: [reading('s1', 20, 'm0'), reading('s2', 12.3, 'm1')] }],
      priors: [],
      areReadingsLeftOut: false,
    },
    's2',
  );

  expect(textsIn(measurementsTable([measured, { ...measured, id: 'm2' }], changes))).toEqual([
    ['Finding', 'Measurement', 'Change', 'Measured by'],
    ['Length', '12.3 mm', '−7.7 mm (−38.5 %)', 'Dr Weiss'],
    ['Length', '12.3 mm', '–', 'Dr Weiss'],
  ]);
});
