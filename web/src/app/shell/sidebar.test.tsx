import type { UserType } from '@radwork/contract/core/access';
import { audit } from '@radwork/contract/identity/audit';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { saveSession } from '#core/state/session.ts';
import { answer, sessionOf, signIn, visit } from '#test/screen.tsx';
import { screensWithOwnTest } from '#test/screen-access.tsx';

const forEverybody = [
  ['Dashboard', '/dashboard'],
  ['Worklist & Studies', '/studies'],
  ['Patients', '/patients'],
  ['Reports', '/reports'],
  ['Remote Studies Search', '/stydys-search'],
  ['Medical Atlas Management', '/atlas'],
  ['Guidelines Management', '/guidelines'],
  ['Notifications', '/notifications'],
];
const forDeciders = [...forEverybody, ['Identity questions', '/identities']];
const forAdmins = [
  ['Users Management', '/users'],
  ['Audit log', '/audit'],
  ['Remote Configurations', '/remote-config-page'],
  ['Single sign-on', '/single-sign-on'],
  ['Reporting settings', '/reporting-settings'],
  ['Organization', '/organization'],
];
const forSuperAdmins = [
  ['Templates Management', '/templates'],
  ['Roles Management', '/roles'],
  ['Tenants Management', '/tenants'],
  ...forAdmins,
];

const open = async (userType: UserType) => {
  signIn(userType);
  visit('/notifications');
  const sidebar = within(await screen.findByRole('navigation', { name: 'Main' }));
  const links = () =>
    sidebar
      .queryAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')] as const)
      .filter(([, path]) => !screensWithOwnTest.includes(path ?? ''));
  return { sidebar, links };
};

test.each([
  ['SUPER_ADMIN', forSuperAdmins],
  ['ADMIN', forAdmins],
] as const)(
  'the sidebar shows a user of type %s the tools and settings of that type, in order',
  async (userType, tools) => {
    const { sidebar, links } = await open(userType);

    expect(sidebar.getByRole('heading', { name: 'Admins' })).toBeDefined();
    expect(links()).toEqual(forDeciders);

    await userEvent.click(sidebar.getByRole('button', { name: 'Tools & Settings' }));

    expect(links()).toEqual([...forDeciders, ...tools]);
  },
);

test.each(['RADIOLOGIST', 'REFERRING_PHYSICIAN'] as const)(
  'the sidebar shows a user of type %s no tools',
  async (userType) => {
    const { sidebar, links } = await open(userType);

    expect(links()).toEqual(forEverybody);
    expect(sidebar.queryByText('Admins')).toBeNull();
    expect(sidebar.queryByText('Tools & Settings')).toBeNull();
  },
);

test('the sidebar shows the identity screen to a radiologist who may merge patients', async () => {
  const session = sessionOf('RADIOLOGIST');
  saveSession({
    ...session,
    roles: [...session.roles, { name: 'Registry', permissions: [{ name: 'patient.merge' }] }],
  });
  visit('/notifications');

  const sidebar = within(await screen.findByRole('navigation', { name: 'Main' }));

  expect(sidebar.getByRole('link', { name: 'Identity questions' })).toBeDefined();
  expect(sidebar.queryByText('Admins')).toBeNull();
});

test('the group of tools opens on a screen of the group, marks the screen, and can be closed', async () => {
  signIn('ADMIN');
  visit(
    '/audit',
    answer(audit.list, () => ({ content: [], number: 0, size: 50, older: null, lookedBackTo: null })),
  );
  const sidebar = within(await screen.findByRole('navigation', { name: 'Main' }));
  const tools = sidebar.getByRole('button', { name: 'Tools & Settings' });

  expect(tools.getAttribute('aria-expanded')).toBe('true');
  expect(sidebar.getByRole('link', { name: 'Audit log' }).getAttribute('aria-current')).toBe('page');

  await userEvent.click(tools);
  expect(sidebar.queryByRole('link', { name: 'Audit log' })).toBeNull();

  await userEvent.click(sidebar.getByRole('link', { name: 'Notifications' }));
  await waitFor(() => expect(tools.getAttribute('aria-expanded')).toBe('false'));
});

test('the sidebar shows no entries to a patient', async () => {
  const { links } = await open('PATIENT');

  expect(links()).toEqual([]);
});

test('a collapsed sidebar stays collapsed and keeps its labels for screen readers', async () => {
  const { sidebar } = await open('RADIOLOGIST');

  await userEvent.click(sidebar.getByRole('button', { name: 'Collapse' }));

  expect(sidebar.getByRole('link', { name: 'Reports' })).toBeDefined();
  expect(sidebar.getByRole('button', { name: 'Expand' }).getAttribute('aria-expanded')).toBe('false');
  expect(localStorage.getItem('preference.sidebar')).toBe('rail');
});
