import { patients } from '@radwork/contract/imaging/patients';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { clearSession, readSession } from '#core/state/session.ts';
import { patientPage, patientRow } from '#test/patients.ts';
import { answer, sessionOf, signIn, visit } from '#test/screen.tsx';

const reload = vi.fn<() => void>();

afterEach(() => reload.mockClear());

const name = 'Bergstrom, C';

/** Opens the patient list for the signed-in user. */
const openList = async () => {
  const { origin, hostname, pathname, hash } = window.location;
  vi.stubGlobal('location', { origin, hostname, pathname, hash, reload });
  signIn('ADMIN');
  visit(
    '/patients',
    answer(patients.list, () => patientPage([patientRow({ patientName: name })])),
  );
  await screen.findAllByText(name);
};

/**
 * Simulates the sign-in of another user in another tab while this tab sleeps. This tab can notice it only when it
 * wakes.
 */
const keepInOtherTab = (userId: string) => {
  const { token, user, tenant, roles } = sessionOf();
  const texts = {
    token,
    user: JSON.stringify({ ...user, id: userId }),
    tenant: JSON.stringify(tenant),
    roles: JSON.stringify(roles),
  };
  for (const [key, text] of Object.entries(texts)) localStorage.setItem(key, text);
};

const wakings: [how: string, wake: () => void][] = [
  ['gets the storage event late', () => window.dispatchEvent(new StorageEvent('storage', { key: 'token' }))],
  [
    'is restored from the browser cache',
    () => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  ],
  ['becomes visible again', () => document.dispatchEvent(new Event('visibilitychange'))],
];

test.each(wakings)('if another user has signed in, a sleeping tab reloads when it %s', async (_, wake) => {
  await openList();

  keepInOtherTab('u2');
  wake();

  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
});

test.each(wakings)('if its user has signed out, a sleeping tab asks to sign in when it %s', async (_, wake) => {
  await openList();

  localStorage.clear();
  wake();

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  expect(screen.queryByText(name)).toBeNull();
  expect(reload).not.toHaveBeenCalled();
});

test.each(wakings)(
  'if its own user has signed in again, a sleeping tab stays unchanged when it %s',
  async (_, wake) => {
    await openList();

    keepInOtherTab('u1');
    wake();

    await screen.findAllByText(name);
    expect(readSession()?.user.id).toBe('u1');
    expect(reload).not.toHaveBeenCalled();
  },
);

test('an open dialog about a patient closes when the session ends', async () => {
  await openList();
  await userEvent.click(screen.getByRole('button', { name: `Delete ${name}` }));
  await screen.findByRole('dialog', { name: 'Are you sure you want to delete this patient?' });

  clearSession('session.expired');

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  await waitFor(() => expect(screen.queryByText(name)).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();
});
