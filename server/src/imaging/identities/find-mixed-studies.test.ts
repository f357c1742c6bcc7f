import { identities } from '@radwork/contract/imaging/identities';
import { notifications } from '@radwork/contract/identity/notifications';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { findMixed } from './find-mixed-studies.ts';

const world = await createWorld();

const maria = { PatientID: 'P-1', PatientName: 'Alpha^Maria', PatientSex: 'F' };

test('the search for earlier studies of two people adds each study to the queue once and reports its progress', async () => {
  const admin = await world.signIn('ADMIN');
  await storeAs(admin, image(maria));
  await storeAs(admin, image({ ...maria, PatientName: 'ALPHA^MARIA' }));
  await storeAs(admin, image({ ...maria, PatientName: 'Kowalski^Maria' }));
  await storeAs(admin, image({ ...maria, PatientID: 'P-2' }));
  // Moves the study to the record where an earlier version would have filed it: the only record with this Patient ID.
  await admin.inScope(async ({ db }) => {
    const known = await db
      .selectFrom('patients')
      .select('id')
      .where('patient_name', '=', 'Alpha^Maria')
      .where('patient_id', '=', 'P-1')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('identity_questions').execute();
    await db
      .updateTable('studies')
      .set({ patient_id: known.id, identity_names: '' })
      .where('patient_name', '=', 'Kowalski^Maria')
      .execute();
  });

  await findMixed(world.context.scopes);
  await findMixed(world.context.scopes);

  const { data } = await admin.send(identities.list, { query: {} });
  const { data: counted } = await admin.send(identities.count);
  expect(data.content).toMatchObject([
    { origin: 'FOUND', known: { patientName: 'Alpha, Maria' }, said: { patientName: 'Kowalski, Maria' } },
  ]);
  expect(counted).toMatchObject({ open: 1, search: { studiesFound: 1 } });
  expect(counted.search?.patientsLookedAt).toBe(counted.search?.patientsInAll);
  expect(counted.search?.finishedDate).not.toBeNull();
  const { data: inbox } = await admin.send(notifications.list, { query: {} });
  expect(inbox.content.filter(({ type }) => type === 'IDENTITY')).toMatchObject([
    { title: 'Found patient records that may belong to two people', message: '1 study needs a decision.', study: null },
    { title: 'Confirm the identity of a study' },
  ]);
});
