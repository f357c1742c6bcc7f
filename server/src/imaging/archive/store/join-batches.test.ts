import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { installTranslation } from '@radwork/contract/core/translate';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { inLanguage, requestLanguage } from '#core/http/request-language.ts';
import { type Session, systemSession } from '#core/access/scope.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { type Archive, senderOf, type Upload } from './attempt-batches.ts';
import { type Candidate, ingestFile, isRefusal } from './ingest-file.ts';
import { writeBatch } from './write-batch.ts';

const world = await createWorld();
const { context } = world;

type Attributes = Parameters<typeof image>[0];

const candidateOf = async (tenantId: number, bytes: Buffer): Promise<Candidate> => {
  const blob = await context.blobs.receive(Readable.from([bytes]), 1 << 24, tenantId);
  const thrown = (error: unknown) => {
    throw error;
  };
  const outcome = await ingestFile('file', blob, thrown, { tenantId });
  if (isRefusal(outcome)) throw new Error(outcome.reason);
  return outcome;
};

const candidate = ({ tenant }: Pick<Person, 'tenant'>, attributes: Attributes = {}): Promise<Candidate> =>
  candidateOf(tenant.id, image({ AccessionNumber: undefined, ...attributes }).bytes);

/**
 * An archive whose transactions wait until `open`: all of them, or those of tenants for which `waiting` is true. `started`
 * has the tenant of each transaction. `after` runs at the end of each transaction.
 */
const gated = (
  options: { blobs?: BlobStore; after?: (transaction: number) => void; waiting?: (tenantId: number) => boolean } = {},
) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  // A failed test must not leave work that waits for the gate.
  onTestFinished(() => open());
  const started: number[] = [];
  const waits = options.waiting ?? (() => true);
  const inWholeTenant: typeof context.scopes.inWholeTenant = async (session, work) => {
    const transaction = started.push(session.tenantId);
    if (waits(session.tenantId)) await opened;
    return context.scopes.inWholeTenant(session, async (scope) => {
      const result = await work(scope);
      options.after?.(transaction);
      return result;
    });
  };
  const archive: Archive = { blobs: options.blobs ?? context.blobs, scopes: { ...context.scopes, inWholeTenant } };
  const store = (session: Session, files: readonly Candidate[], upload: Partial<Upload> = {}) =>
    writeBatch(archive, session, files, { onlyStudy: undefined, audited: new Set(), ...upload });
  return { started, open, store };
};

const isStored = { isNew: true };

const auditedUsers = async (person: Person): Promise<string[]> => {
  const rows = await person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select('username').where('action', '=', 'study.store').execute(),
  );
  return rows.map(({ username }) => username).toSorted();
};

const instancesOf = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('instances').select('sop_instance_uid').execute());

/** Counts the stored files of a tenant. */
const storedFiles = async ({ tenant }: Person): Promise<number> => {
  let count = 0;
  for await (const _ of context.blobs.list(tenant.id)) count += 1;
  return count;
};

test('starts the transaction of a file that comes alone at once', async () => {
  const person = await world.signIn();
  const file = await candidate(person);
  const { started, open, store } = gated();

  const storing = store(person.session, [file]);

  expect(started).toHaveLength(1);
  open();
  expect(await storing).toMatchObject([isStored]);
});

test('stores the files of requests that wait in one transaction, with an answer and an audit entry for each', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const ofStudy = { StudyInstanceUID, PatientID: 'P' };
  const files = await Promise.all([1, 2, 3, 4].map(() => candidate(person, ofStudy)));
  const ofAnother = await candidate(person);
  const { started, open, store } = gated();

  const [alone, ...waiting] = files.map((file) => store(person.session, [file]));
  const foreign = store(person.session, [ofAnother], { onlyStudy: StudyInstanceUID });
  open();

  expect(await alone).toMatchObject([isStored]);
  expect(await Promise.all(waiting)).toMatchObject([[isStored], [isStored], [isStored]]);
  expect(await foreign).toMatchObject([{ reason: 'Study UID does not match' }]);
  expect(started).toHaveLength(2);
  expect(await instancesOf(person)).toHaveLength(4);
  expect(await storedFiles(person)).toBe(4);
  expect(await auditedUsers(person)).toHaveLength(4);
});

test('writes no second audit entry for an upload that shares a transaction', async () => {
  const person = await world.signIn();
  const ofStudy = { StudyInstanceUID: newUid(), PatientID: 'P' };
  const files = await Promise.all([1, 2, 3].map(() => candidate(person, ofStudy)));
  const { open, store } = gated();
  const audited = new Set<string>();

  const storing = files.map((file) => store(person.session, [file], { audited }));
  open();
  const [[first] = []] = await Promise.all(storing);

  expect(await auditedUsers(person)).toHaveLength(1);
  expect([...audited]).toEqual([first && 'studyId' in first && first.studyId]);
});

