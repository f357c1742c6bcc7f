import { audit, type AuditEntry, type AuditPage, type VerifyEvent } from '@radwork/contract/identity/audit';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

type Answer = ReturnType<typeof answer>;

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const entry = (overrides: Partial<AuditEntry> = {}): AuditEntry => ({
  id: '17',
  time: '2026-11-20T09:30:05.000Z',
  user: { id: id(1), username: 'm.haddad', userType: 'RADIOLOGIST' },
  tenant: 'Northfield Imaging',
  action: 'study.view',
  entity: 'study',
  entityId: id(2),
  patient: { id: id(3), name: 'Bergström, Chidi', state: 'THERE' },
  study: { id: id(2), name: 'ACC-1', state: 'THERE' },
  outcome: 'SUCCESS',
  ip: '203.0.113.9',
  detail: { fields: 'description' },
  position: 12,
  seal: 'abcd',
  ...overrides,
});

const page = (content: AuditEntry[], overrides: Partial<AuditPage> = {}): AuditPage => ({
  content,
  number: 0,
  size: 50,
  older: null,
  lookedBackTo: null,
  ...overrides,
});

const open = async (address: string, list: Answer, ...others: Answer[]) => {
  signIn('ADMIN');
  const view = visit(
    address,
    list,
    answer(audit.people, () => []),
    ...others,
  );
  await screen.findByRole('heading', { name: 'Audit log' });
  const searches = () =>
    view.calls.filter(({ url }) => url.pathname === '/api/audit').map(({ url }) => url.searchParams);
  return { ...view, searches };
};

test('a row of the audit shows time, user, organization, action, patient, outcome and IP address', async () => {
  await open(
    '/audit',
    answer(audit.list, () => page([entry()])),
  );

  const row = within(await screen.findByRole('row', { name: /m\.haddad/ }));

  for (const text of ['Northfield Imaging', 'Opened study', 'Success', '203.0.113.9']) {
    expect(row.getByText(text)).toBeDefined();
  }
  expect(row.getByRole('link', { name: 'Bergström, Chidi' }).getAttribute('href')).toBe(`/patients/${id(3)}`);
  expect(row.getByRole('link', { name: 'ACC-1' }).getAttribute('href')).toBe(`/studies/${id(2)}`);
});

test('a row of the audit marks a deleted or hidden patient and shows an unknown action by its code', async () => {
  const gone = entry({
    id: '18',
    patient: { id: id(3), name: null, state: 'DELETED' },
    study: null,
    action: 'new.act',
  });
  const hidden = entry({ id: '19', patient: { id: id(3), name: null, state: 'HIDDEN' }, study: null });
  await open(
    '/audit',
    answer(audit.list, () => page([gone, hidden])),
  );

  expect(await screen.findByText('deleted')).toBeDefined();
  expect(screen.getByText('hidden')).toBeDefined();
  expect(screen.getByText('new.act')).toBeDefined();
});

test('the address sets the audit filters, and the audit of a study links to study and all entries', async () => {
  const view = await open(
    `/audit?studyId=${id(2)}&from=2026-11-01&outcome=FAILURE&user=m.haddad`,
    answer(audit.list, () => page([entry()])),
  );

  const context = (await screen.findByText('Only entries about one study')).parentElement;
  await waitFor(() => expect(context?.querySelector('a')?.getAttribute('href')).toBe(`/studies/${id(2)}`));
  expect(Object.fromEntries(view.searches()[0] ?? [])).toEqual({
    study: id(2),
    from: '2026-11-01',
    outcome: 'FAILURE',
    user: 'm.haddad',
    size: '50',
  });
  await userEvent.click(screen.getByRole('button', { name: 'Show all entries' }));
  await waitFor(() => expect(view.searches().at(-1)?.has('study')).toBe(false));
});

test('an opened audit entry shows all its data and its position in the chain', async () => {
  await open(
    '/audit',
    answer(audit.list, () => page([entry()])),
  );

  await userEvent.click(await screen.findByRole('button', { name: /details/i }));

  expect(await screen.findByText('Seal (SHA-256)')).toBeDefined();
  for (const text of ['12', 'abcd', 'description', id(3)]) expect(screen.getByText(text)).toBeDefined();
});

