import { followUps, type FollowUp } from '@radwork/contract/reading/follow-ups';
import type { Report } from '@radwork/contract/reading/reports';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { followUpOf } from '#test/follow-ups.ts';
import { answer, serve, show } from '#test/screen.tsx';
import { FollowUpNotice } from './follow-up-notice.tsx';
import { SigningFollowUps } from './signing-follow-ups.tsx';

const rows = (...ofStudy: FollowUp[]) => answer(followUps.ofStudy, () => ({ ofStudy, ofPatient: [] }));

const reportOf = (content: string): Report =>
  ({ id: 'r1', studyId: 's1', content, studyDate: '2026-11-01T09:30:00', studyDescription: 'CT chest' }) as Report;

test('the offer of a signed report stands above its text, and one press accepts it', async () => {
  const offer = followUpOf({ state: 'OFFERED' });
  const calls = serve(
    rows(offer, followUpOf({ id: 'f2', reportId: 'r2' })),
    answer(followUps.decide, () => ({ ...offer, state: 'OPEN' as const })),
  );
  show(<FollowUpNotice report={reportOf('')} />);

  expect(await screen.findByText('Recommended: CT · Chest')).toBeDefined();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  await userEvent.click(screen.getByRole('button', { name: 'Add to follow-ups' }));

  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ state: 'OPEN', revision: 3 });
});

test('the signing dialog offers the recommendations of the text that the register does not have', async () => {
  const calls = serve(
    rows(followUpOf({ modality: 'MR', bodyPart: 'LIVER' })),
    answer(followUps.add, () => followUpOf()),
  );
  const text = '<h2>Impression</h2><p>Recommend CT in 6 months.</p><p>MRI of the liver is recommended.</p>';
  show(<SigningFollowUps report={reportOf(text)} />);

  await userEvent.click(await screen.findByRole('button', { name: 'Add to follow-ups' }));

  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    modality: 'CT',
    bodyPart: 'CHEST',
    dueFrom: '2027-05-01',
    dueTo: '2027-05-01',
    quote: 'Recommend CT in 6 months.',
  });
});

test('a report without recommendations shows nothing', async () => {
  serve(rows());
  const { container } = show(<FollowUpNotice report={reportOf('<p>Normal.</p>')} />);

  expect(container.querySelector('ul')).toBeNull();
});
