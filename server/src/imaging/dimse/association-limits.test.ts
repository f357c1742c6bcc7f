import { expect, test } from 'vitest';
import { createAssociationLimits } from './association-limits.ts';

const sender = (count: number) => `2001:db8:1:2::${count}`;

test('all addresses of one IPv6 network share the limit of associations', () => {
  const { connection } = createAssociationLimits(32);

  const admitted = Array.from({ length: 9 }, (_, count) => connection(sender(count)) !== undefined);

  expect(admitted).toEqual([...Array<boolean>(8).fill(true), false]);
  expect(connection('2001:db8:1:3::1')).toBeDefined();
  expect(connection('192.0.2.1')).toBeDefined();
});

test('a closed connection frees its place for another address of the same network', () => {
  const { connection } = createAssociationLimits(4);

  const leave = connection(sender(1));
  const refused = connection(sender(2));
  leave?.();

  expect(refused).toBeUndefined();
  expect(connection(sender(2))).toBeDefined();
});

test('refused associations of all addresses of one IPv6 network count toward one limit', () => {
  const { connection, refused } = createAssociationLimits(32);

  for (let count = 0; count < 20; count += 1) refused(sender(count));

  expect(connection(sender(99))).toBeUndefined();
  expect(connection('2001:db8:1:3::1')).toBeDefined();
});
