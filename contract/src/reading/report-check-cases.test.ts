import { expect, test } from 'vitest';
import { type CheckCase, type CheckTable, checkTables } from './report-check-cases.ts';
import type { CheckFacts } from './report-check-facts.ts';
import { checkReport } from './report-checks.ts';

const facts: CheckFacts = {
  sex: 'O',
  age: null,
  modality: 'CT',
  studyDate: '2026-11-20T09:30:00',
  priorDates: ['2026-03-14'],
  hangingPrior: { date: '2026-03-14', description: 'CT chest' },
  bodyParts: [],
  measurements: [],
  isFlaggedCritical: true,
  openCriticalFindings: 0,
  newImages: 0,
};

const alarms = ({ kinds }: CheckTable, { lines, facts: overrides }: CheckCase): boolean =>
  checkReport(
    lines.map((line) => ({ text: line.replace(/^#\s*/, ''), isHeading: line.startsWith('#') })),
    { ...facts, ...overrides },
  ).some(({ kind }) => kinds.includes(kind));

const share = (part: number, all: number) => (part / all).toFixed(2);

test.for(Object.entries(checkTables))(
  'the check of %s warns where it should, and nowhere else',
  async ([name, table], { annotate }) => {
    const missed = table.alarms.filter((report) => !alarms(table, report));
    const wrong = table.silent.filter((report) => alarms(table, report));
    const found = table.alarms.length - missed.length;
    const quiet = table.silent.length - wrong.length;
    await annotate(
      `check of ${name}: sensitivity ${share(found, table.alarms.length)} (${found}/${table.alarms.length}), ` +
        `specificity ${share(quiet, table.silent.length)} (${quiet}/${table.silent.length})`,
    );

    expect(missed.map(({ lines }) => lines)).toEqual([]);
    expect(wrong.map(({ lines }) => lines)).toEqual([]);
  },
);

test('the table has at least 60 reports that must raise a warning, and as many that must not', () => {
  const tables = Object.values(checkTables);

  expect(tables.flatMap((table) => table.alarms).length).toBeGreaterThanOrEqual(60);
  expect(tables.flatMap((table) => table.silent).length).toBeGreaterThanOrEqual(60);
});

test.each(
  Object.values(checkTables).flatMap((table) =>
    table.silent.map(({ lines, facts: overrides }) => [lines.join(' '), lines, overrides] as const),
  ),
)('a correct report raises no warning of any check: %s', (_, lines, overrides) => {
  const kinds = checkReport(
    lines.map((line) => ({ text: line.replace(/^#\s*/, ''), isHeading: line.startsWith('#') })),
    { ...facts, ...overrides },
  ).map(({ kind }) => kind);

  // The language of German reports is not checked, and the case may be wrong for another check on purpose.
  expect(kinds.filter((kind) => kind !== 'LANGUAGE' && kind !== 'MODALITY')).toEqual([]);
});
