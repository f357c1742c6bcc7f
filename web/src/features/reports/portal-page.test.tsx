import { portal } from '@radwork/contract/portal';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, refuse, visit } from '#test/screen.tsx';

const report = {
  content: '<h2>Impression</h2><p>No embolism.</p><script>alert(1)</script>',
  tenantName: 'North Clinic',
  patientName: 'Doe, Jane',
  studyDate: '2026-11-20T09:30:00',
  studyDescription: 'CT chest',
  modality: 'CT',
  authorName: 'Mona Haddad',
  finalizedByName: 'Rex Reviewer',
  finalizedAt: '2026-11-21T12:00:00Z',
};

test('a link shows the report, whose it is and who signed it, without signing in', async () => {
  const { calls, address } = visit(
    '/portal/report/h4sh',
    answer(portal.report, () => report),
  );

  expect(await screen.findByText('No embolism.')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Doe, Jane' })).toBeDefined();
  expect(screen.getByText('CT chest · CT · 2026-11-20 09:30')).toBeDefined();
  expect(screen.getByText(/^Signed by Rex Reviewer, 2026-11-2\d/)).toBeDefined();
  expect(document.querySelector('article script')).toBeNull();
  expect(address()).toBe('/portal/report/h4sh');
  expect(calls.map(({ url }) => url.pathname)).toContain('/api/portal/report/h4sh');
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('a link that opens nothing says so, and offers to try again', async () => {
  visit('/portal/report/wrong', refuse(portal.report, 404, 'Report not found'));

  expect(await screen.findByText('Failed to load report. Please try again later.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});
