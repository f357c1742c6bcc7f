import { expect, test } from 'vitest';
import { pathOfLegacyLink } from './legacy-links.ts';

test('a link of the older kind to a shared report opens the report', () => {
  expect(pathOfLegacyLink('#/portal/report/Ab3_x-9')).toBe('/portal/report/Ab3_x-9');
});

test.each(['', '#main', '#/portal/report/', '#/portal/report/a/b', '#//evil.example/portal/report/a', '#/studies'])(
  '%j is left as it is',
  (hash) => {
    expect(pathOfLegacyLink(hash)).toBeUndefined();
  },
);
