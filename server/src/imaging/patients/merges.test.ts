import { patientMerges } from '@radwork/contract/imaging/patient-merges';
import { patients } from '@radwork/contract/imaging/patients';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { storeAs } from '#test/archive-calls.ts';
import { detailsOf, filing, jane, janet, merge, move, twoRecords, undo } from '#test/merge-steps.ts';
import { beginReport, reportSteps, reportText, sortedStatuses } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const steps = reportSteps(world);

const filesOf = (person: Person) =>
  person.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .select(['id', 'study_id', 'sha256', 'sop_instance_uid', 'metadata'])
      .orderBy('id')
      .execute(),
  );

test('the preview of a merge shows what moves and what differs, and changes nothing', async () => {
  const { person, survivor, source } = await twoRecords(world);

  const { data } = await person.send(patientMerges.previewMerge, {
    params: { id: survivor.id, sourceId: source.id },
  });

  expect(data.moves).toEqual({ studies: 2, reports: 0, identifiers: [{ patientId: 'JANET-1', issuer: '' }] });
  expect(data.differences).toEqual([
    { field: 'patientName', survivor: 'Doe, Jane', source: 'Doe, Janet', kept: 'survivor' },
    { field: 'address', survivor: '', source: '1 Main St', kept: 'source' },
  ]);
  expect((await detailsOf(person, 'JANET-1')).mergedInto).toBeNull();
});

test('a merge files everything under the survivor and changes no file', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const filesBefore = await filesOf(person);

  const answer = await merge(records);

  expect(answer.data).toMatchObject({ kind: 'MERGE', studyCount: 2, undoneDate: null, reason: '' });
  expect(await detailsOf(person, 'JANE-1')).toMatchObject({
    patientName: 'Doe, Jane',
    address: '1 Main St',
    studyCount: 3,
    formerIdentifiers: [{ patientId: 'JANET-1', issuer: '' }],
  });
  expect(await detailsOf(person, 'JANET-1')).toMatchObject({
    patientName: 'Doe, Janet',
    studyCount: 0,
    mergedInto: { id: survivor.id, patientId: 'JANE-1' },
  });
  expect((await filing(person)).map(({ patient_name }) => patient_name)).toEqual(Array(3).fill('Doe^Jane'));
  expect(await filesOf(person)).toEqual(filesBefore);
  const { data: list } = await person.send(patients.list);
  expect(list.content.map(({ id }) => id)).toEqual([survivor.id]);
  expect(source.studyCount).toBe(2);
});

test('each field of the survivor takes the chosen value', async () => {
  const records = await twoRecords(world);

  await merge(records, { keep: { patientName: 'source', address: 'survivor' } });

  expect(await detailsOf(records.person, 'JANE-1')).toMatchObject({ patientName: 'Doe, Janet', address: '' });
});

test('reports move with their studies in a merge, and signed reports are not changed', async () => {
  const records = await twoRecords(world);
  const { person, source, survivor } = records;
  const author = await world.signIn('RADIOLOGIST', person.tenant);
  const studyId = source.studies[0]?.id ?? '';
  const { data: draft } = await beginReport(author, studyId);
  await steps.finalize(author, draft.id, {});

  await merge(records);

  const { data } = await author.send(reports.ofPatient, { params: { id: survivor.id } });
  expect(data).toMatchObject([{ studyId, patientName: 'Doe, Jane', status: 'FINALIZED' }]);
  const { data: report } = await author.send(reports.get, { params: { id: draft.id } });
  expect(report.content).toBe(reportText);
});

test('undoing a merge restores everything, including later studies under the old ID', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const before = await filing(person);
  const { data: merged } = await merge(records);
  await storeAs(person, image(janet));

  const answer = await undo(person, survivor.id, merged.id);

  expect(answer.data.undoneDate).not.toBeNull();
  const after = await filing(person);
  expect(after.filter(({ id }) => before.some((study) => study.id === id))).toEqual(before);
  expect(await detailsOf(person, 'JANET-1')).toMatchObject({
    studyCount: 3,
    mergedInto: null,
    patientName: 'Doe, Janet',
  });
  expect(await detailsOf(person, 'JANE-1')).toMatchObject({ studyCount: 1, address: '', formerIdentifiers: [] });
  expect(source.mergedInto).toBeNull();
});

test('an undo does not revert corrections made after the merge', async () => {
  const records = await twoRecords(world);
  const { person, survivor } = records;
  const { data: merged } = await merge(records);
  const { data: now } = await person.send(patients.get, { params: { id: survivor.id } });
  await person.send(patients.update, {
    params: { id: survivor.id },
    body: { ...now, dateOfBirth: '1961-04-30', address: '2 Side St' },
  });

  await undo(person, survivor.id, merged.id);

  expect(await detailsOf(person, 'JANE-1')).toMatchObject({ address: '2 Side St' });
});

