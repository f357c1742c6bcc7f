import { expect, test } from 'vitest';
import { initialsOf } from './initials.ts';

test.each([
  ['Mona Haddad', 'MH'],
  ['Dr Anna Weiss', 'AW'],
  ['Dr. med. Anna Weiss', 'AW'],
  ['Prof. Dr. med. dent. Jan van der Berg', 'JB'],
  ['Mrs Anna-Maria Weiss, MD, PhD', 'AW'],
  ['Anna Weiss M.D.', 'AW'],
  ['Anna Weiss Ph.D.', 'AW'],
  ['Ms Li', 'L'],
  ['Frau Priv.-Doz. Ülkü Öz', 'ÜÖ'],
  ['Mme le Dr Chloé Petit', 'CP'],
  ['Dr. rer. nat. Nat Dent', 'ND'],
  ['Dipl.-Ing. Jan Do', 'JD'],
  ['Thu Le, MD, FACR', 'TL'],
  ['anna.weiss', 'AW'],
  ['reader', 'R'],
])('the initials of %s omit titles', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('the initials of a name that consists only of titles are made from the titles', () => {
  expect(initialsOf('MD')).toBe('M');
  expect(initialsOf('')).toBe('');
});
