import { expect, test } from 'vitest';
import { momentInWords, reportFacts, verificationOf } from './report-facts.ts';

const text = (vr: string, value: string) => ({ vr, Value: [value] });

test('a structured report says that it is unverified, or who verified it and when', () => {
  const verifier = {
    '0040A075': { vr: 'PN', Value: [{ Alphabetic: 'Okafor^Ngozi^^Dr' }] },
    '0040A030': text('DT', '20261112101500'),
  };

  expect(verificationOf({ '0040A493': text('CS', 'UNVERIFIED') })).toEqual({
    isVerified: false,
    words: 'Not verified',
  });
  expect(verificationOf({ '0040A493': text('CS', 'VERIFIED'), '0040A073': { vr: 'SQ', Value: [verifier] } })).toEqual({
    isVerified: true,
    words: 'Verified: Okafor, Dr Ngozi (2026-11-12 10:15)',
  });
  expect(verificationOf({})).toBeUndefined();
});

test('the facts of a structured report begin with the patient and leave out attributes that the file lacks', () => {
  expect(
    reportFacts({
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Docu^Dora' }] },
      '00100020': text('LO', 'P-1'),
      '00080023': text('DA', '20261112'),
      '00080033': text('TM', '0930'),
      '0040A491': text('CS', 'PARTIAL'),
    }),
  ).toEqual([
    ['Patient', 'Docu, Dora'],
    ['Patient ID', 'P-1'],
    ['Content date', '2026-11-12 09:30'],
    ['Completion', 'Partial'],
  ]);
});

test.each([
  ['20261112093059.123+0100', '2026-11-12 09:30 (UTC+01:00)'],
  ['202611120930-0330', '2026-11-12 09:30 (UTC-03:30)'],
  ['202611120930', '2026-11-12 09:30'],
  ['2026111209', '2026-11-12 09:00'],
  ['20261112', '2026-11-12'],
])('the date and time %s is shown as %s, with a zone and a time only if the file has them', (timestamp, words) => {
  expect(momentInWords(timestamp)).toBe(words);
});

test.each(['20261399', '202611129930', '202611'])(
  'the invalid date and time %s is shown as it is in the file',
  (timestamp) => {
    expect(momentInWords(timestamp)).toBe(timestamp);
  },
);
