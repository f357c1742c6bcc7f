import { expect, test } from 'vitest';
import { newReportForm } from './report-forms.ts';
import { reports } from './reports.ts';

test('the report endpoints have the paths of the specification', () => {
  const { list, create, save, finalize, requestReview, submitReview, addCriticalFinding } = reports;
  const specified = [list, create, save, finalize, requestReview, submitReview, addCriticalFinding];

  expect(specified.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /reports',
    'POST /workflow/reports/draft/:id',
    'POST /workflow/reports/:id/draft',
    'POST /workflow/reports/:id/finalize',
    'POST /workflow/reports/:id/request-review',
    'POST /workflow/reports/:id/submit-review',
    'POST /workflow/reports/:id/critical-findings',
  ]);
});

test('the first text of a study needs only its content, as the specification says', () => {
  expect(newReportForm.parse({ content: 'Normal.' })).toMatchObject({ content: 'Normal.' });
});