test('a merge includes deleted studies, which are restored under the survivor', async () => {
  const records = await twoRecords(world);
  const { person, source } = records;
  const [study] = source.studies;
  await person.send(studies.remove, { params: { id: study?.id ?? '' } });
  await merge(records);

  const { data } = await person.send(studies.restore, { params: { id: study?.id ?? '' } });

  expect(data.patient.patientId).toBe('JANE-1');
});

test('after a further merge, earlier merged records point to its survivor, and an undo points them back', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  await storeAs(person, image({ ...janet, PatientID: 'JANET-2' }));
  const third = await detailsOf(person, 'JANET-2');
  await merge({ person, survivor: source, source: third });
  const { data: merged } = await merge({ ...records, source: await detailsOf(person, 'JANET-1') });
  expect((await detailsOf(person, 'JANET-2')).mergedInto?.id).toBe(survivor.id);

  await undo(person, survivor.id, merged.id);

  expect((await detailsOf(person, 'JANET-2')).mergedInto?.id).toBe(source.id);
  expect(await detailsOf(person, 'JANET-1')).toMatchObject({ studyCount: 3, mergedInto: null });
});

test('successive merges can be undone only in reverse order', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { data: first } = await merge(records);
  await storeAs(person, image({ ...jane, PatientID: 'JANE-2' }));
  const last = await detailsOf(person, 'JANE-2');
  await merge({ person, survivor: last, source: await detailsOf(person, 'JANE-1') });

  const answer = await undo(person, source.id, first.id);

  expect(answer).toMatchObject({
    status: 409,
    message: 'The patient was merged into another patient later. Undo that merge first.',
  });
  expect(survivor.id).not.toBe(last.id);
});

test('a merge can be undone only once, within thirty days', async () => {
  const [early, late] = [await twoRecords(world), await twoRecords(world)];
  const { data: first } = await merge(early);
  const { data: second } = await merge(late);
  await sql`update patient_merges set made_at = now() - interval '31 days' where id = ${second.id}`.execute(
    world.owner,
  );

  await undo(early.person, early.survivor.id, first.id);
  const twice = await undo(early.person, early.survivor.id, first.id);
  const tooLate = await undo(late.person, late.survivor.id, second.id);

  expect(twice).toMatchObject({ status: 409, message: 'This was already undone.' });
  expect(tooLate).toMatchObject({ status: 409, message: 'This can be undone for 30 days only.' });
});

test('refuses to merge a record that changed since the caller saw it', async () => {
  const records = await twoRecords(world);
  const { person, source } = records;
  await person.send(patients.update, {
    params: { id: source.id },
    body: { ...source, dateOfBirth: '1961-05-01' },
  });

  const answer = await merge(records);

  expect(answer).toMatchObject({ status: 409, message: expect.stringContaining('changed patient JANET-1') });
  expect((await detailsOf(person, 'JANET-1')).mergedInto).toBeNull();
});

test('records with a different birth date or gender merge only with a confirmation', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const body = { ...source, dateOfBirth: '1961-05-01', gender: 'M' };
  const { data: other } = await person.send(patients.update, { params: { id: source.id }, body });
  const { data: preview } = await person.send(patientMerges.previewMerge, {
    params: { id: survivor.id, sourceId: source.id },
  });

  const refused = await merge({ ...records, source: other });
  const merged = await merge({ ...records, source: other }, { isOnePerson: true });

  expect(preview.contradictions).toEqual(['dateOfBirth', 'gender']);
  const message = 'The records differ in date of birth and gender. Confirm that they belong to the same person.';
  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'isOnePerson', message }] });
  expect(merged.status).toBe(200);
});

test('only one of two simultaneous merges succeeds, and nothing is lost', async () => {
  const records = await twoRecords(world);

  const answers = await Promise.all([
    merge(records),
    merge({ ...records, survivor: records.source, source: records.survivor }),
  ]);

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  const owners = new Set((await filing(records.person)).map(({ patient_id }) => patient_id));
  expect(owners.size).toBe(1);
});

test('images that arrive during a merge are stored once and found', async () => {
  const records = await twoRecords(world);
  const { person } = records;

  await Promise.all([merge(records), ...Array.from({ length: 4 }, () => storeAs(person, image(janet)))]);

  const owners = new Set((await filing(person)).map(({ patient_id }) => patient_id));
  expect(owners).toEqual(new Set([records.survivor.id]));
});

