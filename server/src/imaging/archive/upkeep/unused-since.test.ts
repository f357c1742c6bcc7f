import { expect, test, vi } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { claimStore } from '#test/claim-store.ts';
import { leaveBytes } from '#test/store-unused-bytes.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { sweepTenant } from './sweep-tenant.ts';

// After a restore from an old or partial backup, files that the database does not know must not be removed at once.

const world = await createWorld();
const { context } = world;
await claimStore(world);

const leave = ({ tenant }: Person, bytes: Buffer): Promise<string> => leaveBytes(context, tenant.id, bytes);

const isStored = async (person: Person, sha256: string): Promise<boolean> =>
  (await context.blobs.stat(person.tenant.id, sha256)) !== undefined;

const onlyHash = async (person: Person): Promise<string> => {
  const { sha256 } = await person.inScope(({ db }) =>
    db.selectFrom('instances').select('sha256').executeTakeFirstOrThrow(),
  );
  return sha256.toString('hex');
};

/** Runs work at a later time, by the clock of this process. */
const afterDays = async <T>(days: number, work: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * 24 * 3_600_000 });
  return work().finally(() => vi.useRealTimers());
};

/** Moves the time at which unused files were noticed into the past by some days. */
const daysLater = ({ tenant }: Person, days: number) =>
  world.sql`update unused_bytes set found_at = found_at - make_interval(days => ${days}) where tenant_id = ${tenant.id}`.execute(
    world.owner,
  );

test('if a restored database does not know some images, they are removed a week after they were noticed', async () => {
  const person = await world.signIn();
  const file = image();
  await storeAs(person, file);
  const sha256 = await onlyHash(person);
  await world.sql`delete from instances where tenant_id = ${person.tenant.id}`.execute(world.owner);

  const swept = await afterDays(30, () => sweepTenant(context, person.tenant.id));
  const isThere = await isStored(person, sha256);
  await daysLater(person, 6);
  await storeAs(person, file);
  await sweepTenant(context, person.tenant.id);
  await daysLater(person, 2);
  await sweepTenant(context, person.tenant.id);

  expect([swept.removed, isThere]).toEqual([0, true]);
  expect(await isStored(person, sha256)).toBe(true);
});

test('an unused file that was used again in between stays for another full week', async () => {
  const person = await world.signIn();
  const file = image();
  const sha256 = await leave(person, file.bytes);
  await sweepTenant(context, person.tenant.id);
  await daysLater(person, 8);
  await storeAs(person, file);
  await sweepTenant(context, person.tenant.id);
  await world.sql`delete from instances where tenant_id = ${person.tenant.id}`.execute(world.owner);

  const { removed } = await sweepTenant(context, person.tenant.id);

  expect(removed).toBe(0);
  expect(await isStored(person, sha256)).toBe(true);
});

test('after a restore, ignores the marks of unused files in the backup', async () => {
  const person = await world.signIn();
  const sha256 = await leave(person, image().bytes);
  await sweepTenant(context, person.tenant.id);
  await world.sql`
    update unused_bytes set found_at = found_at - interval '8 days', seen_at = seen_at - interval '2 days'
    where tenant_id = ${person.tenant.id}`.execute(world.owner);

  const { removed } = await sweepTenant(context, person.tenant.id);

  expect(removed).toBe(0);
  expect(await isStored(person, sha256)).toBe(true);
});
