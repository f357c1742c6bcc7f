import { type UserType, userTypes } from '@radwork/contract/core/access';
import { createMemoryHistory } from '@tanstack/react-router';
import { act, screen, waitFor } from '@testing-library/react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn, visit } from '#test/screen.tsx';
import { screensWithOwnTest } from '#test/screen-access.tsx';
import { createAppRouter } from './router.tsx';

const everyone: readonly UserType[] = userTypes;
const staff: readonly UserType[] = ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST', 'REFERRING_PHYSICIAN'];
const readers: readonly UserType[] = ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST'];
const admins: readonly UserType[] = ['SUPER_ADMIN', 'ADMIN'];

/** User types whose default role opens each screen, by route path. */
const openTo: Record<string, readonly UserType[]> = {
  '/dashboard': staff,
  '/studies': staff,
  '/studies/deleted': admins,
  '/studies/create': readers,
  '/studies/$id': staff,
  '/studies/$id/edit': readers,
  '/patients': staff,
  '/patients/create': readers,
  '/patients/$id': staff,
  '/patients/$id/edit': readers,
  '/account': everyone,
  '/keyboard': everyone,
  '/notifications': everyone,
  '/critical-findings': staff,
  '/identities': admins,
  '/reports': staff,
  '/templates': admins,
  '/stydys-search': readers,
  '/queue-jobs': readers,
  '/remote-config-page': admins,
  '/single-sign-on': admins,
  '/reporting-settings': admins,
  '/atlas': staff,
  '/guidelines': staff,
  '/audit': admins,
  '/roles': ['SUPER_ADMIN'],
  '/users/{-$id}': admins,
  '/tenants': ['SUPER_ADMIN'],
  '/organization': admins,
  '/viewer/{-$id}': staff,
  '/usviewer/{-$id}': staff,
  '/mpr/$id/{-$series}': staff,
  '/petct/{-$id}': staff,
};

/** Routes with a sidebar, and routes of the viewers. */
const routes = Object.values(createAppRouter(createMemoryHistory()).routesById).filter(
  ({ id, options }) => /^\/signed-in\/(shell|viewer-layout)\/./.test(id) && !options.beforeLoad,
);

const originals = routes.map(({ options }) => ({ options, component: options.component, loader: options.loader }));

// Replaces each screen by its path, because the test only checks access.
beforeAll(() => {
  for (const { options, fullPath } of routes) {
    Object.assign(options, { loader: undefined, component: () => <h1>The screen {fullPath}</h1> });
  }
});

afterAll(() => {
  for (const { options, component, loader } of originals) Object.assign(options, { component, loader });
});

test('the access table names each route that needs sign-in, except routes whose own tests check the access', () => {
  const expected = [...Object.keys(openTo), ...screensWithOwnTest];

  expect(routes.map(({ fullPath }): string => fullPath).toSorted()).toEqual(expected.toSorted());
});

test.each(userTypes)('a %s opens the screens of the role, and sees "Access denied" on all others', async (userType) => {
  signIn(userType);
  const { router } = visit('/account');
  await screen.findByRole('heading', { level: 1 });
  const isShownByPath: Record<string, boolean> = {};

  for (const path of Object.keys(openTo)) {
    const address = path.replaceAll(/\{-\$\w+\}|\$\w+/g, '1');
    await act(() => router.navigate({ href: address }));
    await waitFor(() => expect(router.state.location.pathname).toBe(address));
    // Finds headings by tag name, because a query by role takes ten times as long.
    const headings = () => Array.from(document.querySelectorAll('h1'), ({ textContent }) => textContent);
    await waitFor(() => expect([[`The screen ${path}`], ['Access denied']]).toContainEqual(headings()));
    isShownByPath[path] = headings()[0] !== 'Access denied';
  }

  expect(isShownByPath).toEqual(
    Object.fromEntries(Object.entries(openTo).map(([path, by]) => [path, by.includes(userType)])),
  );
});
