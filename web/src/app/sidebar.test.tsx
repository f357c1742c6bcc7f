import type { UserType } from '@radwork/contract/access';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { signIn, visit } from '#test/screen.tsx';

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
const forAdmins = [
  ['Users Management', '/users'],
  ['Audit log', '/audit'],
  ['Remote Configurations', '/remote-config-page'],
  ['Reporting Settings', '/reporting-settings'],
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
    sidebar.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')] as const);
  return { sidebar, links };
};

test.each([
  ['SUPER_ADMIN', forSuperAdmins],
  ['ADMIN', forAdmins],
] as const)('%s sees the tools and settings of that type, in order', async (userType, tools) => {
  const { sidebar, links } = await open(userType);

  expect(sidebar.getByRole('heading', { name: 'Admins' })).toBeDefined();
  expect(links()).toEqual(forEverybody);

  await userEvent.click(sidebar.getByRole('button', { name: 'Tools & Settings' }));

  expect(links()).toEqual([...forEverybody, ...tools]);
});

test.each(['RADIOLOGIST', 'REFERRING_PHYSICIAN'] as const)('%s sees no tools', async (userType) => {
  const { sidebar, links } = await open(userType);

  expect(links()).toEqual(forEverybody);
  expect(sidebar.queryByText('Admins')).toBeNull();
  expect(sidebar.queryByText('Tools & Settings')).toBeNull();
});

test('a patient has no sidebar entries', async () => {
  const { links } = await open('PATIENT');

  expect(links()).toEqual([]);
});

test('a collapsed sidebar stays collapsed and keeps its names for those who hear it', async () => {
  const { sidebar } = await open('RADIOLOGIST');

  await userEvent.click(sidebar.getByRole('button', { name: 'Collapse' }));

  expect(sidebar.getByRole('link', { name: 'Reports' })).toBeDefined();
  expect(sidebar.getByRole('button', { name: 'Expand' }).getAttribute('aria-expanded')).toBe('false');
  expect(localStorage.getItem('preference.sidebar')).toBe('rail');
});
