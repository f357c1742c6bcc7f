import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { communicationOf, finder, findingOf, referrer } from '#test/critical-findings.ts';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';

const board = (...content: ReturnType<typeof findingOf>[]) =>
  answer(criticalFindings.list, () => ({
    content,
    totalElements: content.length,
    totalPages: 1,
    number: 0,
    size: 25,
  }));

const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

/** Returns the requests sent, except those for the session. */
const posted = (calls: readonly SentRequest[]) =>
  calls.find(({ method, url }) => method === 'POST' && !url.pathname.startsWith('/api/auth/'));

const pick = async (field: string, option: string) => {
  await userEvent.click(await screen.findByRole('combobox', { name: field }));
  await userEvent.click(await screen.findByRole('option', { name: option }));
};

test('the board shows open findings with their time, patient and a link to the study', async () => {
  signIn();
  const attempt = communicationOf({ wasReached: false, hasReadBack: false, note: 'Line was busy' });
  visit(
    '/critical-findings',
    board(
      findingOf({ communications: [attempt], escalation: 'ON_CALL' }),
      findingOf({ id: 'f2', severity: 'URGENT', state: 'COMMUNICATED' }),
    ),
  );

  const [first, second] = await screen.findAllByRole('article');

  expect(within(first as HTMLElement).getByText('Tension pneumothorax')).toBeDefined();
  expect(within(first as HTMLElement).getByText('Not communicated')).toBeDefined();
  expect(within(first as HTMLElement).getByRole('timer').textContent).toMatch(/overdue$/);
  const link = within(first as HTMLElement).getByRole('link', { name: 'Doe, Jane' });
  expect(link.getAttribute('href')).toBe('/studies/s1');
  expect(within(first as HTMLElement).getByText('P-1')).toBeDefined();
  expect(within(first as HTMLElement).getByText('Critical')).toBeDefined();
  expect(within(first as HTMLElement).getByText(/^Not reached: Elise Moreau \(Phone\)/)).toBeDefined();
  expect(within(first as HTMLElement).getByText('Line was busy')).toBeDefined();
  expect(within(first as HTMLElement).getByText('On-call notified: not communicated in time')).toBeDefined();
  expect(within(second as HTMLElement).getByText('Urgent')).toBeDefined();
  expect(within(second as HTMLElement).getByText('Communicated, not acknowledged')).toBeDefined();
  expect(within(second as HTMLElement).queryByRole('timer')).toBeNull();
});

/** A move of the study to another patient. */
const restart = {
  at: '2026-11-21T12:00:00Z',
  state: 'ACKNOWLEDGED' as const,
  acknowledgedAt: '2026-11-21T11:00:00Z',
  acknowledgedBy: referrer,
  acknowledgedHow: 'TOLD' as const,
};

test('a finding of a moved study shows its former communication and asks for a new one', async () => {
  signIn();
  const present = communicationOf({ id: 'c2', wasReached: false, toldAt: '2026-11-21T12:30:00Z' });
  const communications = [communicationOf({ isOfFormerPatient: true }), present];
  visit('/critical-findings', board(findingOf({ communications, restarts: [restart] })));

  const trail = within(await screen.findByRole('article')).getAllByRole('listitem');

  const then = /\d{4}-\S+ \d\d:\d\d/;
  expect(trail.map(({ textContent }) => textContent?.replace(then, 'then'))).toEqual([
    'Identified by Mona Haddad then',
    'Communicated to Elise Moreau (Phone, read back) then by Mona Haddad (for the previous patient)',
    'Acknowledged by Elise Moreau then (for the previous patient)',
    'Study moved to another patient then. Communicate the finding for this patient.',
    'Not reached: Elise Moreau (Phone) then by Mona Haddad',
  ]);
});

test('filters for severity and state limit the board and stay in the address', async () => {
  signIn();
  const { calls, address } = visit('/critical-findings', board(findingOf()));
  await screen.findByRole('article');

  await pick('Severity', 'Urgent: within hours');
  await pick('State', 'Acknowledged');

  await screen.findByText('1 shown');
  expect(address()).toBe('/critical-findings?severity=URGENT&state=ACKNOWLEDGED');
  const request = calls.filter(({ url }) => url.pathname === '/api/critical-findings').at(-1);
  expect(request?.url.searchParams.get('severity')).toBe('URGENT');
  expect(request?.url.searchParams.get('state')).toBe('ACKNOWLEDGED');
});