test('refuses only the file of a group with a value that no column can hold', async () => {
  const person = await world.signIn();
  const [first, good, odd, other] = await Promise.all([1, 2, 3, 4].map(() => candidate(person)));
  if (!first || !good || !odd || !other) throw new Error('There are four files');
  odd.instance.rows = 2 ** 40;
  const { open, store } = gated();

  const storing = [first, good, odd, other].map((file) => store(person.session, [file]));
  open();

  expect(await Promise.all(storing)).toMatchObject([
    [isStored],
    [isStored],
    [{ reason: 'The file header contains a value that cannot be stored.' }],
    [isStored],
  ]);
  expect(await storedFiles(person)).toBe(3);
});

test('audits each sender of a shared transaction by name, and marks studies with the groups of their own device', async () => {
  const person = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  const [device, grouped] = ['CT', 'MR'].map((username) => ({ ...systemSession(person.tenant.id), username }));
  const newStudyGroups = [randomUUID()];
  const senders = [person.session, person.session, colleague.session, { ...device, newStudyGroups: [] }];
  const { started, open, store } = gated();

  const files = await Promise.all(senders.map(() => candidate(person)));
  const ofGroup = await candidate(person);
  const storing = senders.map((session, index) => store(session as Session, files.slice(index, index + 1)));
  storing.push(store({ ...grouped, newStudyGroups } as Session, [ofGroup]));
  open();
  const outcomes = await Promise.all(storing);

  expect(outcomes.flat()).toMatchObject(Array.from({ length: 5 }, () => isStored));
  expect(started).toHaveLength(3);
  expect(await auditedUsers(person)).toEqual(
    ['CT', 'MR', person.username, person.username, colleague.username].toSorted(),
  );
  const studies = await person.inScope(({ db }) =>
    db.selectFrom('studies').select(['study_instance_uid', 'group_ids']).execute(),
  );
  for (const { study_instance_uid, group_ids } of studies) {
    expect(group_ids).toEqual(study_instance_uid === ofGroup.studyInstanceUID ? newStudyGroups : []);
  }
});

test('a caller who sees only own studies shares no transaction with others, and adds nothing to their studies', async () => {
  const person = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const ofStudy = { StudyInstanceUID: newUid(), PatientID: 'P' };
  const [existing, alone, ...files] = await Promise.all([1, 2, 3, 4, 5].map(() => candidate(person, ofStudy)));
  const before = gated();
  before.open();
  // The study exists first. Otherwise the transaction of the referrer may create it.
  await before.store(person.session, existing ? [existing] : []);
  const senders = [person.session, referrer.session, person.session];
  const { started, open, store } = gated();

  const first = store(person.session, alone ? [alone] : []);
  const storing = senders.map((session, index) => store(session, files.slice(index, index + 1)));
  open();

  expect(await first).toMatchObject([isStored]);
  expect(await Promise.all(storing)).toMatchObject([
    [isStored],
    [{ reason: 'You cannot add files to this study. Ask an administrator for access.' }],
    [isStored],
  ]);
  expect(started).toHaveLength(3);
});

test('two users, addresses, sources or languages are never the same sender', async () => {
  const { session } = await world.signIn();
  const senders = [
    senderOf(session, undefined),
    senderOf(session, { kind: 'UPLOAD' }),
    senderOf({ ...session, userId: randomUUID() }, undefined),
    senderOf({ ...session, address: '192.0.2.1' }, undefined),
    senderOf({ ...session, roles: [] }, undefined),
    senderOf({ ...session, studyGroups: [] }, undefined),
    inLanguage('de', () => senderOf(session, undefined)),
  ];

  expect(new Set(senders)).toHaveLength(senders.length);
  expect(senderOf({ ...session }, undefined)).toBe(senders[0]);
});

test('refuses files of a shared transaction in the language of their own request', async () => {
  const person = await world.signIn();
  const files = await Promise.all([1, 2, 3].map(() => candidate(person)));
  installTranslation((message) => (requestLanguage() === '' ? undefined : `${requestLanguage()}: ${message}`));
  const { started, open, store } = gated();

  const [first, ...others] = files.map((file, index) =>
    inLanguage(['en', 'de', 'fr'][index] ?? '', () => store(person.session, [file], { onlyStudy: newUid() })),
  );
  open();

  expect(await first).toMatchObject([{ reason: 'en: Study UID does not match' }]);
  expect(await Promise.all(others)).toMatchObject([
    [{ reason: 'de: Study UID does not match' }],
    [{ reason: 'fr: Study UID does not match' }],
  ]);
  expect(started).toHaveLength(2);
});

test('stores an instance once when two requests of a group send it, and refuses a different file of its UID', async () => {
  const person = await world.signIn();
  const { bytes } = image({ AccessionNumber: undefined });
  const same = { SOPInstanceUID: newUid(), StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), PatientID: 'Q' };
  const files = await Promise.all([
    candidate(person),
    candidateOf(person.tenant.id, bytes),
    candidateOf(person.tenant.id, bytes),
    candidate(person, same),
    candidate(person, { ...same, InstanceNumber: '77' }),
  ]);
  const { started, open, store } = gated();

  const storing = files.map((file) => store(person.session, [file]));
  open();

  expect(await Promise.all(storing)).toMatchObject([
    [isStored],
    [isStored],
    [{ isNew: false }],
    [isStored],
    [{ reason: 'A different file with this SOP Instance UID is already stored. It was not replaced.' }],
  ]);
  expect(started).toHaveLength(2);
  expect(await storedFiles(person)).toBe(3);
});

