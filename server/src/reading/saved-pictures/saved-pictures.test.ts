import { type PictureNote, savedPictures } from '@radwork/contract/reading/saved-pictures';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { detailsOf, move } from '#test/merge-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { auditedActions } = reportSteps(world);

const withImage = async () => {
  const reader = await world.signIn();
  await storeAs(reader, image({ Modality: 'US' }));
  const stored = await reader.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  const note: PictureNote = {
    seriesInstanceUIDs: [stored.series_instance_uid],
    sopInstanceUID: stored.sop_instance_uid,
    isIdentified: true,
    way: 'FILE',
  };
  return { reader, studyId: stored.study_id, note };
};

const take = (person: Person, id: string, body: PictureNote) =>
  person.send(savedPictures.note, { params: { id }, body });

test('audits a saved image: user, content and whether it names the patient', async () => {
  const { reader, studyId, note } = await withImage();

  const noted = await take(reader, studyId, note);
  await take(reader, studyId, { ...note, sopInstanceUID: null, isIdentified: false, way: 'CLIPBOARD' });

  expect(noted).toMatchObject({ status: 200, data: { isNoted: true } });
  const [series] = note.seriesInstanceUIDs;
  const auditEntries = await reader.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['study_id', 'username', 'detail'])
      .where('action', '=', 'study.savePicture')
      .orderBy('id')
      .execute(),
  );
  expect(auditEntries).toEqual([
    {
      study_id: studyId,
      username: reader.username,
      detail: { identified: true, way: 'FILE', series, image: note.sopInstanceUID },
    },
    { study_id: studyId, username: reader.username, detail: { identified: false, way: 'CLIPBOARD', series } },
  ]);
});

test("refuses a saved image that names the study's previous patient", async () => {
  const { reader, studyId, note } = await withImage();
  const { data: studyView } = await reader.send(studies.get, { params: { id: studyId } });
  const form = { ...note, patientRecordId: studyView.patient.id };
  const admin = await world.signIn('ADMIN', reader.tenant);
  await storeAs(admin, image({ PatientID: 'Q', PatientName: 'Doe^Jane' }));
  const other = await detailsOf(admin, 'Q');
  expect((await move(admin, studyId, other.id)).status).toBe(200);

  const refiled = await take(reader, studyId, form);
  const actions = await auditedActions(reader);
  const nameless = await take(reader, studyId, { ...form, isIdentified: false });
  const anew = await take(reader, studyId, { ...note, patientRecordId: other.id });

  const message = expect.stringContaining('It now belongs to Doe, Jane. Nothing was saved');
  expect(refiled).toMatchObject({ status: 409, error: 'study.refiled', message });
  expect(actions).not.toContain('study.savePicture');
  expect([nameless.status, anew.status]).toEqual([200, 200]);
});

test('refuses a saved image that shows images of another study, and audits nothing', async () => {
  const { reader, studyId, note } = await withImage();

  const otherSeries = await take(reader, studyId, { ...note, seriesInstanceUIDs: ['2.25.99'] });
  const otherImage = await take(reader, studyId, { ...note, sopInstanceUID: '2.25.99' });

  expect(otherSeries).toMatchObject({ status: 422, errors: [{ message: 'This series is not in the study' }] });
  expect(otherImage).toMatchObject({ status: 422, errors: [{ message: 'This image is not in the study' }] });
  expect(await auditedActions(reader)).not.toContain('study.savePicture');
});
