import { Readable } from 'node:stream';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isDeadlock } from '#core/database/database.ts';
import type { Scope } from '#core/access/scope.ts';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';
import { type Candidate, ingestFile, isRefusal } from './ingest-file.ts';
import { writeBatch } from './write-batch.ts';

const world = await createWorld();
const { context } = world;

const candidate = async (person: Person, name: string, bytes = image().bytes): Promise<Candidate> => {
  const blob = await context.blobs.receive(Readable.from([bytes]), 1 << 20, person.tenant.id);
  const thrown = (error: unknown) => {
    throw error;
  };
  const outcome = await ingestFile(name, blob, thrown, { tenantId: person.tenant.id });
  if (isRefusal(outcome)) throw new Error(outcome.reason);
  return outcome;
};

test('refuses only the file with a value that no column can hold', async () => {
  const person = await world.signIn();
  const [first, odd, last] = [
    await candidate(person, 'first'),
    await candidate(person, 'odd'),
    await candidate(person, 'last'),
  ];
  odd.instance.rows = 2 ** 40;

  const outcomes = await writeBatch(context, person.session, [first, odd, last], {
    onlyStudy: undefined,
    audited: new Set(),
  });

  expect(outcomes).toMatchObject([
    { name: 'first', isNew: true },
    { name: 'odd', reason: 'The file header contains a value that cannot be stored.' },
    { name: 'last', isNew: true },
  ]);
  const stored = await person.inScope(({ db }) => db.selectFrom('instances').select('id').execute());
  expect(stored).toHaveLength(2);
});

const storedHashes = async ({ tenant }: Person): Promise<string[]> => {
  const hashes: string[] = [];
  for await (const { sha256 } of context.blobs.list(tenant.id)) hashes.push(sha256);
  return hashes;
};

const rowsOf = (person: Person) => person.inScope(({ db }) => db.selectFrom('instances').select('sha256').execute());

/** Moves a candidate into the study of another candidate, and gives the moved candidate a Patient ID. */
const ofPatient = (one: Candidate, patientId: string, { studyInstanceUID }: Candidate): Candidate => ({
  ...one,
  studyInstanceUID,
  described: { ...one.described, hasPatientId: true, patient: { ...one.described.patient, patient_id: patientId } },
});

test('if a batch is written file by file, a refused file leaves no bytes', async () => {
  const person = await world.signIn();
  const odd = await candidate(person, 'odd');
  odd.instance.rows = 2 ** 40;
  const batch = [
    ofPatient(odd, 'P', odd),
    ofPatient(await candidate(person, 'of another'), 'Q', odd),
    ofPatient(await candidate(person, 'of the same'), 'P', odd),
  ];

  const outcomes = await writeBatch(context, person.session, batch, { onlyStudy: undefined, audited: new Set() });

  expect(outcomes.map((outcome) => isRefusal(outcome))).toEqual([true, false, true]);
  expect(await rowsOf(person)).toHaveLength(1);
  expect(await storedHashes(person)).toHaveLength(1);
});

test('a lost database leaves no bytes while files are written one by one', async () => {
  const person = await world.signIn();
  const [odd, other] = [await candidate(person, 'odd'), await candidate(person, 'other')];
  odd.instance.rows = 2 ** 40;
  let transactions = 0;
  const inWholeTenant: typeof context.scopes.inWholeTenant = (session, work) => {
    transactions += 1;
    // The first transaction writes the whole batch, the second only the odd file, and the third only the other file.
    if (transactions === 3) return Promise.reject(new Error('Connection terminated unexpectedly'));
    return context.scopes.inWholeTenant(session, work);
  };

  const writing = writeBatch(
    { ...context, scopes: { ...context.scopes, inWholeTenant } },
    person.session,
    [odd, other],
    {
      onlyStudy: undefined,
      audited: new Set(),
    },
  );

  await expect(writing).rejects.toThrow('Connection terminated');
  expect(await rowsOf(person)).toHaveLength(0);
  expect(await storedHashes(person)).toHaveLength(0);
});

test('a lost database leaves no bytes of a batch that contains one file twice', async () => {
  const person = await world.signIn();
  const { bytes } = image();
  const batch = [await candidate(person, 'file', bytes), await candidate(person, 'copy', bytes)];
  let transactions = 0;
  const inWholeTenant: typeof context.scopes.inWholeTenant = (session, work) => {
    transactions += 1;
    if (transactions > 1) return context.scopes.inWholeTenant(session, work);
    return context.scopes.inWholeTenant(session, async (scope) => {
      await work(scope);
      throw new Error('Connection terminated unexpectedly');
    });
  };

  const writing = writeBatch({ ...context, scopes: { ...context.scopes, inWholeTenant } }, person.session, batch, {
    onlyStudy: undefined,
    audited: new Set(),
  });

  await expect(writing).rejects.toThrow('Connection terminated');
  expect(await rowsOf(person)).toHaveLength(0);
  expect(await storedHashes(person)).toHaveLength(0);
});

test('writes large metadata in several statements', async () => {
  const person = await world.signIn();
  const batch = await Promise.all(['first', 'second', 'third'].map((name) => candidate(person, name)));
  for (const { instance } of batch) instance.metadata = Buffer.alloc(5 << 20, 'metadata');

  await writeBatch(context, person.session, batch, { onlyStudy: undefined, audited: new Set() });

  const sizes = await person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .select(sql<number>`length(metadata)`.as('bytes'))
      .execute(),
  );
  expect(sizes.map(({ bytes }) => bytes)).toEqual([5 << 20, 5 << 20, 5 << 20]);
});

test('stores an upload into two studies while a merge locks them in the opposite order', async () => {
  const person = await world.signIn();
  const [one, other] = [newUid(), newUid()];
  const another = (StudyInstanceUID: string) => image({ StudyInstanceUID, PatientID: 'P' });
  await storeAs(person, another(one), another(other));
  const studyToChange = ({ db }: Scope, uid: string) =>
    db.selectFrom('studies').select('id').where('study_instance_uid', '=', uid).forNoKeyUpdate().execute();

  const uploads: Promise<void>[] = [];
  const taking = person.inScope(async (scope) => {
    await studyToChange(scope, other);
    uploads.push(storeAs(person, another(one), another(other)));
    await waitsForLock(world);
    await studyToChange(scope, one);
  });
  // On a busy machine, the database may cancel this transaction instead of the transaction of the upload.
  await taking.catch((error: unknown) => {
    if (!isDeadlock(error)) throw error;
  });
  await Promise.all(uploads);

  const studies = await person.inScope(({ db }) => db.selectFrom('studies').select('instance_count').execute());
  expect(studies).toEqual([{ instance_count: 2 }, { instance_count: 2 }]);
  expect(await storedHashes(person)).toHaveLength(4);
});
