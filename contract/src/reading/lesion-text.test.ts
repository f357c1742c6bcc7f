import { expect, test } from 'vitest';
import {
  changeText,
  diameterText,
  followedMm,
  percentText,
  readingsAround,
  readingText,
  recistOf,
  sumText,
} from './lesion-text.ts';
import type { Lesion, LesionReading, LesionsOfStudy } from './lesions.ts';

const reading = (studyId: string, longMm: number | null): LesionReading => ({
  studyId,
  measurementId: 'm1',
  longMm,
  shortMm: longMm === null ? null : longMm / 2,
  state: null,
});

const lesion = (more: Partial<Lesion> = {}): Lesion => ({
  id: 'l1',
  label: 'Segment 6',
  organ: 'Liver',
  isNode: false,
  kind: 'TARGET',
  revision: 1,
  readings: [reading('s1', 20), reading('s2', 14)],
  ...more,
});

const ofStudy = (...lesions: Lesion[]): LesionsOfStudy => ({
  timepoints: ['s1', 's2'].map((studyId, at) => ({
    studyId,
    studyInstanceUID: `2.25.${at}`,
    studyDate: `2026-0${at + 1}-01T09:00:00`,
    modality: 'CT',
    description: 'CT chest',
  })),
  lesions,
  priors: [],
  areReadingsLeftOut: false,
});

test.each([
  [20, 14, '−6 mm (−30 %)'],
  [12, 15.25, '+3.3 mm (+27.1 %)'],
  [12, 12.01, '0 mm (+0.1 %)'],
  [0, 5, '+5 mm'],
  [null, 5, ''],
  [5, null, ''],
])('a change from %s to %s mm is written "%s"', (before, after, text) => {
  expect(changeText(before, after)).toBe(text);
});

test('diameters, sums and percents are written with a unit, and unknown ones with a dash', () => {
  expect(diameterText({ longMm: 14.04, shortMm: 9 })).toBe('14 mm × 9 mm');
  expect(diameterText({ longMm: 14, shortMm: null })).toBe('14 mm');
  expect([sumText(60.25), sumText(null), percentText(-46.67), percentText(null)]).toEqual([
    '60.3 mm',
    '–',
    '−46.7 %',
    '–',
  ]);
});

test('a lesion is compared with its last reading before the study', () => {
  const { timepoints } = ofStudy();

  expect(readingsAround(lesion(), timepoints, 's2')).toMatchObject({ before: { longMm: 20 }, now: { longMm: 14 } });
  expect(readingsAround(lesion(), timepoints, 's1')).toMatchObject({ before: undefined, now: { longMm: 20 } });
});

test('the table of a study names its days and evaluates its lesions', () => {
  const { days, timepoints } = recistOf(ofStudy(lesion(), lesion({ id: 'l2', readings: [reading('s1', 10)] })));

  expect(days).toEqual(['2026-01-01', '2026-02-01']);
  expect(timepoints[1]).toMatchObject({
    sumMm: null,
    overall: 'NE',
    missing: ['Segment 6, Liver: not measured on 2026-02-01'],
  });
});

test('a state that contradicts a diameter is written with it, and gives no change', () => {
  const both = { ...reading('s2', 14), state: 'ABSENT' as const };

  expect(readingText(both)).toBe('Absent, 14 mm × 7 mm');
  expect(followedMm(false, both)).toBeNull();
  expect([
    readingText({ ...both, longMm: null, shortMm: null }),
    readingText(reading('s2', 14)),
    readingText(undefined),
  ]).toEqual(['Absent', '14 mm × 7 mm', '–']);
});

test('a study whose earlier readings are left out has no response', () => {
  const { timepoints } = recistOf({ ...ofStudy(lesion()), areReadingsLeftOut: true });

  expect(timepoints.map(({ overall }) => overall)).toEqual(['NE', 'NE']);
});
