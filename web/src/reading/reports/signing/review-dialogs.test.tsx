import { reportComments } from '@radwork/contract/reading/report-comments';
import { reports } from '@radwork/contract/reading/reports';
import { type ReviewPhrase, reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { reportFor } from '#test/written-report.ts';
import { RequestReviewDialog, RerouteReviewDialog, SubmitReviewDialog } from './review-dialogs.tsx';

const report = reportFor();
const reviewerId = '0190f6f0-0000-7000-8000-000000000001';
const reviewers = answer(reports.reviewers, () => [{ id: reviewerId, username: 'rex', name: 'Rex Reviewer' }]);
const close = () => {};

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

test("a request for a review names the colleague and the revision on the author's screen", async () => {
  const calls = serve(
    reviewers,
    answer(reports.requestReview, () => report),
  );
  show(<RequestReviewDialog report={report} opened onClose={close} />);

  await press('Request review');
  expect(await screen.findByText('Please select a reviewer')).toBeDefined();
  await userEvent.click(screen.getByRole('combobox', { name: 'Reviewer' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Rex Reviewer' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Notes' }), 'Side?');
  await press('Request review');

  expect(await screen.findByText('Review requested successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reviewerId, notes: 'Side?', revision: 1 });
});

test.each([
  ['SubmitReview', SubmitReviewDialog, reports.submitReview, 'Submit review', /No review was submitted/],
  ['RequestReview', RequestReviewDialog, reports.requestReview, 'Request review', /No review was requested/],
] as const)(
  'the dialog %s does not show a warning about its own change while it closes',
  async (_name, Form, endpoint, verb, denial) => {
    const news = new EventTarget();
    const denials: boolean[] = [];
    serve(
      reviewers,
      answer(endpoint, () => {
        // The page learns of the change before it receives the answer.
        act(() => void news.dispatchEvent(new Event('newer')));
        denials.push(screen.queryByText(denial) !== null);
        return report;
      }),
    );
    function Changing() {
      const [shown, setShown] = useState(
        reportFor({ reviewer: { id: reviewerId, username: 'rex', name: 'Rex Reviewer' } }),
      );
      useEffect(() => news.addEventListener('newer', () => setShown((before) => ({ ...before, revision: 2 }))), []);
      return <Form report={shown} opened onClose={close} />;
    }
    show(<Changing />);

    if (verb === 'Submit review') await press('I agree with the report.');
    await press(verb);

    expect(await screen.findByText(/successfully/)).toBeDefined();
    expect(denials).toEqual([false]);
    expect(screen.queryByText(denial)).toBeNull();
  },
);

test('the dialog to change the reviewer does not offer the present reviewer', async () => {
  const currentReviewer = { id: '0190f6f0-0000-7000-8000-000000000002', username: 'gone', name: 'Gwen Gone' };
  const calls = serve(
    answer(reports.reviewers, () => [currentReviewer, { id: reviewerId, username: 'rex', name: 'Rex Reviewer' }]),
    answer(reports.rerouteReview, () => report),
  );
  show(<RerouteReviewDialog report={reportFor({ reviewer: currentReviewer })} opened onClose={close} />);

  await userEvent.click(screen.getByRole('combobox', { name: 'Reviewer' }));
  expect(await screen.findAllByRole('option')).toHaveLength(1);
  await userEvent.click(screen.getByRole('option', { name: 'Rex Reviewer' }));
  await press('Ask this reviewer');

  expect(await screen.findByText('Review requested successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ reviewerId, revision: 1 });
});

test('reviewers that fail to load show a message and a retry', async () => {
  serve(refuse(reports.reviewers, 503, 'The database cannot be reached.'));
  show(<RerouteReviewDialog report={report} opened onClose={close} />);

  expect(await screen.findByText('Could not load reviewers')).toBeDefined();
  serve(reviewers);
  await press('Retry');

  expect(await screen.findByRole('combobox', { name: 'Reviewer' })).toBeDefined();
});

test('a review requires comments, and one click inserts a prepared phrase', async () => {
  const calls = serve(answer(reports.submitReview, () => report));
  show(<SubmitReviewDialog report={report} opened onClose={close} />);

  await press('Submit review');
  expect(await screen.findByText('Review comments are required')).toBeDefined();
  await press('I agree with the report.');
  await press('Submit review');

  expect(await screen.findByText('Review submitted successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    approved: true,
    comments: 'I agree with the report.',
    revision: 1,
  });
});

test('requesting a revision does not approve the report', async () => {
  const calls = serve(answer(reports.submitReview, () => report));
  show(<SubmitReviewDialog report={report} opened onClose={close} />);

  await userEvent.click(screen.getByRole('radio', { name: 'Request revision' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Comments' }), 'Side?');
  await press('Submit review');

  expect(await screen.findByText('Review submitted successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    approved: false,
    comments: 'Side?',
    revision: 1,
  });
});

test('a reviewer cannot submit a review on a text that they have not seen', async () => {
  const calls = serve(answer(reports.submitReview, () => report));
  const news = new EventTarget();
  function Changing() {
    const [shown, setShown] = useState(report);
    useEffect(() => news.addEventListener('newer', () => setShown({ ...report, revision: 2 })), []);
    return <SubmitReviewDialog report={shown} opened onClose={close} />;
  }
  show(<Changing />);
  await press('I agree with the report.');
  act(() => void news.dispatchEvent(new Event('newer')));

  expect(screen.getByRole('button', { name: 'Submit review' })).toHaveProperty('disabled', true);
  expect(screen.getByText(/No review was submitted\.$/)).toBeDefined();
  await press('Review newer text');
  await press('Submit review');

  expect(await screen.findByText('Review submitted successfully')).toBeDefined();
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({ approved: true, revision: 2 });
});

test('an error stays in the dialog after its toast has disappeared', async () => {
  serve(refuse(reports.submitReview, 409, 'The report is Draft. No review is pending.'));
  show(<SubmitReviewDialog report={report} opened onClose={close} />);

  await userEvent.type(screen.getByRole('textbox', { name: 'Comments' }), 'No');
  await userEvent.click(screen.getByRole('radio', { name: 'Request revision' }));
  await press('Submit review');

  const words = await within(screen.getByRole('dialog')).findByRole('alert');
  expect(words.textContent).toBe('The report is Draft. No review is pending.');
});

const phraseFor = (overrides: Partial<ReviewPhrase> = {}): ReviewPhrase => ({
  id: 'p1',
  text: 'Agreed.',
  decision: 'APPROVE',
  isShared: true,
  ...overrides,
});

const offered = () =>
  within(screen.getByRole('group', { name: 'Phrases' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

test('offers the built-in phrases for the decision, and choosing one never changes the decision', async () => {
  serve();
  show(<SubmitReviewDialog report={report} opened onClose={close} />);

  expect(offered()).toEqual([
    'I have reviewed the images and agree with the report.',
    'I agree with the report.',
    'Edit phrases',
  ]);
  await press('I have reviewed the images and agree with the report.');
  expect(screen.getByRole('radio', { name: 'Approve' })).toHaveProperty('checked', true);
  await userEvent.click(screen.getByRole('radio', { name: 'Request revision' }));

  expect(offered()).toEqual([
    'Please see my comments in the text.',
    'Please compare with the prior study.',
    'Edit phrases',
  ]);
  // The phrase of an approval would contradict the request.
  expect(screen.getByRole('textbox', { name: 'Comments' })).toHaveProperty('value', '');
});

test("the organization's phrases replace the built-in ones, and own phrases follow", async () => {
  serve(answer(reviewPhrases.list, () => [phraseFor(), phraseFor({ id: 'p2', text: 'Mine.', isShared: false })]));
  show(<SubmitReviewDialog report={report} opened onClose={close} />);

  expect(await screen.findByRole('button', { name: 'Mine.' })).toBeDefined();
  expect(offered()).toEqual(['Agreed.', 'Mine.', 'Edit phrases']);
});

test('a typed comment stays when the decision changes', async () => {
  serve();
  show(<SubmitReviewDialog report={report} opened onClose={close} />);

  await userEvent.type(screen.getByRole('textbox', { name: 'Comments' }), 'Side?');
  await userEvent.click(screen.getByRole('radio', { name: 'Request revision' }));

  expect(screen.getByRole('textbox', { name: 'Comments' })).toHaveProperty('value', 'Side?');
});

test('a reviewer saves the comments as a phrase and deletes only own phrases', async () => {
  const phrases = [phraseFor(), phraseFor({ id: 'p2', text: 'Mine.', isShared: false })];
  const calls = serve(
    answer(reviewPhrases.list, () => phrases),
    answer(reviewPhrases.create, () => phraseFor()),
    answer(reviewPhrases.remove, () => undefined),
  );
  show(<SubmitReviewDialog report={report} opened onClose={close} />);
  await screen.findByRole('button', { name: 'Mine.' });

  await userEvent.type(screen.getByRole('textbox', { name: 'Comments' }), 'Well done.');
  await press('Edit phrases');
  await press('Save comments as phrase');
  await screen.findByText('Phrase saved');
  await press('Delete phrase "Mine."');
  await screen.findByText('Phrase deleted');

  expect(screen.queryByRole('button', { name: /Delete shared phrase/ })).toBeNull();
  const changes = calls.filter(({ method }) => method !== 'GET');
  expect(changes.map(({ method, url, body }) => [method, url.pathname, body])).toEqual([
    ['POST', '/api/review-phrases', { text: 'Well done.', decision: 'APPROVE', isShared: false }],
    ['DELETE', '/api/review-phrases/p2', undefined],
  ]);
});

test('an approval warns of suggestions that it would leave open', async () => {
  const anchor = { exact: 'Stored', prefix: '', suffix: '.', start: 0, end: 6 };
  const author = { id: reviewerId, username: 'rex', name: 'Rex Reviewer' };
  const suggested = { id: 'c1', author, version: 1, anchor, text: '', replacement: 'Kept', state: 'OPEN' } as const;
  const rest = { settledBy: null, settledAt: null, createdAt: '2026-11-21T10:00:00Z', replies: [], canDelete: false };
  serve(
    answer(reportComments.list, () => ({
      reportId: 'r1',
      studyId: 's1',
      comments: [{ ...suggested, ...rest }],
      canComment: true,
      canSuggest: true,
      canDecide: false,
    })),
  );
  show(<SubmitReviewDialog report={reportFor({ commentCount: 1 })} opened onClose={close} />);

  expect(await screen.findByText(/^1 suggested change is open\./)).toBeDefined();
  await userEvent.click(screen.getByRole('radio', { name: 'Request revision' }));
  expect(screen.queryByText(/suggested change is open/)).toBeNull();
});