test('a communication records recipient, method, time and read-back', async () => {
  signIn();
  const { calls } = visit(
    '/critical-findings',
    board(findingOf({ restarts: [restart] })),
    answer(criticalFindings.recipients, () => [{ ...referrer, isConcerned: true }]),
    answer(criticalFindings.communicate, () => findingOf({ state: 'COMMUNICATED' })),
  );

  await press('Record communication');
  await press('Record');
  expect(await screen.findByText('Recipient is required')).toBeDefined();
  expect(screen.getByText('Method is required')).toBeDefined();
  await pick('Recipient', 'Elise Moreau');
  await pick('Method', 'Phone');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Recipient read back the finding' }));
  const when = screen.getByRole('textbox', { name: 'Time' });
  await userEvent.clear(when);
  await userEvent.type(when, '2026-11-21 14:05');
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Goes to theatre');
  await press('Record');

  expect(await screen.findByText('Communication recorded')).toBeDefined();
  expect(posted(calls)?.body).toEqual({
    recipientId: 'u3',
    recipientName: '',
    method: 'PHONE',
    wasReached: true,
    hasReadBack: true,
    toldAt: new Date('2026-11-21T14:05:00').toISOString(),
    note: 'Goes to theatre',
    restarts: 1,
  });
});

test('the dialog shows how two colleagues of the same name differ before the user chooses', async () => {
  signIn();
  const namesake = { id: 'u9', username: 'e.moreau2', name: 'Elise Moreau', isConcerned: false };
  const { calls } = visit(
    '/critical-findings',
    board(findingOf()),
    answer(criticalFindings.recipients, () => [{ ...referrer, isConcerned: true }, namesake]),
    answer(criticalFindings.communicate, () => findingOf({ state: 'COMMUNICATED' })),
  );

  await press('Record communication');
  await pick('Recipient', `Elise Moreau (${referrer.username})`);
  await pick('Method', 'Phone');
  await press('Record');

  expect(await screen.findByText('Communication recorded')).toBeDefined();
  expect(posted(calls)?.body).toMatchObject({ recipientId: referrer.id });
});

