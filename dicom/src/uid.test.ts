import { expect, test } from 'vitest';
import { isUid, newUid, uidFrom } from './uid.ts';

test.each(['1.2.840.10008.1.2.1', '2.25.0', '1', '01.2.3', `1.${'9'.repeat(62)}`])('the UID %s is accepted', (text) => {
  expect(isUid(text)).toBe(true);
});

test.each([
  '',
  '.',
  '..',
  '1..2',
  '1.2.',
  '.1',
  '../../etc/passwd',
  '1.2/3',
  '1.2.3\0',
  '1.2.3\n',
  '１.２.３',
  '1.2.3 ',
  `1.${'9'.repeat(63)}`,
  '9'.repeat(100_000),
])('a text that is not a UID is refused (case %#)', (text) => {
  expect(isUid(text)).toBe(false);
});

test('every new UID is unique and valid', () => {
  const uids = Array.from({ length: 1000 }, newUid);

  expect(new Set(uids).size).toBe(1000);
  expect(uids.every(isUid)).toBe(true);
});

test('a UID made from parts is stable and differs with every part', () => {
  const uid = uidFrom('study', 7);

  expect(uid).toBe('2.25.305699577918540758389718126345343964773');
  expect(isUid(uid)).toBe(true);
  expect(uidFrom('study', 7)).toBe(uid);
  expect(uidFrom('study', 8)).not.toBe(uid);
  expect(uidFrom('study7')).not.toBe(uid);
});
