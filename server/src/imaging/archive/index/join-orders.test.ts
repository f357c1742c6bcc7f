import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { audit } from '#core/audit/audit.ts';
import { storeAs } from '#test/archive-calls.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { image } from '#test/multipart-upload.ts';
import { worklistSteps } from '#test/worklist-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { order, ask, everything, accessionNumbers } = worklistSteps(world, gateway);

const jane = { PatientID: 'P-1', PatientName: 'Doe^Jane', PatientSex: 'F', PatientBirthDate: '19500101' };
const janesRecord = {
  patient_id: 'P-1',
  patient_name: 'Doe^Jane',
  gender: 'F' as const,
  date_of_birth: '1950-01-01',
};

const studiesOf = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('studies')
      .select(['id', 'study_instance_uid as uid', 'instance_count as images', 'accession_number as number'])
      .orderBy('created_at')
      .execute(),
  );

const joinsOf = (person: Person) =>
  person.inScope(({ db }) =>
    db.selectFrom('audit_entries').select(['study_id', 'detail']).where('action', '=', 'study.joinOrder').execute(),
  );

/** Creates an administrator and an open order of Jane. */
const withOrder = async (differences: Parameters<typeof order>[1] = {}) => {
  const person = await world.signIn('ADMIN');
  await order(person.tenant, { accession_number: 'A-1', patient: janesRecord, ...differences });
  const [ordered] = await studiesOf(person);
  if (!ordered) throw new Error('The order is missing');
  return { person, ordered };
};

const arriving = (elements: Elements = {}) => {
  const StudyInstanceUID = newUid();
  return { StudyInstanceUID, file: image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID, ...elements }) };
};

test('images under another study UID join the only open order of their accession number and patient', async () => {
  const { person, ordered } = await withOrder();
  const titles = await addDevice(world, person.tenant);
  const { StudyInstanceUID, file } = arriving();
  expect(accessionNumbers((await ask(titles, everything)).items)).toEqual(['A-1']);

  await storeAs(person, file);
  await storeAs(person, image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID }));

  expect(await studiesOf(person)).toMatchObject([{ id: ordered.id, uid: StudyInstanceUID, images: 2 }]);
  expect((await ask(titles, everything)).items).toEqual([]);
  expect(await joinsOf(person)).toEqual([
    {
      study_id: ordered.id,
      detail: { orderedStudyInstanceUid: ordered.uid, studyInstanceUid: StudyInstanceUID },
    },
  ]);
});

test('images of a device without the issuer of the order join it, if no other record has the patient ID', async () => {
  const { person, ordered } = await withOrder({ patient: { ...janesRecord, issuer: 'HOSPITAL' } });

  await storeAs(person, arriving().file);

  expect(await studiesOf(person)).toMatchObject([{ id: ordered.id, images: 1 }]);
});

test.each<[string, Elements]>([
  ['another patient ID', { PatientID: 'P-2' }],
  ['another name', { PatientName: 'Roe^Jane' }],
  ['another birth date', { PatientBirthDate: '19600202' }],
  ['another accession number', { AccessionNumber: 'A-2' }],
  ['no accession number', { AccessionNumber: '' }],
])('images with %s do not join the order', async (_, elements) => {
  const { person, ordered } = await withOrder();

  await storeAs(person, arriving(elements).file);

  const [first, second] = await studiesOf(person);
  expect(first).toMatchObject({ uid: ordered.uid, images: 0 });
  expect(second).toMatchObject({ images: 1 });
  expect(await joinsOf(person)).toEqual([]);
});

test('images of another issuer do not join the order', async () => {
  const { person, ordered } = await withOrder({ patient: { ...janesRecord, issuer: 'HOSPITAL' } });

  await storeAs(person, arriving({ IssuerOfPatientID: 'PRACTICE' }).file);

  expect(await studiesOf(person)).toMatchObject([{ uid: ordered.uid, images: 0 }, { images: 1 }]);
});

test('images join neither of two open orders with their accession number', async () => {
  const { person, ordered } = await withOrder();
  const { patient_id } = await person.inScope(({ db }) =>
    db.selectFrom('studies').select('patient_id').executeTakeFirstOrThrow(),
  );
  await order(person.tenant, { accession_number: 'A-1', patient: { ...janesRecord, id: patient_id } });

  await storeAs(person, arriving().file);

  const rows = await studiesOf(person);
  expect(rows.map(({ images }) => images)).toEqual([0, 0, 1]);
  expect(rows[0]?.uid).toBe(ordered.uid);
});

