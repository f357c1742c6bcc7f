import type { CheckFacts } from '@radwork/contract/reading/report-check-facts';
import { expect, test, vi } from 'vitest';
import { madeBy, ownExpressions, worstTime } from '#test/regular-expressions.ts';

const length = 100_000;
/** Milliseconds of processor time for which a request may block the server. */
const bound = 50;

type Row = { where: string; milliseconds: number; text: string; pattern: string };

const rowsOf = (expressions: readonly { where: string; pattern: RegExp }[]): Row[] =>
  [...Map.groupBy(expressions, ({ pattern }) => String(pattern)).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const places = same.map(({ where }) => where).join(', ');
    return [{ where: places, pattern: String(first.pattern), ...worstTime(first.pattern, length, bound) }];
  });

const tooSlow = (rows: readonly Row[]): Row[] => rows.filter(({ milliseconds }) => milliseconds > bound);

test('no regular expression needs more than 50 ms for 100 kB of any text', { timeout: 300_000 }, () => {
  const { written } = ownExpressions();
  const rows = rowsOf(written.map(({ file, line, pattern }) => ({ where: `${file}:${line}`, pattern })));

  expect(rows.length).toBeGreaterThan(400);
  expect(tooSlow(rows)).toEqual([]);
});

/** Modules that build regular expressions at run time, each with a call that makes it build them. */
const composing: Record<string, (() => Promise<unknown>) | undefined> = {
  'contract/src/core/placeholders.ts': async () => (await import('@radwork/contract/core/placeholders')).placeholders(),
  'contract/src/reading/report-check-body-part.ts': async () => {
    const { bodyPartConflicts } = await import('@radwork/contract/reading/report-check-body-part');
    const sentence = { text: 'CT of the chest', from: 0, to: 15, section: 'technique', isHeading: false } as const;
    return bodyPartConflicts([sentence], { bodyParts: ['HEAD'] } as CheckFacts);
  },
  'contract/src/reading/report-check-contradictions.ts': () =>
    import('@radwork/contract/reading/report-check-contradictions'),
  'contract/src/reading/report-check-dates.ts': () => import('@radwork/contract/reading/report-check-dates'),
  'contract/src/reading/report-check-lexicon.ts': () => import('@radwork/contract/reading/report-check-lexicon'),
  'contract/src/reading/report-check-measurements.ts': () =>
    import('@radwork/contract/reading/report-check-measurements'),
  'contract/src/reading/report-language.ts': () => import('@radwork/contract/reading/report-language'),
  'contract/src/reading/report-link-address.ts': () => import('@radwork/contract/reading/report-link-address'),
  'dicom/src/confidentiality-profile.ts': () => import('@radwork/dicom/confidentiality-profile'),
  'dicom/src/dictionary.ts': () => import('@radwork/dicom/dictionary'),
  'server/src/imaging/stored-files/pdf-check.ts': () => import('./imaging/stored-files/pdf-check.ts'),
  'server/src/reading/drafting/dates-in-text.ts': () => import('./reading/drafting/dates-in-text.ts'),
  'server/src/reading/drafting/names-in-text.ts': () => import('./reading/drafting/names-in-text.ts'),
  'server/src/reading/drafting/withhold-identifiers.ts': async () => {
    const { createIdentifierMarks: withhold } = await import('./reading/drafting/withhold-identifiers.ts');
    return withhold({
      names: ['Doe^Jane', 'Müller^Jürgen^^Dr.'],
      values: ['MRN-123 456', 'a a a a a a a a', '12 Long Road', '1.2.840.1.2'],
      phones: ['+49 30 1234567'],
      birthDates: ['1980-01-02'],
    });
  },
  'server/src/reading/report-delivery/fhir/send-resources.ts': undefined,
  'web/src/app/shell/initials.ts': () => import('../../web/src/app/shell/initials.ts'),
  'web/src/insight/search/palette-items.ts': undefined,
  'web/src/reading/dictation/corrections/apply-corrections.ts': undefined,
  'web/src/reading/editor/dictation/parse-utterance.ts': undefined,
};

/** Copies of regular expressions that four modules build only in a browser or during a delivery. */
const asComposed = [
  /(?:^|\/)DiagnosticReport\/([A-Za-z0-9.-]{1,64})/,
  /(?<![\p{L}\p{N}-])(?:new paragraph|new line|full stop|comma)(?![\p{L}\p{N}-])/giu,
  /(?<![\p{L}\p{N}])(?:plural\s+effusion|a\s+orta)(?![\p{L}\p{N}])/giu,
  /(new|line|a)/i,
];

test('no regular expression composed at run time needs more than 50 ms for 100 kB', { timeout: 300_000 }, async () => {
  const { composed } = ownExpressions();
  expect([...new Set(composed.map(({ file }) => file))]).toEqual(Object.keys(composing));

  vi.resetModules();
  const patternRows = asComposed.map((pattern) => ({ where: 'as composed', pattern }));
  for (const [where, work] of Object.entries(composing)) {
    if (!work) continue;
    const patterns = await madeBy(work);
    patternRows.push(...patterns.map((pattern) => ({ where, pattern })));
  }
  const rows = rowsOf(patternRows);

  expect(rows.length).toBeGreaterThan(60);
  expect(tooSlow(rows)).toEqual([]);
});
