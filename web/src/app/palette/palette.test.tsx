import { search } from '@radwork/contract/insight/search';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { answer, refuse, signIn, visit } from '#test/screen.tsx';

const patient = { id: 'p-1', patientName: 'Haverkamp, Ines', patientId: 'P-77', dateOfBirth: '1961-04-30' };
const study = {
  id: 's-1',
  accessionNumber: 'ACC-4711',
  description: 'CT chest',
  modality: 'CT',
  studyDate: '2026-11-20T09:30:00',
  patient,
};
const searchAnswer = answer(search.everywhere, () => ({
  patients: [patient],
  studies: [study],
  reports: [],
  users: [],
}));

const palette = async () => {
  await userEvent.keyboard('{Control>}k{/Control}');
  return within(await screen.findByRole('dialog', { name: 'Search and commands' }));
};

test('the palette finds patients and studies for typed text, and arrow keys select a result', async () => {
  signIn();
  const { address } = visit('/notifications', searchAnswer);
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();

  await userEvent.type(dialog.getByRole('combobox'), 'haver');
  expect(await dialog.findByRole('group', { name: 'Studies' })).toBeDefined();
  expect(dialog.getByRole('group', { name: 'Patients' }).querySelector('mark')?.textContent).toBe('Haver');
  await waitFor(() => expect(dialog.getByRole('status').textContent).toBe('2 results'));
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{Enter}');

  await waitFor(() => expect(address()).toBe('/patients/p-1'));
});

test('Ctrl+Enter opens the selected result of the palette in a new tab', async () => {
  const openWindow = vi.spyOn(window, 'open').mockReturnValue(null);
  signIn();
  const { address } = visit('/notifications', searchAnswer);
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();

  await userEvent.type(dialog.getByRole('combobox'), 'ACC-4711');
  await dialog.findByRole('group', { name: 'Studies' });
  await userEvent.keyboard('{ArrowDown}{Control>}{Enter}{/Control}');

  expect(openWindow).toHaveBeenCalledWith('/studies/s-1', '_blank', 'noopener');
  expect(address()).toBe('/notifications');
});

test('the palette offers only screens and actions that the user may use', async () => {
  signIn('REFERRING_PHYSICIAN');
  visit('/notifications');
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();

  const offered = dialog.getAllByRole('option').map(({ textContent }) => textContent);

  expect(offered).toEqual(expect.arrayContaining(['PatientsGP', 'Show keyboard shortcuts?', 'Sign out']));
  expect(offered).not.toContain('Users Management');
  expect(offered).not.toContain('Upload study');
});

test('the palette shows different messages when it finds nothing and when the search failed', async () => {
  signIn();
  visit('/notifications', refuse(search.everywhere, 503, 'The database cannot be reached. Try again in a moment.'));
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();

  await userEvent.type(dialog.getByRole('combobox'), 'z');
  expect(dialog.getByRole('status').textContent).toBe('No results. Shorten the text, or use an accession number.');
  await userEvent.type(dialog.getByRole('combobox'), 'zz');

  expect(await dialog.findByText('The database cannot be reached. Try again in a moment.')).toBeDefined();
});

test('the shortcuts of the palette do nothing in the report editor and over a dialog', async () => {
  signIn();
  visit('/notifications');
  await screen.findByRole('heading', { name: 'Notifications' });
  const text = document.body.appendChild(document.createElement('div'));
  text.setAttribute('contenteditable', 'true');
  text.tabIndex = 0;
  text.focus();

  await userEvent.keyboard('{Control>}k{/Control}');
  text.remove();

  expect(screen.queryByRole('dialog')).toBeNull();
});

const otherPatient = { ...patient, id: 'p-2', patientName: 'Jonas, Peter', patientId: 'P-78' };

test('the palette lists a report next to its study, and Enter opens it', async () => {
  signIn();
  const report = {
    id: 'r-1',
    status: 'FINALIZED' as const,
    accessionNumber: 'ACC-4711',
    studyDescription: 'CT chest',
    modality: 'CT',
    studyDate: '2026-11-20T09:30:00',
    patientName: 'Haverkamp, Ines',
  };
  const { address } = visit(
    '/notifications',
    answer(search.everywhere, () => ({ patients: [], studies: [], reports: [report], users: [] })),
  );
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();

  await userEvent.type(dialog.getByRole('combobox'), 'haver');
  const group = await dialog.findByRole('group', { name: 'Reports' });
  expect(group.textContent).toContain('Finalized');
  await waitFor(() => expect(dialog.getByRole('status').textContent).toBe('1 result'));
  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(address()).toBe('/reports?reportId=r-1'));
});