test('an audit entry links to all entries about its patient or its study', async () => {
  const view = await open(
    '/audit?user=m.haddad',
    answer(audit.list, () => page([entry()])),
  );
  await userEvent.click(await screen.findByRole('button', { name: /details/i }));

  await userEvent.click(screen.getByRole('button', { name: 'All entries about this patient' }));

  expect(await screen.findByText('Only entries about one patient')).toBeDefined();
  expect(view.address()).toBe(`/audit?patientId=${id(3)}`);
});

test('an audit search continues to the end when the first answers contain too few entries', async () => {
  const view = await open(
    '/audit?ip=203.0.113.9',
    answer(audit.list, ({ url }) => {
      const before = url.searchParams.get('before');
      if (!before) return page([], { older: '2_2', lookedBackTo: '2026-11-01T00:00:00.000Z' });
      if (before === '2_2') return page([], { older: '1_1', lookedBackTo: '2026-10-01T00:00:00.000Z' });
      return page([entry()]);
    }),
  );

  expect(await screen.findByText('1 entry')).toBeDefined();
  expect(view.searches().map((params) => params.get('before'))).toEqual([null, '2_2', '1_1']);
});

test('an audit search without results shows a message and offers to clear the filters', async () => {
  const view = await open(
    '/audit?action=study.purge',
    answer(audit.list, () => page([])),
  );

  await screen.findByText('No entries match these filters');
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));

  await waitFor(() => expect(view.address()).toBe('/audit'));
});

test('an audit that fails to load shows the reason and a retry', async () => {
  await open('/audit', refuse(audit.list, 503, 'The database cannot be reached. Try again in a moment.'));

  expect(await screen.findByText('Failed to fetch the audit log. Please try again.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

const verifyStream = (...events: VerifyEvent[]): Answer => ({
  method: 'POST',
  path: /^\/api\/audit\/verify$/,
  reply: () => new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
});

test('the audit verification shows its progress, first for the chain, then at once for the entries', async () => {
  const events = new TransformStream<string, string>();
  const writer = events.writable.getWriter();
  const send = (event: VerifyEvent) => writer.write(`data: ${JSON.stringify(event)}\n\n`);
  await open(
    '/audit',
    answer(audit.list, () => page([entry()])),
    {
      method: 'POST',
      path: /^\/api\/audit\/verify$/,
      reply: () => new Response(events.readable.pipeThrough(new TextEncoderStream())),
    },
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Verify' }));
  const bar = () => Number(screen.getByRole('progressbar', { name: 'Verified' }).getAttribute('aria-valuenow'));
  void send({ kind: 'progress', stage: 'CHAIN', checked: 5000, of: 10_000 });
  expect(await screen.findByText('Verifying the audit log: 5,000 of 10,000 entries')).toBeDefined();
  expect(bar()).toBe(25);
  void send({ kind: 'progress', stage: 'ENTRIES', checked: 2000, of: 10_000 });
  expect(await screen.findByText('Searching for inserted entries: 2,000 of 10,000 entries')).toBeDefined();
  expect(bar()).toBe(60);
  void writer.close();

  expect(await screen.findByText(/The verification stopped before it finished/)).toBeDefined();
});

test('the audit verification shows each fault and its position', async () => {
  const words = 'The entry was deleted';
  const verdict = {
    isIntact: false,
    words: `1 fault found in 20 entries, at position 7. ${words}.`,
    checked: 20,
    anchors: 0,
    faultCount: 1,
    faults: [{ kind: 'REMOVED' as const, position: 7, entryId: '9', words }],
    head: { position: 20, seal: 'ab' },
  };
  await open(
    '/audit',
    answer(audit.list, () => page([entry()])),
    verifyStream({ kind: 'progress', stage: 'CHAIN', checked: 20, of: 20 }, { kind: 'done', verdict }),
  );

  await userEvent.click(await screen.findByRole('button', { name: 'Verify' }));

  expect(await screen.findByText(/at position 7/)).toBeDefined();
  expect(
    within(screen.getByRole('list', { name: 'Faults' })).getByText('Position 7: The entry was deleted'),
  ).toBeDefined();
});