test('images join no order that has images, is completed, deleted or of another tenant', async () => {
  const set = async (person: Person, values: object) =>
    person.inScope(({ db }) => db.updateTable('studies').set(values).execute());
  for (const values of [{ status: 'COMPLETED' }, { deleted_at: '2026-11-20T09:30:00Z' }, { instance_count: 1 }]) {
    const { person, ordered } = await withOrder();
    await set(person, values);
    await storeAs(person, arriving().file);
    expect(await studiesOf(person)).toMatchObject([{ uid: ordered.uid }, { images: 1 }]);
  }
  const { person: other, ordered } = await withOrder();
  const person = await world.signIn('ADMIN');
  await storeAs(person, arriving().file);
  expect(await studiesOf(person)).toMatchObject([{ images: 1 }]);
  expect(await studiesOf(other)).toMatchObject([{ uid: ordered.uid, images: 0 }]);
});

const report = { Modality: 'SR', SOPClassUID: '1.2.840.10008.5.1.4.1.1.88.33', Rows: undefined, Columns: undefined };
const scannedForm = { Modality: 'OT', SOPClassUID: '1.2.840.10008.5.1.4.1.1.7' };

test.each<[string, Elements, object]>([
  ['a report', report, { pixelData: null }],
  ['a scanned request form', scannedForm, {}],
])('%s under another study UID leaves the order to its images', async (_, elements, content) => {
  const { person, ordered } = await withOrder();
  const { StudyInstanceUID, file } = arriving();

  await storeAs(person, image({ ...jane, AccessionNumber: 'A-1', ...elements }, content));
  await storeAs(person, file);

  const rows = await studiesOf(person);
  expect(rows.find(({ id }) => id === ordered.id)).toMatchObject({ uid: StudyInstanceUID, images: 1 });
  expect(rows).toHaveLength(2);
});

test.each([
  ['DX', 'MR', 0],
  ['CT', 'MR', 0],
  ['XR', 'DX', 1],
  ['PT', 'CT', 1],
  ['OT', 'MR', 1],
])('for an order of %s, arriving %s images join it %d times', async (modality, Modality, times) => {
  const { person } = await withOrder({ modality });

  await storeAs(person, arriving({ Modality }).file);

  expect(await joinsOf(person)).toHaveLength(times);
});

test('images do not join an order that was registered by a user who sees only own studies', async () => {
  const { person, ordered } = await withOrder();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const entry = { entity: 'study', entityId: ordered.id, studyId: ordered.id } as const;
  await referrer.inScope((scope) => audit(scope, 'study.create', entry));

  await storeAs(person, arriving().file);

  expect(await studiesOf(person)).toMatchObject([{ uid: ordered.uid, images: 0 }, { images: 1 }]);
});

test('images do not join an order that another upload is filling', async () => {
  const { person, ordered } = await withOrder();
  const name = `${person.tenant.id} ${ordered.uid}`;

  await world.owner.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
    await storeAs(person, arriving().file);
  });

  expect(await studiesOf(person)).toMatchObject([{ uid: ordered.uid, images: 0 }, { images: 1 }]);
});

test('images under the UID of an order keep it, if another study of the upload has its accession number', async () => {
  const { person, ordered } = await withOrder();
  const atOrder = image({ ...jane, AccessionNumber: 'A-1', StudyInstanceUID: ordered.uid });

  await storeAs(person, atOrder, arriving().file);

  expect(await studiesOf(person)).toContainEqual(expect.objectContaining({ ...ordered, images: 1 }));
  expect(await joinsOf(person)).toEqual([]);
});

test('when two uploads with one accession number run at once, one joins the order and the other stays a separate study', async () => {
  const { person, ordered } = await withOrder();
  const files = Array.from({ length: 4 }, () => arriving().file);

  await Promise.all(files.map((file) => storeAs(person, file)));

  const rows = await studiesOf(person);
  expect(rows.map(({ images }) => images)).toEqual([1, 1, 1, 1]);
  expect(rows.some(({ id }) => id === ordered.id)).toBe(true);
  expect(await joinsOf(person)).toHaveLength(1);
});

test('an upload of two studies with one accession number joins neither with the order', async () => {
  const { person, ordered } = await withOrder();

  await storeAs(person, arriving().file, arriving().file);

  expect((await studiesOf(person)).find(({ id }) => id === ordered.id)).toMatchObject({ uid: ordered.uid, images: 0 });
});

test.skipIf(!hasDcmtk)(
  'when two associations of a scanner run at once, one study joins the order, and the order leaves the worklist',
  async () => {
    const { person, ordered } = await withOrder();
    const titles = await addDevice(world, person.tenant);
    const folder = await mkdtemp(join(tmpdir(), 'radwork-orders-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const send = async (name: string) => {
      await writeFile(join(folder, name), arriving().file.bytes);
      const peer = ['-aet', titles.calling, '-aec', titles.called, '127.0.0.1', String(gateway.port)];
      return runDcmtk('storescu', ...peer, join(folder, name));
    };

    await Promise.all([send('one.dcm'), send('two.dcm')]);

    const rows = await studiesOf(person);
    expect(rows.map(({ images }) => images)).toEqual([1, 1]);
    expect(rows.some(({ id }) => id === ordered.id)).toBe(true);
    expect(await joinsOf(person)).toHaveLength(1);
    expect((await ask(titles, everything)).items).toEqual([]);
  },
);