test('a failed communication with an outside recipient is recorded with the name and without a read-back', async () => {
  signIn();
  const { calls } = visit(
    '/critical-findings',
    board(findingOf()),
    answer(criticalFindings.recipients, () => []),
    answer(criticalFindings.communicate, () => findingOf()),
  );

  await press('Record communication');
  await userEvent.click(await screen.findByRole('radio', { name: 'External person' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Recipient' }), 'Dr Okafor, ward 3');
  await pick('Method', 'Phone');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Recipient read back the finding' }));
  await userEvent.click(screen.getByRole('radio', { name: 'Not reached' }));
  await press('Record');

  await screen.findByText('Communication recorded');
  expect(posted(calls)?.body).toMatchObject({
    recipientId: null,
    recipientName: 'Dr Okafor, ward 3',
    wasReached: false,
    hasReadBack: false,
  });
});

test('a recipient can acknowledge a finding from a notification that the board does not list', async () => {
  signIn('REFERRING_PHYSICIAN');
  const communicated = findingOf({
    state: 'COMMUNICATED',
    communications: [communicationOf()],
    canAcknowledge: true,
    canCommunicate: false,
    canWithdraw: false,
  });
  const { calls } = visit(
    '/critical-findings?findingId=f1',
    board(),
    answer(criticalFindings.get, () => communicated),
    answer(criticalFindings.acknowledge, () => findingOf({ state: 'ACKNOWLEDGED' })),
  );

  expect(await screen.findByText(/^Communicated to Elise Moreau \(Phone, read back\)/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Record communication' })).toBeNull();
  await press('Acknowledge');

  expect(await screen.findByText('Critical finding acknowledged')).toBeDefined();
  expect(posted(calls)?.url.pathname).toBe('/api/critical-findings/f1/acknowledgement');
});

test('a user withdraws a finding with a reason, after the dialog explains the effect', async () => {
  signIn();
  const { calls } = visit(
    '/critical-findings',
    board(findingOf()),
    answer(criticalFindings.withdraw, () => findingOf({ state: 'WITHDRAWN' })),
  );

  await press('Withdraw');
  expect(await screen.findByText(/The finding stays on record with your reason/)).toBeDefined();
  await press('Withdraw finding');
  expect(await screen.findByText('Reason is required')).toBeDefined();
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Skin fold');
  await press('Withdraw finding');

  expect(await screen.findByText('Critical finding withdrawn')).toBeDefined();
  expect(posted(calls)?.body).toEqual({ reason: 'Skin fold', restarts: 0 });
});

test('a withdrawn finding shows who withdrew it and why', async () => {
  signIn();
  const withdrawn = findingOf({
    state: 'WITHDRAWN',
    withdrawnAt: '2026-11-21T10:30:00Z',
    withdrawnBy: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad' },
    withdrawnReason: 'Skin fold',
    canCommunicate: false,
    canWithdraw: false,
  });
  visit(
    '/critical-findings?findingId=f1',
    board(),
    answer(criticalFindings.get, () => withdrawn),
  );

  expect((await screen.findByText(/^Withdrawn by Mona Haddad/)).textContent).toMatch(/: Skin fold$/);
  expect(screen.queryByRole('timer')).toBeNull();
});

test('the board shows a message when no finding is open, and a retry when it cannot load', async () => {
  signIn();
  const first = visit('/critical-findings', board());
  expect(await screen.findByText('No open critical findings')).toBeDefined();
  first.unmount();

  visit('/critical-findings', refuse(criticalFindings.list, 500, 'Server error occurred'));

  expect(await screen.findByText('Failed to load critical findings')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('an administrator can choose the escalation contacts, a radiologist cannot', async () => {
  signIn('ADMIN');
  const contacts = { onCall: [], lead: [], candidates: [referrer, finder] };
  const { calls, unmount } = visit(
    '/critical-findings',
    board(),
    answer(criticalFindings.contacts, () => contacts),
    answer(criticalFindings.saveContacts, () => contacts),
  );

  await press('Escalation');
  await userEvent.click(await screen.findByRole('combobox', { name: 'On call: notified when the time limit ends' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Elise Moreau' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Lead: notified next' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Mona Haddad' }));
  await press('Save');
  expect(await screen.findByText('Escalation saved')).toBeDefined();
  unmount();
  signIn('RADIOLOGIST');
  visit('/critical-findings', board());
  await screen.findByText('No open critical findings');

  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ onCall: ['u3'], lead: ['u1'] });
  expect(screen.queryByRole('button', { name: 'Escalation' })).toBeNull();
});

test('findings on the board do not move under the pointer, and new findings stay below until requested', async () => {
  signIn();
  const communicated = { state: 'COMMUNICATED', canAcknowledge: true } as const;
  let content = [
    findingOf({ ...communicated, finding: 'Leak' }),
    findingOf({ ...communicated, id: 'f2', finding: 'Clot' }),
  ];
  const page = () => ({ content, totalElements: content.length, totalPages: 1, number: 0, size: 25 });
  const { client } = visit('/critical-findings', answer(criticalFindings.list, page));
  const findings = () =>
    screen.getAllByRole('article').map((card) => /Leak|Clot|Bleed/.exec(card.textContent ?? '')?.[0]);
  const [, acknowledge] = await screen.findAllByRole('button', { name: 'Acknowledge' });
  await userEvent.hover(acknowledge as HTMLElement);

  content = [findingOf({ id: 'f3', finding: 'Bleed' }), ...content.toReversed()];
  await act(() => client.invalidateQueries({ queryKey: ['critical-findings'] }));

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  expect(findings()).toEqual(['Leak', 'Clot', 'Bleed']);
  await userEvent.click(screen.getByRole('button', { name: 'Update list' }));
  expect(findings()).toEqual(['Bleed', 'Clot', 'Leak']);
});

test('a double click acknowledges only one finding, which keeps its place and shows its new state', async () => {
  signIn();
  const communicated = { state: 'COMMUNICATED', canAcknowledge: true } as const;
  let content = [
    findingOf({ ...communicated, finding: 'Leak' }),
    findingOf({ ...communicated, id: 'f2', finding: 'Clot' }),
  ];
  visit(
    '/critical-findings',
    answer(criticalFindings.list, () => ({ content, totalElements: 2, totalPages: 1, number: 0, size: 25 })),
    answer(criticalFindings.acknowledge, () => {
      content = content.slice(1);
      return findingOf({ state: 'ACKNOWLEDGED', finding: 'Leak' });
    }),
  );

  await userEvent.click((await screen.findAllByRole('button', { name: 'Acknowledge' }))[0] as HTMLElement);

  expect(await screen.findByText('The list has changed.')).toBeDefined();
  const [first, second] = screen.getAllByRole('article').map((card) => within(card));
  expect(first?.getByText('Leak')).toBeDefined();
  expect(first?.getByText('No longer in this list')).toBeDefined();
  expect(first?.queryByRole('button')).toBeNull();
  expect(second?.getByRole('button', { name: 'Acknowledge' })).toBeDefined();
});

test('a new finding appears at once on an empty board, even if the pointer is over the board', async () => {
  signIn();
  let content: ReturnType<typeof findingOf>[] = [];
  const page = () => ({ content, totalElements: content.length, totalPages: 1, number: 0, size: 25 });
  const { client } = visit('/critical-findings', answer(criticalFindings.list, page));
  await userEvent.hover(await screen.findByText('No open critical findings'));

  content = [findingOf()];
  await act(() => client.invalidateQueries({ queryKey: ['critical-findings'] }));

  expect(await screen.findByRole('article')).toBeDefined();
});
