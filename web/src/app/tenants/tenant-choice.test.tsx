import { tenants } from '@radwork/contract/identity/tenants';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, serve, show, signIn } from '#test/screen.tsx';
import { TenantChoice } from './tenant-choice.tsx';

const current = { name: 'North Clinic', subdomain: 'north' };

const answerTenants = () =>
  serve(answer(tenants.list, () => ({ content: [], totalElements: 0, totalPages: 0, number: 0, size: 25 })));

test('the list of organizations opens with its code if the user pressed the field before', async () => {
  signIn('SUPER_ADMIN');
  answerTenants();

  show(<TenantChoice current={current} opensAtOnce />, 'SUPER_ADMIN');

  expect(await screen.findByRole('listbox', { name: 'Organizations' })).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Current organization' }));
});

test('the list of organizations stays closed if the user did not press the field', () => {
  signIn('SUPER_ADMIN');
  answerTenants();

  show(<TenantChoice current={current} opensAtOnce={false} />, 'SUPER_ADMIN');

  expect(screen.queryByRole('listbox')).toBeNull();
  expect(document.activeElement).toBe(document.body);
});
