import { identities, type IdentityDecision } from '@radwork/contract/imaging/identities';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { questionOf, queueOf } from '#test/identities.ts';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';

const posted = (calls: SentRequest[]) =>
  calls
    .filter(({ method, url }) => method === 'POST' && url.pathname.startsWith('/api/identities/'))
    .map(({ url, body }) => [url.pathname, body]);

/** Opens the screen as an administrator. The server accepts decisions and their undo. */
const open = async (initial = questionOf(), ...answers: Parameters<typeof visit>[1][]) => {
  signIn('ADMIN');
  let question = initial;
  const view = visit(
    initial.state === 'OPEN' ? '/identities' : '/identities?state=DECIDED',
    ...answers,
    ...queueOf(() => [question]),
    answer(identities.decide, ({ body }) => {
      const { decision: state } = body as { decision: IdentityDecision };
      question = questionOf({ ...initial, state, decidedBy: 'Ada Admin', decidedDate: '2026-11-21T08:00:00Z' });
      return question;
    }),
    answer(identities.undo, () => {
      question = questionOf({ ...initial, state: 'OPEN', undoUntil: null });
      return question;
    }),
  );
  await screen.findByText(/^Different:/);
  return view;
};

test('an empty queue of identity questions shows that there is nothing to decide', async () => {
  signIn('ADMIN');
  visit('/identities', ...queueOf(() => []));

  expect(await screen.findByText('No open identity questions')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Same person' })).toBeNull();
});

test('an empty list of decisions shows that there is no decision yet', async () => {
  signIn('ADMIN');
  visit('/identities?state=DECIDED', ...queueOf(() => []));

  expect(await screen.findByText('No decisions yet')).toBeDefined();
});

test('the identity screen shows the progress of the search through earlier studies', async () => {
  const search = { patientsLookedAt: 50, patientsInAll: 900, studiesFound: 2, finishedDate: null };
  signIn('ADMIN');
  visit(
    '/identities',
    answer(identities.count, () => ({ open: 0, search })),
    ...queueOf(() => []),
  );

  expect(await screen.findByText('Searching earlier studies: 50 of 900 patients, 2 found.')).toBeDefined();
});

test('an identity question names the study, both patients and their differences', async () => {
  await open();
  const row = within(screen.getByRole('list', { name: 'Identities' }));

  expect(row.getByRole('link', { name: /CT chest CT/ }).getAttribute('href')).toBe('/studies/s1');
  expect(row.getByRole('link', { name: 'Alpha, Maria' }).getAttribute('href')).toBe('/patients/p1');
  expect(row.getByText('Has the patient ID P-1')).toBeDefined();
  expect(row.getByText(/F 1970-01-31/)).toBeDefined();
  expect(row.getByText('Kowalski, Piotr M 1950-05-05')).toBeDefined();
  expect(row.getByText('Different: name, date of birth')).toBeDefined();
});

test('the queue requests as many identity questions as its page size', async () => {
  const { calls } = await open();

  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Entries per page' }), '50 / page');

  await waitFor(() => expect(calls.at(-1)?.url.searchParams.get('size')).toBe('50'));
});

test.each([
  ['Same person', 'SAME_PERSON', /^Both records become one/],
  ['Another person', 'ANOTHER_PERSON', /^The study stays with its own patient record/],
  ['Send back', 'SENT_BACK', /^The study moves to the recycle bin/],
] as const)(
  'the answer "%s" is sent after a confirmation, with the revision that the user saw',
  async (verb, decision, consequence) => {
    const { calls } = await open();
    await userEvent.click(screen.getByRole('button', { name: verb }));
    const dialog = within(await screen.findByRole('dialog', { name: `${verb}?` }));
    expect(dialog.getByText(consequence)).toBeDefined();
    expect(dialog.queryByRole('textbox')).toBeNull();
    expect(posted(calls)).toEqual([]);

    await userEvent.click(dialog.getByRole('button', { name: verb }));

    expect(await screen.findByText('Identity decided')).toBeDefined();
    expect(posted(calls)).toEqual([['/api/identities/q1/decision', { decision, studyRevision: 7, confirmedName: '' }]]);
    expect(await screen.findByText('No open identity questions')).toBeDefined();
  },
);

test('canceling the confirmation sends no decision', async () => {
  const { calls } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Same person' }));

  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }));

  expect(posted(calls)).toEqual([]);
  expect(screen.getByRole('button', { name: 'Same person' })).toBeDefined();
});

test('moving a signed report to another patient requires the typed name of that patient', async () => {
  const { study } = questionOf();
  const { calls } = await open(questionOf({ provisionalPatientId: null, study: { ...study, signedReports: 1 } }));
  await userEvent.click(screen.getByRole('button', { name: 'Another person' }));
  const dialog = within(await screen.findByRole('dialog'));

  await userEvent.type(dialog.getByRole('textbox', { name: 'Name to confirm: Kowalski, Piotr' }), 'Kowalski');
  await userEvent.click(dialog.getByRole('button', { name: 'Another person' }));

  expect(await screen.findByText('Identity decided')).toBeDefined();
  expect(posted(calls)[0]?.[1]).toMatchObject({ decision: 'ANOTHER_PERSON', confirmedName: 'Kowalski' });
});

test('a failed decision shows the reason in the dialog, and the question stays open', async () => {
  const words = 'The study was changed meanwhile. Look at it again.';
  await open(questionOf(), refuse(identities.decide, 409, words));
  await userEvent.click(screen.getByRole('button', { name: 'Same person' }));
  const dialog = within(await screen.findByRole('dialog'));

  await userEvent.click(dialog.getByRole('button', { name: 'Same person' }));

  expect(await dialog.findByText(words)).toBeDefined();
  expect(screen.getByText('Different: name, date of birth')).toBeDefined();
});

const decided = questionOf({
  state: 'ANOTHER_PERSON',
  decidedBy: 'Ada Admin',
  decidedDate: '2026-11-21T08:00:00Z',
  undoUntil: '2026-12-21T08:00:00Z',
});

test('a decision shows its author and can be undone', async () => {
  const { calls } = await open(decided);
  expect(screen.getByText(/^Another person, Ada Admin/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Same person' })).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));

  expect(await screen.findByText('Decision undone')).toBeDefined();
  expect(posted(calls).map(([path]) => path)).toEqual(['/api/identities/q1/undo']);
  expect(await screen.findByText('No decisions yet')).toBeDefined();
});

test('a decision whose undo period has ended offers no undo', async () => {
  await open({ ...decided, undoUntil: null });

  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});
