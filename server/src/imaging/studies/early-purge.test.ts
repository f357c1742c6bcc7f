import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { claimStore } from '#test/claim-store.ts';
import { form, image, type TestFile } from '#test/multipart-upload.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
await claimStore(world);
const steps = reportSteps(world);

const newUids = () => ({ StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() });
type Uids = ReturnType<typeof newUids>;

const pathOf = ({ StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID }: Uids): string =>
  `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}/instances/${SOPInstanceUID}`;

const send = (person: Person, ...files: TestFile[]) =>
  person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(...files) });

const idOf = (person: Person, { StudyInstanceUID }: Pick<Uids, 'StudyInstanceUID'>) =>
  person.inScope(({ db }) =>
    db.selectFrom('studies').select('id').where('study_instance_uid', '=', StudyInstanceUID).executeTakeFirstOrThrow(),
  );

/** Stores an image under the wrong Patient ID and deletes its study. */
const withDeleted = async (person: Person) => {
  const uids = newUids();
  const wrong = image({ ...uids, PatientID: `WRONG-${newUid()}`, PatientName: 'Wrong^Person' });
  await storeAs(person, wrong);
  const { id } = await idOf(person, uids);
  await person.send(studies.remove, { params: { id } });
  const right = image({ ...uids, PatientID: `RIGHT-${newUid()}`, PatientName: 'Right^Person' });
  return { uids, id, wrong, right, params: { id } };
};

const auditOf = (person: Person, action: string) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['username', 'study_id', 'detail'])
      .where('action', '=', action)
      .orderBy('created_at')
      .execute(),
  );

const reason = { reason: 'Wrong Patient ID at the modality' };

test('corrected images replace a deleted study after an administrator allowed it', async () => {
  const person = await world.signIn('ADMIN');
  const { uids, id, right, params } = await withDeleted(person);
  const before = await send(person, right);

  const allowed = await person.send(studies.allowReplacement, { params, body: reason });
  const after = await send(person, right);

  expect(before.statusCode).toBe(409);
  expect(allowed.status).toBe(200);
  expect(after.statusCode).toBe(200);
  const served = await getFrom(person, pathOf(uids), { accept: 'application/dicom' });
  expect(served.rawPayload.equals(right.bytes)).toBe(true);
  expect((await person.send(studies.deleted)).data.content).toEqual([]);
  expect(await auditOf(person, 'study.allowReplacement')).toEqual([
    { username: person.username, study_id: id, detail: reason },
  ]);
  expect(await auditOf(person, 'study.replace')).toEqual([
    { username: person.username, study_id: id, detail: { instances: 1, allowedBy: person.username } },
  ]);
});

test('corrected images under a new Study Instance UID replace the deleted images with the same SOP Instance UIDs', async () => {
  const person = await world.signIn('ADMIN');
  const { uids, params } = await withDeleted(person);
  const moved = { ...uids, StudyInstanceUID: newUid() };
  await person.send(studies.allowReplacement, { params, body: reason });

  const answer = await send(person, image({ ...moved, PatientID: newUid() }));

  expect(answer.statusCode).toBe(200);
  expect((await getFrom(person, pathOf(moved), { accept: 'application/dicom' })).statusCode).toBe(200);
});

test('the deleted file itself does not replace its study, and a restored study accepts no replacement', async () => {
  const person = await world.signIn('ADMIN');
  const { uids, wrong, right, params } = await withDeleted(person);
  await person.send(studies.allowReplacement, { params, body: reason });

  const same = await send(person, wrong);
  const deletedList = await person.send(studies.deleted);
  await person.send(studies.restore, { params });
  const late = await send(person, right);

  expect(same.statusCode).toBe(409);
  expect(deletedList.data.content).toMatchObject([{ id: params.id, earlyPurge: { kind: 'REPLACE' }, refusedFiles: 1 }]);
  expect(late.statusCode).toBe(409);
  const served = await getFrom(person, pathOf(uids), { accept: 'application/dicom' });
  expect(served.rawPayload.equals(wrong.bytes)).toBe(true);
});

test('a replacement that is refused leaves the deleted study restorable', async () => {
  const person = await world.signIn('ADMIN');
  const { uids, right, wrong, params } = await withDeleted(person);
  await person.send(studies.allowReplacement, { params, body: reason });
  const other = newUids();
  await storeAs(person, image({ ...other, PatientID: newUid() }));

  // The SOP Instance UID of this file belongs to a study that is not deleted.
  const refused = await send(person, image({ ...uids, SOPInstanceUID: other.SOPInstanceUID, PatientID: newUid() }));
  const restored = await person.send(studies.restore, { params });

  expect(refused.statusCode).toBe(409);
  expect(restored.status).toBe(200);
  const served = await getFrom(person, pathOf(uids), { accept: 'application/dicom' });
  expect(served.rawPayload.equals(wrong.bytes)).toBe(true);
  expect(right.bytes.equals(wrong.bytes)).toBe(false);
});

