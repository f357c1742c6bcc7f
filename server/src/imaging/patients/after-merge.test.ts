import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { detailsOf, filing, jane, janet, merge, move, twoRecords, undo } from '#test/merge-steps.ts';
import { reportSteps, sortedStatuses } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const steps = reportSteps(world);

const third = { ...jane, PatientID: 'JANE-3' };

/** Searches by Patient ID over DICOMweb. Returns the Patient ID of each found study. */
const idsFoundBy = async (person: Person, patientId: string): Promise<(string | undefined)[]> => {
  const answer = await person.request({ method: 'GET', url: '/api/qido-rs/studies', query: { PatientID: patientId } });
  return answer.statusCode === 200 ? answer.json<DicomJson[]>().map((study) => textOf(study, 'PatientID')) : [];
};

const searched = async (person: Person, searchQuery: string) => {
  const { data } = await person.send(patients.list, { query: { searchQuery } });
  return data.content.map(({ id, formerId }) => ({ id, formerId }));
};

/** Returns the audit entries of stored images, latest first. */
const storedEntries = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['patient_id', 'detail'])
      .where('action', '=', 'study.store')
      .orderBy('id', 'desc')
      .execute(),
  );

test('a merged record can be neither the source nor the survivor of another merge', async () => {
  const records = await twoRecords(world);
  const { person } = records;
  await storeAs(person, image(third));
  const other = await detailsOf(person, 'JANE-3');
  await merge(records);
  const gone = await detailsOf(person, 'JANET-1');

  const asSource = await merge({ person, survivor: other, source: gone });
  const asSurvivor = await merge({ person, survivor: gone, source: other });
  const asTarget = await move(person, other.studies[0]?.id ?? '', gone.id);

  expect([asSource, asSurvivor, asTarget]).toMatchObject(
    Array(3).fill({ status: 409, message: 'Patient JANET-1 was merged into another patient in the meantime.' }),
  );
});

test('a merged record can be neither corrected nor deleted', async () => {
  const records = await twoRecords(world);
  const { person, source } = records;
  await merge(records);
  const { revision } = await detailsOf(person, 'JANET-1');

  const corrected = await person.send(patients.update, {
    params: { id: source.id },
    body: { ...source, dateOfBirth: '1961-04-30', revision },
  });
  const deleted = await person.send(patients.remove, { params: { id: source.id } });

  expect([corrected, deleted]).toMatchObject(Array(2).fill({ status: 409, error: 'patient.merged' }));
});

test('only one of two simultaneous merges that would form a chain succeeds', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  await storeAs(person, image(third));
  const other = await detailsOf(person, 'JANE-3');

  const answers = await Promise.all([merge(records), merge({ person, survivor: source, source: other })]);

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  const rows = await person.inScope(({ db }) => db.selectFrom('patients').select(['id', 'merged_into']).execute());
  const unmergedIds = new Set(rows.filter(({ merged_into }) => merged_into === null).map(({ id }) => id));
  expect(rows.filter(({ merged_into }) => merged_into !== null && !unmergedIds.has(merged_into))).toEqual([]);
  expect((await filing(person)).every(({ patient_id }) => unmergedIds.has(patient_id))).toBe(true);
  expect(survivor.id).not.toBe(other.id);
});

test("after a merge is undone, images stored under the survivor's ID stay with the survivor", async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { data: merged } = await merge(records);
  await storeAs(person, image(jane));

  await undo(person, survivor.id, merged.id);

  expect((await detailsOf(person, 'JANE-1')).studyCount).toBe(2);
  expect((await detailsOf(person, 'JANET-1')).studyCount).toBe(2);
});

test("after a merge is undone, an image stored under the old ID stays in the survivor's study", async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const StudyInstanceUID = survivor.studies[0]?.studyInstanceUID;
  const { data: merged } = await merge(records);
  await storeAs(person, image({ ...janet, StudyInstanceUID }));

  await undo(person, survivor.id, merged.id);

  const { studies } = await detailsOf(person, 'JANE-1');
  expect(studies.map(({ studyInstanceUID }) => studyInstanceUID)).toEqual([StudyInstanceUID]);
});

test('a search for an ID from before a merge finds the survivor and gives the reason', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { data: merged } = await merge(records);

  expect(await searched(person, 'JANET-1')).toEqual([{ id: survivor.id, formerId: 'JANET-1' }]);
  expect(await searched(person, 'JANE-1')).toEqual([{ id: survivor.id, formerId: undefined }]);
  await undo(person, survivor.id, merged.id);
  expect(await searched(person, 'JANET-1')).toEqual([{ id: source.id, formerId: undefined }]);
});

test('a former ID finds no patient in another tenant, or for users who may not see the patient', async () => {
  const records = await twoRecords(world);
  const { person } = records;
  await merge(records);
  const stranger = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);

  expect(await searched(stranger, 'JANET-1')).toEqual([]);
  expect(await searched(referrer, 'JANET-1')).toEqual([]);
});

test('a referring physician sees former IDs only for their own studies', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const [ofSurvivor, ofSource] = [
    await world.signIn('REFERRING_PHYSICIAN', person.tenant),
    await world.signIn('REFERRING_PHYSICIAN', person.tenant),
  ];
  await steps.participate(ofSurvivor, survivor.studies[0]?.id ?? '', 'REFERRER');
  await steps.participate(ofSource, source.studies[0]?.id ?? '', 'REFERRER');
  await merge(records);

  const seenBy = async (reader: Person) =>
    (await reader.send(patients.get, { params: { id: survivor.id } })).data.formerIdentifiers;

  expect(await seenBy(ofSurvivor)).toEqual([]);
  expect(await seenBy(ofSource)).toEqual([{ patientId: 'JANET-1', issuer: '' }]);
});

