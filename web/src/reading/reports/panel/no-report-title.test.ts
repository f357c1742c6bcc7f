import { expect, test } from 'vitest';
import { signIn } from '#test/screen.tsx';
import { noReportTitle } from './no-report-title.ts';

test('a user who may read only signed reports does not learn whether a draft exists', () => {
  signIn('REFERRING_PHYSICIAN');
  const forReferrer = noReportTitle();
  signIn('RADIOLOGIST');
  const forRadiologist = noReportTitle();

  expect(forReferrer).toBe('No signed report yet.');
  expect(forRadiologist).toBe('No report has been created for this study yet.');
});