test('a purge before the retention ends requires two different users', async () => {
  const person = await world.signIn('ADMIN');
  const second = await world.signIn('ADMIN', person.tenant);
  const { uids, id, right, params } = await withDeleted(person);

  const early = await second.send(studies.confirmPurge, { params });
  const purgeRequest = await person.send(studies.requestPurge, { params, body: reason });
  const again = await person.send(studies.confirmPurge, { params });
  const deletedList = await second.send(studies.deleted);
  const confirmed = await second.send(studies.confirmPurge, { params });

  expect(early).toMatchObject({ status: 409, message: 'No user has asked to purge this study.' });
  expect(purgeRequest.status).toBe(200);
  expect(again).toMatchObject({ status: 403, message: 'A second user must confirm this purge.' });
  expect(deletedList.data.content).toMatchObject([
    { id, earlyPurge: { kind: 'PURGE', ...reason, requestedBy: person.username, isOwn: false } },
  ]);
  expect(confirmed.status).toBe(200);
  expect((await person.send(studies.deleted)).data.content).toEqual([]);
  expect((await send(person, right)).statusCode).toBe(200);
  expect((await getFrom(person, pathOf(uids), { accept: 'application/dicom' })).rawPayload).toEqual(right.bytes);
  expect(await auditOf(person, 'study.requestPurge')).toMatchObject([{ username: person.username, study_id: id }]);
  expect(await auditOf(person, 'study.purge')).toEqual([
    { username: second.username, study_id: id, detail: { instances: 1, requestedBy: person.username } },
  ]);
});

test('frames of a replacement are not taken from the browser cache of the purged study', async () => {
  const person = await world.signIn('ADMIN');
  const { uids, right, params } = await withDeleted(person);
  const series = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/metadata`;
  await person.send(studies.restore, { params });
  const before = await getFrom(person, series);
  await person.send(studies.remove, { params });
  await person.send(studies.allowReplacement, { params, body: reason });
  await send(person, right);

  const after = await getFrom(person, series);
  const frame = await getFrom(person, `${pathOf(uids)}/frames/1`, { accept: 'application/octet-stream' });

  expect(before.headers['x-series']).toMatch(/^[\da-f-]{36}\.\d+$/);
  expect(after.headers['x-series']).not.toBe(before.headers['x-series']);
  expect(frame.headers.vary).toMatch(/X-Series/);
});

test('a withdrawn decision has no effect', async () => {
  const person = await world.signIn('ADMIN');
  const second = await world.signIn('ADMIN', person.tenant);
  const { right, params } = await withDeleted(person);
  await person.send(studies.allowReplacement, { params, body: reason });

  const withdrawn = await second.send(studies.withdrawPurge, { params });
  const nothing = await second.send(studies.withdrawPurge, { params });

  expect(withdrawn.status).toBe(200);
  expect(nothing.status).toBe(409);
  expect((await send(person, right)).statusCode).toBe(409);
  expect(await auditOf(person, 'study.withdrawPurge')).toMatchObject([{ username: second.username }]);
});

test.each(['a legal hold', 'a finalized report'])('a study with %s is neither replaced nor purged', async (why) => {
  const person = await world.signIn();
  const admin = await world.signIn('ADMIN', person.tenant);
  const second = await world.signIn('ADMIN', person.tenant);
  const { id: report, study } = await steps.begin(person);
  const params = { id: study.id };
  const deleted = world.sql`update studies set deleted_at = now() where id = ${study.id}`;
  const placeHold = world.sql`update studies set is_on_legal_hold = true where id = ${study.id}`;
  if (why === 'a finalized report') await steps.finalize(person, report);
  else await placeHold.execute(world.owner);
  await deleted.execute(world.owner);

  const refused = await Promise.all([
    admin.send(studies.allowReplacement, { params, body: reason }),
    admin.send(studies.requestPurge, { params, body: reason }),
  ]);
  // The database refuses too, even if the decision is older than the hold.
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('early_purges')
      .values({
        study_id: study.id,
        kind: 'PURGE',
        reason: 'x',
        requested_by: admin.userId,
        requested_by_name: admin.username,
      })
      .execute(),
  );
  const confirmed = await second.send(studies.confirmPurge, { params });

  expect(refused.map(({ status }) => status)).toEqual([409, 409]);
  expect(confirmed.status).toBe(409);
  expect((await admin.send(studies.deleted)).data.content).toMatchObject([{ id: study.id }]);
});
