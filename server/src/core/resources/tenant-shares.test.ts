import { expect, test } from 'vitest';
import { createTenantShares } from './tenant-shares.ts';

const tooMuch = () => new Error('too much');

test('endless work of one tenant uses only the share of that tenant, so another tenant can continue', async () => {
  const shared = createTenantShares({ most: 4, share: 2, queue: 100 });
  const never = Promise.withResolvers<void>();
  let startCount = 0;
  const endless = () => {
    startCount += 1;
    return never.promise;
  };
  const stuck = Array.from({ length: 50 }, () => shared(1, endless, tooMuch));

  const done = await Promise.all([1, 2, 3].map((result) => shared(2, async () => result, tooMuch)));

  expect(done).toEqual([1, 2, 3]);
  expect(startCount).toBe(2);
  never.resolve();
  await Promise.all(stuck);
  expect(startCount).toBe(50);
});

test('refuses work of a tenant beyond its queue, but not work of other tenants', async () => {
  const shared = createTenantShares({ most: 1, share: 1, queue: 2 });
  const never = Promise.withResolvers<void>();
  const pending = [1, 2].map(() => shared(1, () => never.promise, tooMuch));

  await expect(shared(1, async () => 'more', tooMuch)).rejects.toThrow('too much');
  const other = shared(2, async () => 'other', tooMuch);

  never.resolve();
  await Promise.all(pending);
  expect(await other).toBe('other');
  expect(await shared(1, async () => 'again', tooMuch)).toBe('again');
});

test('a failed task releases its place', async () => {
  const shared = createTenantShares({ most: 1, share: 1, queue: 1 });
  await expect(shared(1, () => Promise.reject(new Error('broken')), tooMuch)).rejects.toThrow('broken');

  expect(await shared(1, async () => 'next', tooMuch)).toBe('next');
});
