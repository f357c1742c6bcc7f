import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signIn, visit } from '#test/screen.tsx';

test('a protected page sends nobody in particular to sign in', async () => {
  const { address } = visit('/reports?reportId=7');

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined();
  expect(address()).toBe('/login?redirect=%2Freports%3FreportId%3D7');
});

test('the dashboard is where one starts', async () => {
  signIn();

  const { address } = visit('/');

  expect(await screen.findByRole('heading', { name: 'Dashboard' })).toBeDefined();
  expect(address()).toBe('/dashboard');
});