test('a study moves to another patient with its reports, and its further images join it there', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const StudyInstanceUID = '1.2.826.0.1.77';
  await storeAs(person, image({ ...janet, StudyInstanceUID }));
  const { data: study } = await person.send(studies.getByUid, { params: { studyUid: StudyInstanceUID } });
  const { data: preview } = await person.send(patientMerges.previewMove, {
    params: { id: study.id, patientId: survivor.id },
  });
  const body = {
    studyId: study.id,
    studyRevision: preview.study.revision,
    fromId: source.id,
    toRevision: preview.to.revision,
  };

  const moved = await person.send(patientMerges.move, { params: { id: survivor.id }, body });
  await storeAs(person, image({ ...janet, StudyInstanceUID }));

  expect(preview).toMatchObject({
    moves: { studies: 1, reports: 0 },
    from: { id: source.id },
    to: { id: survivor.id },
  });
  expect(moved.data).toMatchObject({ kind: 'MOVE', studyCount: 1 });
  const { data: now } = await person.send(studies.getByUid, { params: { studyUid: StudyInstanceUID } });
  expect(now).toMatchObject({ instanceCount: 2, patient: { id: survivor.id, patientName: 'Doe, Jane' } });
  const again = await person.send(patientMerges.move, { params: { id: source.id }, body });
  expect(again.status).toBe(409);
});

test('a move can be undone only once', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const [study] = source.studies;
  const { data: moved } = await move(person, study?.id ?? '', survivor.id);

  const undone = await undo(person, source.id, moved.id);
  const twice = await undo(person, survivor.id, moved.id);

  expect(undone.data.undoneDate).not.toBeNull();
  expect(twice.status).toBe(409);
  const filed = (await filing(person)).find(({ id }) => id === study?.id);
  expect(filed).toMatchObject({ patient_id: source.id, named_patient_id: null });
});

test('refuses to undo a move after the study moved again', async () => {
  const { person, survivor, source } = await twoRecords(world);
  await storeAs(person, image({ ...jane, PatientID: 'JANE-2' }));
  const third = await detailsOf(person, 'JANE-2');
  const id = source.studies[0]?.id ?? '';
  const { data: first } = await move(person, id, survivor.id);
  await move(person, id, third.id);

  const answer = await undo(person, source.id, first.id);

  expect(answer).toMatchObject({ status: 409, message: 'The study no longer belongs to this patient.' });
  const filed = (await filing(person)).find((study) => study.id === id);
  expect(filed).toMatchObject({ patient_id: third.id, named_patient_id: source.id });
});

test('audits a merge with both patients, and shows the entry on either record', async () => {
  const records = await twoRecords(world);
  const { person, survivor, source } = records;
  const { data: merged } = await merge(records);
  await undo(person, survivor.id, merged.id);

  const { data: history } = await person.send(patientMerges.history, { params: { id: source.id } });

  expect(history).toMatchObject([{ id: merged.id, madeBy: `Dr ${person.username}`, undoUntil: null }]);
  const entries = await person.inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'patient_id'])
      .where('action', 'in', ['patient.merge', 'patient.undo'])
      .orderBy('id')
      .execute(),
  );
  expect(entries).toEqual([
    { action: 'patient.merge', patient_id: survivor.id },
    { action: 'patient.merge', patient_id: source.id },
    { action: 'patient.undo', patient_id: survivor.id },
    { action: 'patient.undo', patient_id: source.id },
  ]);
});

test('merge previews and merge suggestions are audited as views of the patients', async () => {
  const { person, survivor, source } = await twoRecords(world);
  const views = async () => {
    const rows = await person.inScope(({ db }) =>
      db.selectFrom('audit_entries').select('patient_id').where('action', '=', 'patient.view').orderBy('id').execute(),
    );
    return rows.map(({ patient_id }) => patient_id);
  };
  const before = (await views()).length;

  await person.send(patientMerges.previewMerge, { params: { id: survivor.id, sourceId: source.id } });
  const ofMerge = await views();
  await person.send(patientMerges.previewMove, { params: { id: source.studies[0]?.id ?? '', patientId: survivor.id } });
  const ofMove = await views();
  await person.send(patientMerges.duplicates, { params: { id: survivor.id } });

  const both = [source.id, survivor.id];
  expect(ofMerge.slice(before)).toEqual(both);
  expect(ofMove.slice(before + 2)).toEqual(both);
  expect((await views()).slice(before + 4)).toEqual([source.id]);
});