test('Enter never opens a result for an earlier text, however slow the server is', async () => {
  signIn();
  const slow = Promise.withResolvers<void>();
  const { address } = visit(
    '/notifications',
    answer(search.everywhere, async ({ url }) => {
      const isOther = url.searchParams.get('q') === 'jonas';
      if (isOther) await slow.promise;
      return { patients: [isOther ? otherPatient : patient], studies: [], reports: [], users: [] };
    }),
  );
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();
  const field = dialog.getByRole('combobox');
  await userEvent.type(field, 'haver');
  await dialog.findByRole('option', { name: /Haverkamp/ });

  await userEvent.clear(field);
  await userEvent.type(field, 'jonas');
  expect(dialog.queryByRole('option', { name: /Haverkamp/ })).toBeNull();
  expect(dialog.getByRole('status').textContent).toBe('Searching…');
  await userEvent.keyboard('{Enter}');
  expect(address()).toBe('/notifications');
  slow.resolve();

  const arrived = await dialog.findByRole('option', { name: /Jonas/ });
  expect(arrived.getAttribute('aria-selected')).toBe('true');
});

test('a late answer in the palette does not replace the answer to a later text', async () => {
  signIn();
  const [slow, requested] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  visit(
    '/notifications',
    answer(search.everywhere, async ({ url }) => {
      const isOlder = url.searchParams.get('q') === 'haver';
      if (isOlder) {
        requested.resolve();
        await slow.promise;
      }
      return { patients: [isOlder ? patient : otherPatient], studies: [], reports: [], users: [] };
    }),
  );
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();
  const field = dialog.getByRole('combobox');
  await userEvent.type(field, 'haver');
  await requested.promise;
  await userEvent.clear(field);
  await userEvent.type(field, 'jonas');
  await dialog.findByRole('option', { name: /Jonas/ });
  slow.resolve();
  await new Promise((resolve) => setTimeout(resolve, 50));

  expect(dialog.queryByRole('option', { name: /Haverkamp/ })).toBeNull();
  expect(dialog.getByRole('option', { name: /Jonas/ })).toBeDefined();
});

test('the selected result of the palette stays selected when an answer changes its position', async () => {
  signIn();
  const { address } = visit('/notifications', searchAnswer);
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();
  await userEvent.type(dialog.getByRole('combobox'), 'st');
  const offered = dialog.getAllByRole('option');
  await userEvent.keyboard('{ArrowDown}');
  const chosen = offered[1]?.textContent;
  await dialog.findByRole('group', { name: 'Patients' });

  expect(dialog.getByRole('option', { selected: true }).textContent).toBe(chosen);
  expect(address()).toBe('/notifications');
});

test('the palette offers results that the user opened before, but not to other users', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  signIn();
  visit('/notifications', searchAnswer);
  await screen.findByRole('heading', { name: 'Notifications' });
  const first = await palette();
  await userEvent.type(first.getByRole('combobox'), 'haver');
  await first.findByRole('group', { name: 'Patients' });
  await waitFor(() => expect(first.getByRole('status').textContent).toBe('2 results'));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const again = await palette();
  expect(again.getByRole('group', { name: 'Recent' }).textContent).toContain('Haverkamp');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  signIn();

  const otherPalette = await palette();
  expect(otherPalette.queryByRole('group', { name: 'Recent' })).toBeNull();
});

test("the palette marks results with an identity question and finds them by the other person's name", async () => {
  signIn();
  const identity = { otherName: 'Kowalski, Piotr', contradictions: ['NAME' as const] };
  const inQuestion = { ...patient, identity };
  visit(
    '/notifications',
    answer(search.everywhere, () => ({
      patients: [inQuestion],
      studies: [{ ...study, identity }],
      reports: [],
      users: [],
    })),
  );
  await screen.findByRole('heading', { name: 'Notifications' });
  const dialog = await palette();

  await userEvent.type(dialog.getByRole('combobox'), 'kowalski');
  await dialog.findByRole('group', { name: 'Studies' });

  const marks = dialog.getAllByRole('option').map(({ textContent }) => textContent);
  expect(marks.map((text) => text?.includes('Identity to be confirmed: or Kowalski, Piotr'))).toEqual([true, true]);
});
