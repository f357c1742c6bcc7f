import { type UserType, userTypes } from '@radwork/contract/core/access';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signIn, visit } from './screen.tsx';

type Expected = {
  /** User types whose default role opens the screen. They are written by hand, independent of the code. */
  openTo: readonly UserType[];
  /** Label of the screen's entry in the sidebar. */
  entry?: string;
};

/**
 * Tests which users open a screen and which users see its sidebar entry. Call it in the test of the screen.
 * `route-access.test.tsx` and `sidebar.test.tsx` cover all other screens.
 */
export const testScreenAccess = (
  path: string,
  { openTo, entry }: Expected,
  ...answers: Parameters<typeof visit>[1][]
) =>
  test.each(userTypes)(`${path} opens for the roles that may see it, tried as %s`, async (userType) => {
    signIn(userType);
    visit(path, ...answers);
    const heading = await screen.findByRole('heading', { level: 1 });
    const isOpen = openTo.includes(userType);

    expect(heading.textContent !== 'Access denied').toBe(isOpen);
    if (!entry || userType === 'PATIENT') return;
    const sidebar = within(await screen.findByRole('navigation', { name: 'Main' }));
    // The group of tools is open only on one of its screens.
    expect(sidebar.queryByRole('link', { name: entry })?.getAttribute('href')).toBe(isOpen ? path : undefined);
  });

const tests: Record<string, string> = import.meta.glob(
  '../src/{identity,imaging,reading,knowledge,insight}/**/*.test.tsx',
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);

/** Paths of the screens that test their own access. */
export const screensWithOwnTest: readonly string[] = Object.values(tests).flatMap((text) =>
  Array.from(text.matchAll(/^testScreenAccess\(\s*'([^']+)'/gm), ([, path = '']) => path),
);