test('a full quota refuses only the file of a group that has no room', async () => {
  const person = await world.signIn();
  const files = await Promise.all([1, 2, 3].map(() => candidate(person)));
  const room = files.slice(0, 2).reduce((sum, { blob }) => sum + blob.size, 0);
  await sql`update tenants set storage_quota_bytes = ${room} where id = ${person.tenant.id}`.execute(world.owner);
  const { open, store } = gated();

  const storing = files.map((file) => store(person.session, [file]));
  open();

  expect(await Promise.all(storing)).toMatchObject([[isStored], [isStored], [{ isOutOfSpace: true }]]);
});

test('a disk that has no room for one file of a group refuses only this file', async () => {
  const person = await world.signIn();
  const [first, small, large, last] = await Promise.all([1, 2, 3, 4].map(() => candidate(person)));
  const blobs: BlobStore = {
    ...context.blobs,
    keep: async (tenantId, kept) => {
      await context.blobs.keep(
        tenantId,
        kept.filter((blob) => blob !== large?.blob),
      );
      if (large && kept.includes(large.blob)) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    },
  };
  const { open, store } = gated({ blobs });

  const storing = [first, small, large, last].map((file) => store(person.session, file ? [file] : []));
  open();

  const outcomes = await Promise.allSettled(storing);
  expect(outcomes).toMatchObject([
    { value: [isStored] },
    { value: [isStored] },
    { status: 'rejected', reason: { code: 'ENOSPC' } },
    { value: [isStored] },
  ]);
  expect(await instancesOf(person)).toHaveLength(3);
  expect(await storedFiles(person)).toBe(3);
});

test('stores each batch alone when a deadlock ends the transaction of their group', async () => {
  const person = await world.signIn();
  const files = await Promise.all([1, 2, 3].map(() => candidate(person)));
  const { started, open, store } = gated({
    after: (transaction) => {
      if (transaction === 2) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    },
  });

  const storing = files.map((file) => store(person.session, [file]));
  open();

  expect(await Promise.all(storing)).toMatchObject([[isStored], [isStored], [isStored]]);
  expect(started).toHaveLength(4);
  expect(await instancesOf(person)).toHaveLength(3);
});

test('two new studies with one accession number are stored one after another, so that the first meets its order', async () => {
  const person = await world.signIn();
  const files = await Promise.all([
    candidate(person),
    ...[1, 2].map(() => candidate(person, { AccessionNumber: 'A-1', PatientID: 'P' })),
  ]);
  const { started, open, store } = gated();

  const storing = files.map((file) => store(person.session, [file]));
  open();
  await Promise.all(storing);

  expect(started).toHaveLength(3);
});

test('a flood of one tenant delays no file of another', async () => {
  const [flooding, other] = [await world.signIn(), await world.signIn()];
  const flood = await Promise.all(
    Array.from({ length: 6 }, () => Promise.all(Array.from({ length: 11 }, () => candidate(flooding)))),
  );
  const { started, open, store } = gated({ waiting: (tenantId) => tenantId === flooding.tenant.id });

  const stuck = flood.map((files) => store(flooding.session, files));
  const small = store(flooding.session, [await candidate(flooding)]);
  const outcome = await store(other.session, [await candidate(other)]);

  expect(outcome).toMatchObject([isStored]);
  expect(started.filter((tenantId) => tenantId === flooding.tenant.id)).toHaveLength(4);
  open();
  await Promise.all([...stuck, small]);
  expect(await instancesOf(flooding)).toHaveLength(67);
});

test('a transaction that waits for a locked study does not delay files of other studies', async () => {
  const person = await world.signIn();
  const [locked, free] = [await candidate(person), await candidate(person)];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  const name = `${person.tenant.id} ${locked.studyInstanceUID}`;
  const held = Promise.withResolvers<void>();
  const holding = person.inScope(async ({ db }) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
    held.resolve();
    await ended;
  });
  await held.promise;
  const { open, store } = gated();
  open();

  const waiting = store(person.session, [locked]);
  expect(await store(person.session, [free])).toMatchObject([isStored]);

  end();
  await holding;
  expect(await waiting).toMatchObject([isStored]);
});

test('files of a removed tenant are refused, and files of another tenant are stored', async () => {
  const person = await world.signIn();
  const removed = systemSession(2 ** 30);
  const files = await Promise.all([1, 2, 3].map(() => candidateOf(removed.tenantId, image().bytes)));
  const good = await candidate(person);
  const { open, store } = gated();

  const refused = files.map((file) => store(removed, [file]));
  const stored = store(person.session, [good]);
  open();

  expect((await Promise.all(refused)).flat().every(isRefusal)).toBe(true);
  expect(await stored).toMatchObject([isStored]);
});
