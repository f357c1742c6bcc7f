import { expect, test } from 'vitest';
import { signIn } from '#test/screen.tsx';
import { noReportTitle } from './no-report-title.ts';

test('who reads signed reports only is told of those, whether or not there is a draft', () => {
  signIn('REFERRING_PHYSICIAN');
  const forReferrer = noReportTitle();
  signIn('RADIOLOGIST');
  const forRadiologist = noReportTitle();

  expect(forReferrer).toBe('No signed report yet.');
  expect(forRadiologist).toBe('No report has been created for this study yet.');
});