test('a referring physician sees the survivor only through a merged study', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const participantStudy = source.studies[0]?.id ?? '';
  await steps.participate(referrer, participantStudy, 'REFERRER');
  const { data: merged } = await merge(records);

  const { data: list } = await referrer.send(patients.list);
  const { data: patientView } = await referrer.send(patients.get, { params: { id: survivor.id } });
  const record = await referrer.send(patients.get, { params: { id: source.id } });
  await undo(person, survivor.id, merged.id);
  const afterwards = await referrer.send(patients.get, { params: { id: survivor.id } });

  expect(list.content.map(({ id }) => id)).toEqual([survivor.id]);
  expect(patientView.studies.map(({ id }) => id)).toEqual([participantStudy]);
  expect([record.status, afterwards.status]).toEqual([404, 404]);
});

test('the lists of merges and moves hide the names of patients that the caller may not see', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const studyId = source.studies[0]?.id ?? '';
  await move(person, studyId, survivor.id);
  await steps.participate(referrer, studyId, 'REFERRER');
  await world.inTenant(person.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['patient.view', 'patient.edit'] })
      .where('built_in_for', '=', 'REFERRING_PHYSICIAN')
      .execute(),
  );
  world.context.sessions.forget();

  const { data } = await referrer.send(patientMerges.history, { params: { id: survivor.id } });

  expect(data).toMatchObject([
    {
      survivor: { id: survivor.id, patientName: 'Doe, Jane', patientId: 'JANE-1' },
      source: { id: source.id, patientName: '', patientId: '' },
    },
  ]);
});

test('after a merge, DICOMweb finds studies by the ID of either record and returns the current ID', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { data: merged } = await merge(records);

  expect(await idsFoundBy(person, 'JANE-1')).toEqual(Array(3).fill('JANE-1'));
  expect(await idsFoundBy(person, 'JANET-1')).toEqual(Array(3).fill('JANE-1'));
  await undo(person, survivor.id, merged.id);
  expect(await idsFoundBy(person, 'JANET-1')).toEqual(Array(2).fill('JANET-1'));
  expect(await idsFoundBy(person, 'JANE-1')).toEqual(['JANE-1']);
});

test('after a move DICOMweb finds a study only by its new patient', async () => {
  const { person, survivor, source } = await twoRecords(world);

  await move(person, source.studies[0]?.id ?? '', survivor.id);

  expect(await idsFoundBy(person, 'JANE-1')).toEqual(['JANE-1', 'JANE-1']);
  expect(await idsFoundBy(person, 'JANET-1')).toEqual(['JANET-1']);
});

test('images that arrive under a merged ID belong to the survivor, and the audit log says so', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const StudyInstanceUID = survivor.studies[0]?.studyInstanceUID;
  await merge(records);

  await storeAs(person, image(janet));
  await storeAs(person, image({ ...janet, StudyInstanceUID }));
  await storeAs(person, image(jane));

  expect((await storedEntries(person)).slice(0, 3)).toEqual([
    { patient_id: survivor.id, detail: null },
    { patient_id: survivor.id, detail: { namesOtherRecord: true } },
    { patient_id: survivor.id, detail: { namesOtherRecord: true } },
  ]);
});

test('if files under a merged ID contradict the survivor, the difference is shown', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  await merge(records);

  await storeAs(person, image(janet));

  const { data } = await person.send(patientMerges.differences, { params: { id: survivor.id } });
  expect(data).toMatchObject([{ field: 'patientName', recorded: 'Doe, Jane', arrived: 'Doe, Janet' }]);
});

test('files of a study that was moved away from the patient cause no difference', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { data: merged } = await merge(records);
  await storeAs(person, image({ ...janet, PatientTelephoneNumbers: '0790001122' }));
  const params = { id: survivor.id };
  const { data: whileMerged } = await person.send(patientMerges.differences, { params });

  await undo(person, survivor.id, merged.id);

  const { data: remaining } = await person.send(patientMerges.differences, { params });
  const { revision } = await detailsOf(person, 'JANE-1');
  const differenceId = whileMerged.find(({ field }) => field === 'patientName')?.id;
  const accepted = await person.send(patientMerges.acceptDifference, { params, body: { differenceId, revision } });
  expect(whileMerged.map(({ field }) => field).toSorted()).toEqual(['patientName', 'phoneNumber']);
  expect([remaining, accepted.status]).toEqual([[], 404]);
  expect((await detailsOf(person, 'JANE-1')).patientName).toBe('Doe, Jane');
  expect((await detailsOf(person, 'JANET-1')).studyCount).toBe(source.studyCount + 1);
});

test('the files of a moved study cause no difference for its former patient until the study returns there', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const StudyInstanceUID = '1.2.826.0.1.79';
  await storeAs(person, image({ ...janet, PatientName: 'Doe-Miller^Janet', StudyInstanceUID }));
  const study = (await detailsOf(person, 'JANET-1')).studies.find((one) => one.studyInstanceUID === StudyInstanceUID);
  const open = async () => {
    const { data } = await person.send(patientMerges.differences, { params: { id: source.id } });
    return data.map(({ arrived }) => arrived);
  };
  const before = await open();

  const { data: moved } = await move(person, study?.id ?? '', survivor.id);

  expect([before, await open()]).toEqual([['Doe-Miller, Janet'], []]);
  await undo(person, survivor.id, moved.id);
  expect(await open()).toEqual(before);
});