test('refuses to merge a patient with itself or with a patient of another tenant', async () => {
  const records = await twoRecords(world);
  const stranger = await twoRecords(world);

  const itself = await merge({ ...records, source: records.survivor });
  const foreign = await merge({ ...records, source: stranger.source });

  expect([itself.status, foreign.status]).toEqual([400, 404]);
});

test('suggests records that may be one person, with the reasons for and against', async () => {
  const person = await world.signIn('ADMIN');
  const create = async (overrides: object) => {
    const form = { patientName: 'Doe, Jane', patientId: newId(), gender: 'F', dateOfBirth: '1961-04-30' };
    return (await person.send(patients.create, { body: { ...form, ...overrides } })).data;
  };
  const patient = await create({ phoneNumber: '+1 555 0142 77' });
  const turned = await create({ patientName: 'jane, DOE' });
  const misspelt = await create({ patientName: 'Doe, Janet', gender: 'M' });
  const phoned = await create({ dateOfBirth: '1961-03-04', phoneNumber: '(555) 0142 77' });
  await create({ patientName: 'Smith, John' });
  await create({ dateOfBirth: '1990-01-01' });

  const { data } = await person.send(patientMerges.duplicates, { params: { id: patient.id } });

  const byPatient = new Map(data.map((item) => [item.patient.id, item]));
  expect(new Set(byPatient.keys())).toEqual(new Set([turned.id, misspelt.id, phoned.id]));
  expect(byPatient.get(turned.id)).toMatchObject({
    reasons: ['SIMILAR_NAME', 'SAME_DATE_OF_BIRTH', 'SAME_GENDER'],
    contradictions: [],
  });
  expect(byPatient.get(misspelt.id)).toMatchObject({ contradictions: ['gender'] });
  expect(byPatient.get(phoned.id)).toMatchObject({
    reasons: ['SAME_NAME', 'SAME_GENDER', 'SAME_PHONE'],
    contradictions: ['dateOfBirth'],
  });
});

test('a difference in files can be accepted into the record or dismissed permanently', async () => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image(jane));
  const other = { ...jane, PatientName: 'Doe-Miller^Jane', PatientSex: 'O' };
  await storeAs(person, image(other));
  const { id, revision } = await detailsOf(person, 'JANE-1');
  const { data: open } = await person.send(patientMerges.differences, { params: { id } });
  const [gender, name] = open.toSorted((one, two) => (one.field < two.field ? -1 : 1));

  const accepted = await person.send(patientMerges.acceptDifference, {
    params: { id },
    body: { differenceId: name?.id, revision },
  });
  await person.send(patientMerges.dismissDifference, { params: { id }, body: { differenceId: gender?.id } });
  await storeAs(person, image(other));

  expect(gender).toMatchObject({ field: 'gender', recorded: 'Female', arrived: 'Other' });
  expect(name).toMatchObject({ field: 'patientName', recorded: 'Doe, Jane', arrived: 'Doe-Miller, Jane' });
  expect(accepted.data).toMatchObject({ patientName: 'Doe-Miller, Jane', gender: 'F', revision: revision + 1 });
  const { data: remaining } = await person.send(patientMerges.differences, { params: { id } });
  expect(remaining).toEqual([]);
});

test('refuses to accept a difference for a record that changed since the caller saw it', async () => {
  const person = await world.signIn('ADMIN');
  await storeAs(person, image(jane));
  await storeAs(person, image({ ...jane, PatientName: 'Doe-Miller^Jane' }));
  const patient = await detailsOf(person, 'JANE-1');
  const { data: open } = await person.send(patientMerges.differences, { params: { id: patient.id } });
  await person.send(patients.update, {
    params: { id: patient.id },
    body: { ...patient, dateOfBirth: patient.dateOfBirth ?? '', address: '2 Side St' },
  });

  const answer = await person.send(patientMerges.acceptDifference, {
    params: { id: patient.id },
    body: { differenceId: open[0]?.id, revision: patient.revision },
  });

  expect(answer).toMatchObject({ status: 409, error: 'patient.changed' });
});

test('users without the permission to merge can view merges but change nothing', async () => {
  const records = await twoRecords(world);
  const radiologist = await world.signIn('RADIOLOGIST', records.person.tenant);

  const refused = await merge({ ...records, person: radiologist });
  const history = await radiologist.send(patientMerges.history, { params: { id: records.survivor.id } });
  const referrer = await world.signIn('REFERRING_PHYSICIAN', records.person.tenant);
  const hidden = await referrer.send(patientMerges.history, { params: { id: records.survivor.id } });

  expect([refused.status, history.status, hidden.status]).toEqual([403, 200, 403]);
});
