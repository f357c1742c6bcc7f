import { expect, test } from 'vitest';
import { isMissingScript } from './missing-script.ts';

test.each([
  ['Chromium', 'Failed to fetch dynamically imported module: http://x/assets/studies-screen-1.js'],
  ['Firefox', 'error loading dynamically imported module: http://x/assets/studies-screen-1.js'],
  ['Safari', 'Importing a module script failed.'],
])('the error of %s is recognized as a script that did not load', (_, message) => {
  expect(isMissingScript(new TypeError(message))).toBe(true);
});

test('an error in the code of a screen is not taken for a script that did not load', () => {
  expect(isMissingScript(new TypeError('Cannot read properties of undefined'))).toBe(false);
});
