import { expect, test } from 'vitest';
import { isMissingScript } from './missing-script.ts';

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: http://x/assets/studies-screen-1.js'],
  ['Firefox', 'error loading dynamically imported module: http://x/assets/studies-screen-1.js'],
  ['Safari', 'Importing a module script failed.'],
])('%s means that a script did not arrive', (_, message) => {
  expect(isMissingScript(new TypeError(message))).toBe(true);
});

test('an error of the screen itself is something else', () => {
  expect(isMissingScript(new TypeError('Cannot read properties of undefined'))).toBe(false);
});
