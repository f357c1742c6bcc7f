import { expect, test } from 'vitest';
import { type ArrivedStudy, type AwaitedExamination, dayLater, dueWindow, followUpMatch } from './follow-up-match.ts';

test.each([
  ['2026-11-30', 6, 'MONTH', '2027-05-30'],
  ['2026-08-31', 6, 'MONTH', '2027-02-28'],
  ['2027-08-31', 6, 'MONTH', '2028-02-29'],
  ['2026-12-15', 1, 'MONTH', '2027-01-15'],
  ['2024-02-29', 1, 'YEAR', '2025-02-28'],
  ['2026-12-28', 1, 'WEEK', '2027-01-04'],
  ['2026-12-31', 10, 'DAY', '2027-01-10'],
  ['2027-01-10', -14, 'DAY', '2026-12-27'],
] as const)('%s and %i %s is %s', (day, count, unit, later) => {
  expect(dayLater(day, count, unit)).toBe(later);
});

test('the window spans the recommended interval, or 30 days if no time is recommended', () => {
  expect(dueWindow('2026-11-30', { from: 3, to: 6, unit: 'MONTH' })).toEqual({
    dueFrom: '2027-02-28',
    dueTo: '2027-05-30',
  });
  expect(dueWindow('2026-11-30', null)).toEqual({ dueFrom: '2026-11-30', dueTo: '2026-12-30' });
});

const awaited: AwaitedExamination = {
  modality: 'CT',
  bodyPart: 'CHEST',
  since: '2026-06-01',
  dueFrom: '2026-12-01',
  dueTo: '2026-12-01',
};

const study: ArrivedStudy = {
  day: '2026-12-03',
  modality: 'CT',
  modalities: ['CT'],
  description: 'CT thorax with contrast',
  bodyParts: [],
};

test.each<[string, Partial<AwaitedExamination>, Partial<ArrivedStudy>, string]>([
  ['the same modality, part and time', {}, {}, 'FULL'],
  ['the part of the series', {}, { description: '', bodyParts: ['CHEST'] }, 'FULL'],
  ['two thirds of the time', {}, { day: '2026-10-02' }, 'FULL'],
  ['an earlier day', {}, { day: '2026-07-01' }, 'PARTIAL'],
  ['half of the time late', {}, { day: '2027-03-02' }, 'FULL'],
  ['a later day', {}, { day: '2027-06-01' }, 'PARTIAL'],
  ['the day of the first study', {}, { day: '2026-06-01' }, 'NONE'],
  ['an earlier study', {}, { day: '2025-12-01' }, 'NONE'],
  ['no date', {}, { day: null }, 'NONE'],
  ['another part', {}, { description: 'CT abdomen' }, 'NONE'],
  ['an unknown part', {}, { description: '' }, 'PARTIAL'],
  ['another modality', {}, { modality: 'MR', modalities: ['MR'], description: 'MRI chest' }, 'PARTIAL'],
  ['a PET/CT', {}, { modality: 'PT', modalities: ['PT', 'CT'], description: 'PET/CT chest' }, 'PARTIAL'],
  ['an organ in the region', { bodyPart: 'LIVER' }, { description: 'CT abdomen' }, 'FULL'],
  ['a region of which one organ was examined', { bodyPart: 'ABDOMEN' }, { description: 'CT liver' }, 'PARTIAL'],
  ['a region inside a larger one', { bodyPart: 'ABDOMEN' }, { description: 'CT abdomen and pelvis' }, 'FULL'],
  [
    'two regions in two series',
    { bodyPart: 'ABDOMENPELVIS' },
    { description: '', bodyParts: ['ABDOMEN', 'PELVIS'] },
    'FULL',
  ],
  ['no named part', { bodyPart: '' }, {}, 'PARTIAL'],
  ['no named modality', { modality: '' }, {}, 'PARTIAL'],
  ['neither modality nor time', {}, { modality: 'MR', modalities: ['MR'], day: '2026-07-01' }, 'NONE'],
  ['any plain radiograph', { modality: 'XR' }, { modality: 'DX', modalities: ['DX'], description: 'Chest PA' }, 'FULL'],
])('a study with %s', (_, ofAwaited, ofStudy, match) => {
  expect(followUpMatch({ ...awaited, ...ofAwaited }, { ...study, ...ofStudy })).toBe(match);
});
