import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { agreeOnStore } from '#core/installation/installation.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { leaveBytes } from '#test/store-unused-bytes.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { sweepTenant } from './sweep-tenant.ts';
import { removeUnused } from './remove-unused.ts';
import { runUpkeep } from './run-upkeep.ts';

const world = await createWorld();
const { context } = world;
await agreeOnStore(world.owner, context.blobs);

const leave = ({ tenant }: Person, bytes: Buffer): Promise<string> => leaveBytes(context, tenant.id, bytes);

const isStored = async (person: Person, sha256: string): Promise<boolean> =>
  (await context.blobs.stat(person.tenant.id, sha256)) !== undefined;

const onlyInstance = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .innerJoin('series', 'series.id', 'instances.series_id')
      .innerJoin('studies', 'studies.id', 'instances.study_id')
      .select(['sha256', 'missing_since', 'sop_instance_uid', 'series_instance_uid', 'study_instance_uid'])
      .executeTakeFirstOrThrow(),
  );

/** Creates a gate: `pass` waits until `open`, and `reached` resolves on the first `pass`. */
const createGate = () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  return {
    open,
    reached,
    pass: async () => {
      reach();
      await opened;
    },
  };
};

/** Resolves when a database connection waits for an advisory lock that another connection holds. */
const whenSomebodyWaits = async () => {
  for (;;) {
    const { rows } = await world.sql`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(world.owner);
    if (rows.length > 0) return;
  }
};

/** Returns an archive whose store uses this function to remove files. */
const removingBy = (remove: typeof context.blobs.remove) => ({ ...context, blobs: { ...context.blobs, remove } });

/** Moves the time at which unused files were noticed into the past by some days. */
const daysLater = ({ tenant }: Person, days: number) =>
  world.sql`update unused_bytes set found_at = found_at - make_interval(days => ${days}) where tenant_id = ${tenant.id}`.execute(
    world.owner,
  );

test('removes only files without an instance, one week after they were noticed', async () => {
  const person = await world.signIn();
  await storeAs(person, image());
  const { sha256 } = await onlyInstance(person);
  const unused = await leave(person, Buffer.from('left behind'));

  const first = await sweepTenant(context, person.tenant.id);
  await daysLater(person, 6);
  const soon = await sweepTenant(context, person.tenant.id);
  await daysLater(person, 2);
  const later = await sweepTenant(context, person.tenant.id);

  expect([first, soon, later]).toEqual([
    { removed: 0, missing: 0, found: 0 },
    { removed: 0, missing: 0, found: 0 },
    { removed: 1, missing: 0, found: 0 },
  ]);
  expect(await isStored(person, unused)).toBe(false);
  expect(await isStored(person, sha256.toString('hex'))).toBe(true);
});

test('marks an instance without its file, reports an error, and repairs it at the next upload', async () => {
  const person = await world.signIn();
  const file = image();
  await storeAs(person, file);
  const instance = await onlyInstance(person);
  await context.blobs.remove(person.tenant.id, instance.sha256.toString('hex'));

  const first = await sweepTenant(context, person.tenant.id);
  const again = await sweepTenant(context, person.tenant.id);
  const marked = await onlyInstance(person);
  const path = `/studies/${instance.study_instance_uid}/series/${instance.series_instance_uid}/instances/${instance.sop_instance_uid}`;
  const reading = await getFrom(person, path, { accept: 'application/dicom' });
  const readingStudy = await getFrom(person, `/studies/${instance.study_instance_uid}`);
  await storeAs(person, file);

  expect([first.missing, again.missing]).toEqual([1, 0]);
  expect(marked.missing_since).not.toBeNull();
  expect(reading.statusCode).toBe(500);
  expect(readingStudy.statusCode).toBe(500);
  expect(reading.json().message).toContain('A file is missing from the archive');
  expect((await onlyInstance(person)).missing_since).toBeNull();
  expect((await getFrom(person, path, { accept: 'application/dicom' })).rawPayload).toEqual(file.bytes);
});

test('marks nothing as missing when the whole store is unavailable', async () => {
  const person = await world.signIn();
  await storeAs(person, image());
  const empty = {
    ...context,
    blobs: {
      ...context.blobs,
      owner: async () => undefined,
      stat: async () => undefined,
      async *list() {},
    },
  };

  await expect(sweepTenant(empty, person.tenant.id)).rejects.toThrow('The image storage cannot be reached');

  expect((await onlyInstance(person)).missing_since).toBeNull();
});

test('removes the mark of an instance whose file has returned', async () => {
  const person = await world.signIn();
  const file = image();
  await storeAs(person, file);
  await context.blobs.remove(person.tenant.id, (await onlyInstance(person)).sha256.toString('hex'));
  await sweepTenant(context, person.tenant.id);
  await leave(person, file.bytes);

  const swept = await sweepTenant(context, person.tenant.id, { unusedFor: 0 });

  expect(swept).toEqual({ removed: 0, missing: 0, found: 1 });
  expect((await onlyInstance(person)).missing_since).toBeNull();
});

test('keeps a file whose upload has stored the bytes but not yet the rows', async () => {
  const person = await world.signIn();
  const file = image();
  const sha256 = await leave(person, file.bytes);
  const gate = createGate();
  const slowToCommit = {
    ...context,
    blobs: {
      ...context.blobs,
      keep: async (...args: Parameters<typeof context.blobs.keep>) => {
        await context.blobs.keep(...args);
        await gate.pass();
      },
    },
  };

  const upload = storeInstances(slowToCommit, person.session, [{ name: 'a', body: Readable.from([file.bytes]) }]);
  await gate.reached;
  const removal = removeUnused(context, person.tenant.id, [sha256]);
  await Promise.race([removal, whenSomebodyWaits()]);
  gate.open();
  const [{ stored }, removed] = await Promise.all([upload, removal]);

  expect([stored.length, removed]).toEqual([1, 0]);
  expect(await isStored(person, sha256)).toBe(true);
});

test('an upload of a file that is being removed waits for the removal and stores the file again', async () => {
  const person = await world.signIn();
  const file = image();
  const sha256 = await leave(person, file.bytes);
  const gate = createGate();
  const slowToRemove = removingBy(async (...removed) => {
    await gate.pass();
    await context.blobs.remove(...removed);
  });

  const removal = removeUnused(slowToRemove, person.tenant.id, [sha256]);
  await gate.reached;
  const secondAttempt = createGate();
  let attempts = 0;
  const counting: typeof context.scopes = {
    ...context.scopes,
    inTenant: async (...work) => {
      attempts += 1;
      if (attempts === 2) await secondAttempt.pass();
      return context.scopes.inTenant(...work);
    },
  };
  const files = [{ name: 'a', body: Readable.from([file.bytes]) }];
  const upload = storeInstances({ ...context, scopes: counting }, person.session, files);
  await Promise.race([upload, secondAttempt.reached]);
  secondAttempt.open();
  gate.open();
  const [removed, { stored }] = await Promise.all([removal, upload]);

  expect([removed, stored.length]).toEqual([1, 1]);
  expect(await isStored(person, sha256)).toBe(true);
});

test('finishes a removal that a crashed server left unfinished', async () => {
  const person = await world.signIn();
  const sha256 = await leave(person, image().bytes);
  const claim = (age: string) =>
    world.sql`insert into blob_removals (tenant_id, sha256, claimed_at)
      values (${person.tenant.id}, ${Buffer.from(sha256, 'hex')}, now() - ${age}::interval)`.execute(world.owner);
  const unclaim = () => world.sql`delete from blob_removals where tenant_id = ${person.tenant.id}`.execute(world.owner);

  await claim('1 minute');
  const tooSoon = await sweepTenant(context, person.tenant.id, { unusedFor: 0 });
  await unclaim();
  await claim('11 minutes');
  const inTime = await sweepTenant(context, person.tenant.id);

  expect([tooSoon.removed, inTime.removed]).toEqual([0, 1]);
  expect(await isStored(person, sha256)).toBe(false);
});

test('a failed removal does not stop the other removals, and a later upload finishes it', async () => {
  const person = await world.signIn();
  const files = [image(), image()];
  const [gone = '', stays = ''] = await Promise.all(files.map(({ bytes }) => leave(person, bytes)));
  const failing = removingBy(async (tenantId, sha256) => {
    if (sha256 === stays) throw new Error('the folder may not be written to');
    await context.blobs.remove(tenantId, sha256);
  });
  const claims = async () => {
    const { rows } = await person.inScope(({ db }) =>
      world.sql<{ sha256: string }>`select encode(sha256, 'hex') as sha256 from blob_removals`.execute(db),
    );
    return rows.map(({ sha256 }) => sha256);
  };

  await expect(removeUnused(failing, person.tenant.id, [stays, gone])).rejects.toThrow('may not be written to');
  expect(await isStored(person, gone)).toBe(false);
  expect(await claims()).toEqual([stays]);
  await world.sql`
    update blob_removals set claimed_at = now() - interval '11 minutes' where tenant_id = ${person.tenant.id}`.execute(
    world.owner,
  );
  for (const file of files) await storeAs(person, file);
  const { removed } = await sweepTenant(context, person.tenant.id, { unusedFor: 0 });

  expect(removed).toBe(0);
  expect(await Promise.all([gone, stays].map((sha256) => isStored(person, sha256)))).toEqual([true, true]);
  expect(await claims()).toEqual([]);
});

test('a file that cannot be removed does not prevent marking missing files', async () => {
  const person = await world.signIn();
  const unused = await leave(person, Buffer.from('not to be removed'));
  await storeAs(person, image());
  const { sha256 } = await onlyInstance(person);
  await context.blobs.remove(person.tenant.id, sha256.toString('hex'));
  const failing = removingBy(() => Promise.reject(new Error('the folder may not be written to')));

  const sweep = sweepTenant(failing, person.tenant.id, { unusedFor: 0 });

  await expect(sweep).rejects.toThrow('the folder may not be written to');
  expect((await onlyInstance(person)).missing_since).not.toBeNull();
  expect(await isStored(person, unused)).toBe(true);
});

test('if the machine slept during a removal, the removal stops', async () => {
  const person = await world.signIn();
  const hashes = [await leave(person, Buffer.from('before sleep')), await leave(person, Buffer.from('after sleep'))];
  const sleeping = removingBy(async (...removed) => {
    await context.blobs.remove(...removed);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  });

  const removed = await removeUnused(sleeping, person.tenant.id, hashes).finally(() => vi.useRealTimers());

  expect(removed).toBe(1);
  expect(await Promise.all(hashes.map((sha256) => isStored(person, sha256)))).toContain(true);
});

test('a removal that waited minutes for an upload completes, and the file can be uploaded again', async () => {
  const person = await world.signIn();
  const file = image();
  const unused = await leave(person, file.bytes);
  const gate = createGate();
  const keep: typeof context.blobs.keep = async (...args) => {
    await context.blobs.keep(...args);
    await gate.pass();
  };
  const slow = { ...context, blobs: { ...context.blobs, keep } };
  const upload = storeInstances(slow, person.session, [{ name: 'a', body: Readable.from([image().bytes]) }]);
  await gate.reached;

  const removal = removeUnused(context, person.tenant.id, [unused]);
  await whenSomebodyWaits();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
  gate.open();
  const [removed] = await Promise.all([removal, upload]).finally(() => vi.useRealTimers());
  await storeAs(person, file);

  expect(removed).toBe(1);
  expect(await isStored(person, unused)).toBe(true);
});

test('a failure in one tenant is logged and does not stop the upkeep of other tenants', async () => {
  const [north, south] = [await world.signIn(), await world.signIn()];
  const unused = [await leave(north, Buffer.from('north again')), await leave(south, Buffer.from('south again'))];
  const failing = removingBy(async (tenantId, sha256) => {
    if (tenantId === north.tenant.id) throw new Error('the folder may not be written to');
    await context.blobs.remove(tenantId, sha256);
  });
  const logged: unknown[] = [];
  const log = { info: () => {}, error: (facts: object) => logged.push(facts) };

  await expect(runUpkeep(failing, { unusedFor: 0 }, log)).rejects.toThrow('the folder may not be written to');

  expect(await Promise.all([isStored(north, unused[0] ?? ''), isStored(south, unused[1] ?? '')])).toEqual([
    true,
    false,
  ]);
  expect(logged).toMatchObject([{ tenantId: north.tenant.id, err: { message: 'the folder may not be written to' } }]);
});

test('only one process at a time runs the upkeep of all tenants', async () => {
  const [north, south] = [await world.signIn(), await world.signIn()];
  const unused = [await leave(north, Buffer.from('north')), await leave(south, Buffer.from('south'))];

  const runs = await Promise.all([1, 2].map(() => runUpkeep(context, { unusedFor: 0 })));

  expect(runs.filter((run) => run !== undefined)).toHaveLength(1);
  expect(await Promise.all([isStored(north, unused[0] ?? ''), isStored(south, unused[1] ?? '')])).toEqual([
    false,
    false,
  ]);
});
