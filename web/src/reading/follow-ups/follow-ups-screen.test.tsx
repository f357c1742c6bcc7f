import { type FollowUp, type FollowUpHistoryEntry, followUps } from '@radwork/contract/reading/follow-ups';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { followUpOf } from '#test/follow-ups.ts';
import { testScreenAccess } from '#test/screen-access.tsx';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';

const register = (...content: FollowUp[]) =>
  answer(followUps.list, () => ({
    content,
    totalElements: content.length,
    totalPages: 1,
    number: 0,
    size: 25,
    overdue: content.filter(({ isOverdue }) => isOverdue).length,
  }));

testScreenAccess(
  '/follow-ups',
  { openTo: ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN'], entry: 'Follow-ups' },
  register(),
);

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => {
  await press('Change CT · Chest');
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};
const decisions = (calls: readonly SentRequest[]) =>
  calls.filter(({ url, method }) => method === 'PUT' && url.pathname.endsWith('/state')).map(({ body }) => body);

test('a row shows examination, time, patient, owner and the sentence of the report', async () => {
  signIn();
  visit('/follow-ups', register(followUpOf({ isOverdue: true, dueFrom: '2026-11-01', dueTo: '2026-11-20' })));

  const card = within(await screen.findByRole('article'));

  expect(card.getByText('CT · Chest')).toBeDefined();
  expect(card.getByText('due 2026-11-01 to 2026-11-20')).toBeDefined();
  expect(card.getByText('Overdue')).toBeDefined();
  expect(card.getByText('Recommend CT chest in 6 months.')).toBeDefined();
  expect(card.getByText('Owner: Elise Moreau')).toBeDefined();
  expect(card.getByRole('link', { name: 'Doe, Jane' }).getAttribute('href')).toBe('/studies/s1');
  expect(screen.getByText('1 overdue')).toBeDefined();
});

test('one press accepts an offer, another one dismisses it and can be undone', async () => {
  signIn();
  const offer = followUpOf({ state: 'OFFERED' });
  const { calls } = visit(
    '/follow-ups?view=OFFERED',
    register(offer),
    answer(followUps.decide, ({ body }) => ({ ...offer, state: (body as FollowUp).state, revision: 4 })),
  );

  await press('Add to follow-ups');
  await press('Not a recommendation');
  await press('Undo');

  expect(decisions(calls)).toEqual([
    { state: 'OPEN', revision: 3 },
    { state: 'DISMISSED', revision: 3 },
    { state: 'OFFERED', revision: 4 },
  ]);
});

test('declining asks for a reason and says what happens', async () => {
  signIn();
  const { calls } = visit(
    '/follow-ups',
    register(followUpOf()),
    answer(followUps.decide, () => followUpOf({ state: 'DECLINED' })),
  );

  await choose('Declined…');
  expect(await screen.findByText(/Reminders stop/)).toBeDefined();
  await press('Decline follow-up');
  expect(await screen.findByText('Reason is required')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Palliative care');
  await press('Decline follow-up');

  expect(await screen.findByText('Follow-up declined')).toBeDefined();
  expect(decisions(calls)).toEqual([{ state: 'DECLINED', reason: 'Palliative care', revision: 3 }]);
});

test('a study that agrees in part is offered to the user, who accepts or dismisses it', async () => {
  signIn();
  const candidate = { id: 's9', modality: 'CT', description: 'CT thorax', studyDate: '2027-01-01' };
  const { calls } = visit(
    '/follow-ups',
    register(followUpOf({ candidate })),
    answer(followUps.decide, () => followUpOf({ state: 'DONE' })),
    answer(followUps.dismissMatch, () => followUpOf()),
  );

  expect((await screen.findByRole('link', { name: 'CT · CT thorax · 2027-01-01' })).getAttribute('href')).toBe(
    '/studies/s9',
  );
  await press('This is it');
  await press('Another examination');

  expect(decisions(calls)).toEqual([{ state: 'DONE', studyId: 's9', revision: 3 }]);
  const dismissal = calls.find(({ url }) => url.pathname.endsWith('/match-dismissals'));
  expect(dismissal?.body).toEqual({ studyId: 's9' });
});

test('an edit saves examination, days and owner, and refuses days out of order', async () => {
  signIn();
  const { calls } = visit(
    '/follow-ups',
    register(followUpOf()),
    answer(followUps.owners, () => [
      { id: '01990000-0000-7000-8000-000000000003', username: 'e.moreau', name: 'Elise Moreau' },
    ]),
    answer(followUps.edit, () => followUpOf()),
  );

  await choose('Edit…');
  await userEvent.click(await screen.findByRole('combobox', { name: 'Owner' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Elise Moreau' }));
  const until = screen.getByRole('textbox', { name: 'Due until' });
  await userEvent.clear(until);
  await userEvent.type(until, '2027-01-01');
  await press('Save');
  expect(await screen.findByText('The last day must not be before the first')).toBeDefined();
  await userEvent.clear(until);
  await userEvent.type(until, '2027-06-01');
  await press('Save');

  expect(await screen.findByText('Follow-up saved')).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    modality: 'CT',
    bodyPart: 'CHEST',
    dueFrom: '2027-05-01',
    dueTo: '2027-06-01',
    ownerId: '01990000-0000-7000-8000-000000000003',
    revision: 3,
  });
});

test('a row of a notification opens with its history, and a row to check says why', async () => {
  signIn('REFERRING_PHYSICIAN');
  const row = followUpOf({ reviewCause: 'CORRECTED', canChange: false });
  const history: FollowUpHistoryEntry[] = [
    { at: '2026-11-02T10:00:00Z', event: 'STATE', actor: row.owner, state: 'SCHEDULED', reason: '' },
    { at: '2026-11-01T10:00:00Z', event: 'OFFERED', actor: null, state: 'OFFERED', reason: '' },
  ];
  visit(
    '/follow-ups?followUpId=f1',
    register(),
    answer(followUps.get, () => ({ ...row, history })),
  );

  expect(await screen.findByText('The report was corrected. Check this follow-up.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull();
  await press('History');
  const entries = within(await screen.findByRole('list', { name: 'History' })).getAllByRole('listitem');
  expect(entries.map(({ textContent }) => textContent?.replace(/ · \d{4}.*/, ''))).toEqual([
    'Scheduled · Elise Moreau',
    'Recognized in the report · System',
  ]);
});

test('the views and filters stay in the address', async () => {
  signIn();
  const { address } = visit('/follow-ups', register(followUpOf()));
  await screen.findByRole('article');

  await press(/^Overdue/);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Only mine' }));

  expect(address()).toBe('/follow-ups?view=OVERDUE&mine=true');
});

test('the register says that nothing waits, and offers a retry when it cannot load', async () => {
  signIn();
  const first = visit('/follow-ups', register());
  expect(await screen.findByText('No follow-up waits')).toBeDefined();
  first.unmount();

  visit('/follow-ups', refuse(followUps.list, 500, 'Server error occurred'));

  expect(await screen.findByText('Failed to load follow-ups')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('an administrator sets the owner and further recipients of reminders, a radiologist cannot', async () => {
  signIn('ADMIN');
  const admin = { id: 'u9', username: 'admin', name: 'Ada Admin' };
  const settings = { owner: 'REFERRER' as const, remindsAuthor: true, contacts: [], candidates: [admin] };
  const { calls, unmount } = visit(
    '/follow-ups',
    register(),
    answer(followUps.settings, () => settings),
    answer(followUps.saveSettings, () => settings),
  );

  await press('Reminders');
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Remind the author of the report, too' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Also remind' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Ada Admin' }));
  await press('Save');

  expect(await screen.findByText('Settings saved')).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    owner: 'REFERRER',
    remindsAuthor: false,
    contacts: ['u9'],
  });
  unmount();
  signIn();
  visit('/follow-ups', register());
  await screen.findByText('No follow-up waits');
  expect(screen.queryByRole('button', { name: 'Reminders' })).toBeNull();
});
