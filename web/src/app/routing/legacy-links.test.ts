import { expect, test } from 'vitest';
import { pathOfLegacyLink } from './legacy-links.ts';

test('an old link to a shared report opens that report', () => {
  expect(pathOfLegacyLink('#/portal/report/Ab3_x-9')).toBe('/portal/report/Ab3_x-9');
});

test.each(['', '#main', '#/portal/report/', '#/portal/report/a/b', '#//evil.example/portal/report/a', '#/studies'])(
  'the address part %j is not taken for an old link',
  (hash) => {
    expect(pathOfLegacyLink(hash)).toBeUndefined();
  },
);
