import { expect, test } from 'vitest';
import type { LesionState } from './lesion-states.ts';
import { type RecistLesion, type RecistReading, recistTable } from './recist.ts';

/** A length in mm, a state, or null without a reading. */
type Given = number | LesionState | null;

const readingOf = (given: Given): RecistReading | null => {
  if (given === null) return null;
  if (typeof given === 'string') return { longMm: null, shortMm: null, state: given };
  return { longMm: given, shortMm: given, state: null };
};

const lesion = (kind: RecistLesion['kind'], given: Given[], more: Partial<RecistLesion> = {}): RecistLesion => ({
  id: 'l1',
  label: 'Lesion',
  organ: 'Liver',
  isNode: false,
  kind,
  readings: given.map(readingOf),
  ...more,
});

const target = (...given: Given[]) => lesion('TARGET', given);
const node = (...given: Given[]) => lesion('TARGET', given, { isNode: true, organ: 'Node' });
const other = (...given: Given[]) => lesion('NON_TARGET', given);
const fresh = (...given: Given[]) => lesion('NEW', given);

const evaluate = (...lesions: RecistLesion[]) => {
  const days = (lesions[0]?.readings ?? []).map((_, at) => `2026-0${at + 1}-01`);
  return recistTable(lesions, days);
};

const last = (...lesions: RecistLesion[]) => {
  const timepoint = evaluate(...lesions).timepoints.at(-1);
  if (!timepoint) throw new Error('There is a study');
  return timepoint;
};

test.each([
  ['disappearance of all lesions', [target(40, 'ABSENT'), target(20, 0)], 'CR'],
  ['a node below 10 mm and no other lesion', [target(40, 'ABSENT'), node(20, 9.9)], 'CR'],
  ['a node of 10 mm', [target(40, 'ABSENT'), node(20, 10)], 'PR'],
  ['30 % less', [target(100, 70)], 'PR'],
  ['29 % less', [target(100, 71)], 'SD'],
  ['20 % more', [target(100, 120)], 'PD'],
  ['19 % more', [target(100, 119)], 'SD'],
  ['20 % more, but only 4 mm', [target(20, 24)], 'SD'],
  ['5 mm and 25 % more', [target(20, 25)], 'PD'],
  ['20 % more than the smallest sum, though less than at baseline', [target(100, 50, 60)], 'PD'],
  ['less than 20 % more than the smallest sum', [target(100, 50, 59)], 'PR'],
  ['a lesion that comes back after a complete response', [target(40, 'ABSENT', 4)], 'PD'],
  ['a lesion that came back after a complete response and stays', [target(40, 'ABSENT', 4, 4)], 'PD'],
  ['a lesion that comes back after a gap', [target(40, 'ABSENT', 'NOT_EVALUATED', 4)], 'PD'],
  ['a lesion that comes back after a study without reading', [target(40, 'ABSENT', null, 4)], 'PD'],
  ['a lesion that comes back while another is missing', [target(40, 'ABSENT', 4), target(30, 'ABSENT', null)], 'PD'],
  ['no lesion again after a gap', [target(40, 'ABSENT', 'NOT_EVALUATED', 'ABSENT')], 'CR'],
  ['a node that stays normal after a complete response', [target(40, 'ABSENT', 'ABSENT'), node(20, 6, 9)], 'CR'],
  ['a lesion that comes back after a partial response', [target(40, 20, 20), target(30, 'ABSENT', 3)], 'PR'],
  ['a lesion too small to measure, which counts 5 mm', [target(20, 'TOO_SMALL')], 'PR'],
  ['a missing lesion', [target(40, 20), target(30, null)], 'NE'],
  ['a lesion that was not evaluated', [target(40, 20), target(30, 'NOT_EVALUATED')], 'NE'],
  ['a missing lesion, when the others alone show progression', [target(40, 90), target(30, null)], 'PD'],
  ['a sum that the baseline lacks', [target(null, 20)], 'NE'],
])('target lesions with %s', (_, lesions, response) => {
  expect(last(...lesions).target).toBe(response);
});

test.each([
  ['CR', 'CR', false, [target(40, 0), other('PRESENT', 'ABSENT')], 'CR'],
  ['CR', 'NONE', false, [target(40, 0)], 'CR'],
  ['CR', 'NON_CR_NON_PD', false, [target(40, 0), other('PRESENT', 'PRESENT')], 'PR'],
  ['CR', 'NE', false, [target(40, 0), other('PRESENT', null)], 'PR'],
  ['PR', 'NON_CR_NON_PD', false, [target(40, 20), other('PRESENT', 'PRESENT')], 'PR'],
  ['PR', 'NE', false, [target(40, 20), other('PRESENT', null)], 'PR'],
  ['SD', 'CR', false, [target(40, 40), other('PRESENT', 'ABSENT')], 'SD'],
  ['NE', 'NON_CR_NON_PD', false, [target(40, null), other('PRESENT', 'PRESENT')], 'NE'],
  ['PD', 'CR', false, [target(40, 60), other('PRESENT', 'ABSENT')], 'PD'],
  ['SD', 'PD', false, [target(40, 40), other('PRESENT', 'PROGRESSED')], 'PD'],
  ['CR', 'NONE', true, [target(40, 0), fresh(null, 12)], 'PD'],
  ['NE', 'NONE', true, [target(40, null), fresh(null, 'PRESENT')], 'PD'],
  ['NONE', 'CR', false, [other('PRESENT', 'ABSENT')], 'CR'],
  ['NONE', 'NON_CR_NON_PD', false, [other('PRESENT', 'PRESENT')], 'NON_CR_NON_PD'],
  ['NONE', 'NE', false, [other('PRESENT', null)], 'NE'],
  ['NONE', 'PD', false, [other('PRESENT', 'PROGRESSED')], 'PD'],
  ['NONE', 'CR', true, [other('PRESENT', 'ABSENT'), fresh(null, 8)], 'PD'],
] as const)('targets %s, non-targets %s, new lesion %s', (ofTargets, ofOthers, isNew, lesions, overall) => {
  expect(last(...lesions)).toMatchObject({ target: ofTargets, nonTarget: ofOthers, hasNewLesion: isNew, overall });
});

