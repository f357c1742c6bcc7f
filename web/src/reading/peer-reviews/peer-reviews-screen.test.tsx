import {
  defaultGradeLabels,
  type PeerReview,
  peerReviewExport,
  peerReviews,
} from '@radwork/contract/reading/peer-reviews';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { testScreenAccess } from '#test/screen-access.tsx';
import { answer, answerBytes, refuse, signIn, visit } from '#test/screen.tsx';

const reviewOf = (overrides: Partial<PeerReview> = {}): PeerReview => ({
  id: 'v1',
  origin: 'RANDOM',
  state: 'OPEN',
  isReviewer: true,
  author: null,
  reviewer: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
  reportId: 'r1',
  studyId: 's1',
  modality: 'CT',
  studyDescription: 'CT chest',
  studyDate: '2026-11-01T09:30:00',
  patientName: 'Doe, Jane',
  patientId: 'P-1',
  grade: null,
  gradeLabel: '',
  isSignificant: false,
  comment: '',
  scoredAt: null,
  reply: '',
  repliedAt: null,
  createdDate: '2026-11-02T10:00:00Z',
  canScore: true,
  canReply: false,
  ...overrides,
});

const received = reviewOf({
  state: 'SCORED',
  isReviewer: false,
  reviewer: null,
  grade: 3,
  gradeLabel: 'Difference that could change the care of the patient',
  isSignificant: true,
  comment: 'A nodule is missing',
  scoredAt: '2026-11-03T10:00:00Z',
  canScore: false,
  canReply: true,
});

const list = (...content: PeerReview[]) =>
  answer(peerReviews.list, () => ({
    content,
    totalElements: content.length,
    totalPages: 1,
    number: 0,
    size: 25,
    toDo: content.length,
  }));
testScreenAccess('/peer-reviews', { openTo: ['RADIOLOGIST'], entry: 'Peer reviews' }, list());

const whole = (review: PeerReview) =>
  answer(peerReviews.get, () => ({
    ...review,
    grades: defaultGradeLabels(),
    parts: [{ number: 0, kind: 'REPORT', passage: '', content: '<p>No acute finding.</p>' }],
  }));
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Peer review' }));

test('a reviewer reads the signed text without its author and scores it', async () => {
  signIn();
  const { calls } = visit(
    '/peer-reviews',
    list(reviewOf()),
    whole(reviewOf()),
    answer(peerReviews.score, () => reviewOf({ state: 'SCORED', grade: 3 })),
  );

  await press(/Doe, Jane/);
  const shown = await dialog();
  expect(await shown.findByText('No acute finding.')).toBeDefined();
  expect(shown.queryByText(/^Author/)).toBeNull();
  await userEvent.click(shown.getByRole('radio', { name: /^3 · Difference/ }));
  await userEvent.click(shown.getByRole('button', { name: 'Save review' }));
  expect(await shown.findByText('Comment is required')).toBeDefined();
  await userEvent.click(shown.getByRole('checkbox', { name: 'Clinically significant' }));
  await userEvent.type(shown.getByRole('textbox', { name: 'Comment' }), 'A nodule is missing');
  await userEvent.click(shown.getByRole('button', { name: 'Save review' }));

  expect(await screen.findByText('Peer review saved')).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    grade: 3,
    isSignificant: true,
    comment: 'A nodule is missing',
  });
});

test('an author reads the review of a hidden reviewer and replies', async () => {
  signIn();
  const { calls } = visit(
    '/peer-reviews?view=RECEIVED&reviewId=v1',
    list(received),
    whole(received),
    answer(peerReviews.reply, () => received),
  );

  const shown = await dialog();
  expect(await shown.findByText('A nodule is missing')).toBeDefined();
  expect(shown.queryByText(/^Reviewer/)).toBeNull();
  expect(shown.queryByRole('radio')).toBeNull();
  await userEvent.type(shown.getByRole('textbox', { name: 'Reply' }), 'Thank you');
  await userEvent.click(shown.getByRole('button', { name: 'Send reply' }));

  expect(await screen.findByText('Reply sent')).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ reply: 'Thank you' });
});

test('a reviewer passes an open review on', async () => {
  signIn();
  const { calls } = visit(
    '/peer-reviews?reviewId=v1',
    list(reviewOf()),
    whole(reviewOf()),
    answer(peerReviews.pass, () => undefined),
  );

  await press('Pass on to another reviewer');

  expect(await screen.findByText('Peer review passed on')).toBeDefined();
  expect(calls.some(({ url }) => url.pathname === '/api/peer-reviews/v1/pass')).toBe(true);
});

test('the list says that it is empty, and offers a retry when it cannot load', async () => {
  signIn();
  const first = visit('/peer-reviews', list());
  expect(await screen.findByText('No peer reviews here')).toBeDefined();
  first.unmount();

  visit('/peer-reviews', refuse(peerReviews.list, 500, 'Server error occurred'));

  expect(await screen.findByText('Failed to load peer reviews')).toBeDefined();
});

test('the shown view is exported as CSV', async () => {
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }));
  signIn('RADIOLOGIST');
  const { calls } = visit(
    '/peer-reviews?view=DONE',
    list(),
    answerBytes(peerReviewExport.path, () => new Response('"Patient Name"')),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));

  await screen.findByText('Peer reviews exported. The audit log records the export.');
  const sent = calls.find(({ url }) => url.pathname === peerReviewExport.path);
  expect(sent?.url.searchParams.get('view')).toBe('DONE');
});
