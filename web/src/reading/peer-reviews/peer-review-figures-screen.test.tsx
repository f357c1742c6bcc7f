import { peerReviews } from '@radwork/contract/reading/peer-reviews';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { testScreenAccess } from '#test/screen-access.tsx';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const figures = answer(peerReviews.figures, () => [
  {
    reader: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
    signed: 40,
    chosenAtRandom: 2,
    chosenByHand: 1,
    open: 1,
    grades: [1, 0, 1, 0],
    significant: 1,
  },
]);

testScreenAccess('/peer-review-figures', { openTo: ['SUPER_ADMIN', 'ADMIN'], entry: 'Peer review figures' }, figures);

test('the table counts the reviews of each reader by grade', async () => {
  signIn('ADMIN');
  visit('/peer-review-figures', figures);

  const row = within(await screen.findByRole('row', { name: /Mona Haddad/ }));

  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
    '40',
    '2',
    '1',
    '1',
    '1',
    '0',
    '1',
    '0',
    '1',
  ]);
});

test('an administrator sets share, hidden names and wording', async () => {
  signIn('ADMIN');
  const settings = { percent: 0, hidesAuthor: true, hidesReviewer: true, grades: ['A', 'B', 'C', 'D'] };
  const { calls } = visit(
    '/peer-review-figures',
    figures,
    answer(peerReviews.settings, () => settings),
    answer(peerReviews.saveSettings, () => settings),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
  const share = await screen.findByRole('textbox', { name: /^Share of the signed reports/ });
  await userEvent.clear(share);
  await userEvent.type(share, '5');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Hide the reviewer from the author' }));
  await userEvent.clear(screen.getByRole('textbox', { name: 'Wording of grade 4' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Wording is required')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Wording of grade 4' }), 'Missed');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));

  expect(await screen.findByText('Settings saved')).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    percent: 5,
    hidesAuthor: true,
    hidesReviewer: false,
    grades: ['A', 'B', 'C', 'Missed'],
  });
});

test('the table offers a retry when it cannot load, and says that no report was signed', async () => {
  signIn('ADMIN');
  const first = visit('/peer-review-figures', refuse(peerReviews.figures, 500, 'Server error occurred'));
  expect(await screen.findByText('Failed to load figures')).toBeDefined();
  first.unmount();

  visit(
    '/peer-review-figures',
    answer(peerReviews.figures, () => []),
  );

  expect(await screen.findByText('No signed reports')).toBeDefined();
});