test('sums longest diameters and the short axes of nodes, and compares with baseline and smallest sum', () => {
  const mixed = node(20, 12, 14);
  const long = { ...mixed, readings: mixed.readings.map((one) => one && { ...one, longMm: 30 }) };

  const [baseline, second, third] = evaluate(target(40, 20, 26), long).timepoints;

  expect(baseline).toMatchObject({ sumMm: 60, fromBaselinePercent: null, nadirMm: null, overall: 'BASELINE' });
  expect(second).toMatchObject({ sumMm: 32, nadirMm: 60, overall: 'PR' });
  expect(second?.fromBaselinePercent).toBeCloseTo(-46.67, 2);
  expect(third).toMatchObject({ sumMm: 40, nadirMm: 32, fromNadirMm: 8, fromNadirPercent: 25, overall: 'PD' });
});

test('a new lesion stays a new lesion, and a non-target node below 10 mm counts as absent', () => {
  expect(evaluate(target(40, 40, 40), fresh(null, 9, 'ABSENT')).timepoints.map(({ overall }) => overall)).toEqual([
    'BASELINE',
    'PD',
    'PD',
  ]);
  expect(last(lesion('NON_TARGET', [12, 9], { isNode: true })).nonTarget).toBe('CR');
});

test('names every missing input', () => {
  const lengthOnly = { longMm: 20, shortMm: null, state: null };
  const { timepoints } = evaluate(
    lesion('TARGET', [40, null], { label: 'A' }),
    lesion('TARGET', [30, 'NOT_EVALUATED'], { label: 'B' }),
    { ...lesion('TARGET', [20, 20], { label: 'C', isNode: true }), readings: [lengthOnly, lengthOnly] },
    lesion('NON_TARGET', ['PRESENT', null], { label: 'D', organ: '' }),
  );

  expect(timepoints.map(({ missing }) => missing)).toEqual([
    ['C, Liver: short axis missing on 2026-01-01'],
    [
      'A, Liver: not measured on 2026-02-01',
      'B, Liver: not evaluated on 2026-02-01',
      'C, Liver: short axis missing on 2026-02-01',
      'D: state missing on 2026-02-01',
    ],
  ]);
});

test('names choices that RECIST does not allow', () => {
  const { problems } = evaluate(
    ...['Lung', 'Lung', 'lung', 'Bone', 'Bone'].map((organ) => lesion('TARGET', [20], { organ })),
    lesion('TARGET', [14], { label: 'N', organ: 'Axilla', isNode: true }),
    lesion('TARGET', [9], { label: 'S', organ: 'Skin' }),
    lesion('TARGET', [20], { label: 'X', organ: '' }),
  );

  expect(problems).toEqual([
    '8 target lesions. RECIST allows at most 5.',
    '3 target lesions in Lung. RECIST allows at most 2 in an organ.',
    'N, Axilla: below 15 mm at baseline',
    'S, Skin: below 10 mm at baseline',
    'X: organ missing',
  ]);
  expect(evaluate(lesion('FOLLOWED', [20])).problems).toEqual(['No lesion is a target or non-target lesion']);
});

test.each(['ABSENT', 'TOO_SMALL', 'NOT_EVALUATED'] as const)(
  'a target lesion that is measured and stated as %s has no response, and the contradiction is named',
  (state) => {
    const both = { longMm: 50, shortMm: 30, state };
    const { timepoints } = evaluate({ ...target(40, 40), readings: [readingOf(40), both] });

    expect(timepoints[1]).toMatchObject({ sumMm: null, target: 'NE', overall: 'NE' });
    expect(timepoints[1]?.missing).toEqual([
      expect.stringMatching(/^Lesion, Liver: measured, but also stated as .* on/),
    ]);
  },
);

test('a contradiction of a non-target or new lesion is named, and prevents a complete response', () => {
  const both = { longMm: 9, shortMm: null, state: 'ABSENT' as const };
  const nonTarget = { ...other('PRESENT', null), readings: [readingOf('PRESENT'), both] };
  const isNew = { ...fresh(null, null), readings: [null, both] };

  expect(last(nonTarget)).toMatchObject({
    nonTarget: 'NE',
    overall: 'NE',
    missing: [expect.stringContaining('Absent')],
  });
  expect(last(target(40, 'ABSENT'), isNew)).toMatchObject({
    target: 'CR',
    overall: 'NE',
    missing: [expect.stringContaining('Absent')],
  });
  expect(last(target(40, 60), isNew).overall).toBe('PD');
});

test('gives no response, but the sums, when earlier readings are left out', () => {
  const { timepoints, problems } = recistTable([target(40, 20)], ['2026-01-01', '2026-02-01'], true);

  expect(problems[0]).toContain('There is no response.');
  expect(timepoints.map(({ sumMm, target: ofTargets, overall }) => [sumMm, ofTargets, overall])).toEqual([
    [40, 'NE', 'NE'],
    [20, 'NE', 'NE'],
  ]);
  expect(timepoints[1]).toMatchObject({ fromBaselinePercent: null, nadirMm: null, fromNadirPercent: null });
});
