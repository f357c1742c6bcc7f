import { patients } from '@radwork/contract/imaging/patients';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { patientPage } from '#test/patients.ts';
import { answer, signIn, visit } from '#test/screen.tsx';
import { counts, pageOf } from '#test/study-list.tsx';

test('the account menu shows name, e-mail address and organization', async () => {
  signIn();
  visit('/guidelines');

  await userEvent.click(await screen.findByRole('button', { name: /Account of Mona Haddad/ }));

  const menu = within(await screen.findByRole('dialog'));
  expect(menu.getByText('Hello, Mona Haddad')).toBeDefined();
  expect(menu.getByText('mona@north.example')).toBeDefined();
  expect(menu.getByText('North Clinic')).toBeDefined();
});

test('sequences of two keys open the main screens, but not while the user types', async () => {
  signIn();
  const { address } = visit('/guidelines');
  await screen.findByRole('heading', { name: 'Guidelines Management' });
  const field = document.body.appendChild(document.createElement('input'));

  await userEvent.type(field, 'gp');
  expect(address()).toBe('/guidelines');
  field.remove();
  await userEvent.keyboard('gp');

  await waitFor(() => expect(address()).toBe('/patients'));
});

test('the key ? shows the shortcuts, and the user can disable shortcuts of letters', async () => {
  signIn();
  const { address } = visit('/guidelines');
  await screen.findByRole('heading', { name: 'Guidelines Management' });

  await userEvent.keyboard('?');
  const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  expect(help.getByText('Go to patients')).toBeDefined();
  await userEvent.click(help.getByRole('switch'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.keyboard('gp');

  expect(address()).toBe('/guidelines');
});

test('a new screen gets the focus, so screen readers begin at its start', async () => {
  signIn();
  visit(
    '/guidelines',
    answer(patients.list, () => patientPage([])),
  );
  await screen.findByRole('heading', { name: 'Guidelines Management' });

  await userEvent.click(screen.getByRole('link', { name: 'Patients' }));
  await screen.findByRole('heading', { name: 'Patient Management' });

  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Patient Management'));
});

test('the status bar shows that the server cannot be reached', async () => {
  signIn();

  visit('/guidelines', {
    method: 'GET',
    path: /^\/api\//,
    reply: () => Promise.reject(new TypeError('Failed to fetch')),
  });

  expect(await screen.findByText('Offline')).toBeDefined();
});

test('a screen that failed keeps the frame and can be retried', async () => {
  signIn();
  const nonsense = { ...pageOf([]), content: [{}] };
  let isRepaired = false;
  visit('/studies', counts, {
    method: 'GET',
    path: /^\/api\/studies\/search/,
    reply: () => Response.json({ code: 200, data: isRepaired ? pageOf([]) : nonsense }),
  });

  expect(await screen.findByText('Could not show this page')).toBeDefined();
  expect(screen.getByRole('navigation', { name: 'Main' })).toBeDefined();
  isRepaired = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await screen.findByRole('heading', { name: 'Studies' })).toBeDefined();
});
