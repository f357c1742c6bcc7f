import { patients } from '@radwork/contract/imaging/patients';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import { studies } from '@radwork/contract/imaging/studies';
import { uidFrom } from '@radwork/dicom/uid';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { deliverySteps } from '#test/delivery-steps.ts';
import { detailsOf, janet, merge, move, type Records, twoRecords, undo } from '#test/merge-steps.ts';
import { hasPoppler, textOfPdf } from '#test/poppler.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { orNotFound } from '#core/http/problem.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startDeliveries } from './jobs.ts';
import { documentOf } from './report-document.ts';
import { registerInstance } from './stored-report-instances.ts';

const world = await createWorld();
const { auditedActions, finalize } = reportSteps(world);
const { delivered } = deliverySteps(world);

afterEach(() => world.owner.deleteFrom('jobs').execute());

const work = () => {
  const stop = startDeliveries(world.context, world.url, { onError: () => {}, pauses: [] });
  onTestFinished(stop);
  return stop;
};

/** Creates two patient records, and a signed report about Janet's first study. */
const withReport = async () => {
  const records = await twoRecords(world);
  const author = await world.signIn('RADIOLOGIST', records.person.tenant);
  const studyId = orNotFound(records.source.studies[0], 'study').id;
  const { data } = await beginReport(author, studyId, { content: '<p>No acute finding.</p>' });
  await finalize(author, data.id);
  return { ...records, records, author, studyId, id: data.id };
};

const store = async (author: Person, id: string) => {
  await author.send(reportDeliveries.storeInStudy, { params: { id } });
  return delivered(author, id);
};

/** Returns where an instance is filed, regardless of access. */
const placeOf = (person: Person, uid: string) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as se', 'se.id', 'i.series_id')
      .innerJoin('studies as s', 's.id', 'i.study_id')
      .select(['s.id as studyId', 's.deleted_at as deletedAt', 's.patient_identifier as patientId'])
      .select(['s.study_instance_uid', 'se.series_instance_uid', 'se.study_id as seriesStudyId'])
      .where('i.sop_instance_uid', '=', uid)
      .executeTakeFirstOrThrow(),
  );

const renderedPath = (uid: string, place: Awaited<ReturnType<typeof placeOf>>) =>
  `/studies/${place.study_instance_uid}/series/${place.series_instance_uid}/instances/${uid}/rendered`;

const getPdf = (person: Person, path: string) => getFrom(person, path, { accept: 'application/pdf' });

const uidIn = ({ resources }: { resources: { id: string }[] }) => orNotFound(resources[0], 'instance').id;

const countsOf = async (person: Person, studyId: string) => {
  const { data } = await person.send(studies.get, { params: { id: studyId } });
  return [data.seriesCount, data.instanceCount, data.modalities];
};

const confirmed = { confirmedName: 'Doe, Jane' };

test('moving a study removes its stored report immediately, and a job stores the corrected report', async () => {
  const { person, survivor, author, studyId, id } = await withReport();
  const stop = work();
  const first = uidIn(await store(author, id));
  await stop();
  const place = await placeOf(author, first);
  const before = await getPdf(author, renderedPath(first, place));

  await move(person, studyId, survivor.id, confirmed);

  const after = await getPdf(author, renderedPath(first, place));
  expect([before.statusCode, after.statusCode]).toEqual([200, 404]);
  expect(await placeOf(author, first)).toMatchObject({ deletedAt: expect.any(String), patientId: 'JANET-1' });
  expect(await countsOf(author, studyId)).toEqual([1, 1, ['CT']]);
  work();
  const replaced = await delivered(author, id);
  const second = uidIn(replaced);
  expect(replaced).toMatchObject({ state: 'SENT', isOutdated: false, namesOtherwise: false });
  expect(second).not.toBe(first);
  expect(await placeOf(author, second)).toMatchObject({ studyId, seriesStudyId: studyId, patientId: 'JANE-1' });
  expect(await countsOf(author, studyId)).toEqual([2, 2, ['CT', 'DOC']]);
  expect(await auditedActions(author)).toEqual(expect.arrayContaining(['report.take_out', 'study.delete']));
});

test.runIf(hasPoppler)('after a move, the stored report names only the new patient', async () => {
  const { person, survivor, author, studyId, id } = await withReport();
  work();
  await store(author, id);

  await move(person, studyId, survivor.id, confirmed);

  const second = uidIn(await delivered(author, id));
  const { rawPayload } = await getPdf(author, renderedPath(second, await placeOf(author, second)));
  expect(textOfPdf(rawPayload)).toContain('Doe,Jane');
  expect(textOfPdf(rawPayload)).not.toMatch(/Janet|JANET/);
});

const refilings: [string, (records: Records) => Promise<{ id: string }>][] = [
  ['merged', async (records) => (await merge(records)).data],
  [
    'moved',
    async ({ person, survivor, source }) =>
      (await move(person, source.studies[0]?.id ?? '', survivor.id, confirmed)).data,
  ],
];

test.each(refilings)('replaces the stored report when the study is %s, and again after the undo', async (_, refile) => {
  const { records, person, survivor, author, id } = await withReport();
  work();
  const first = uidIn(await store(author, id));

  const { id: mergeId } = await refile(records);
  const second = uidIn(await delivered(author, id));
  await undo(person, survivor.id, mergeId);
  const third = uidIn(await delivered(author, id));

  expect(new Set([first, second, third]).size).toBe(3);
  const places = await Promise.all([first, second, third].map((uid) => placeOf(author, uid)));
  expect(places.map(({ deletedAt }) => deletedAt === null)).toEqual([false, false, true]);
  expect(places.map(({ patientId }) => patientId)).toEqual(['JANET-1', 'JANE-1', 'JANET-1']);
});

test('a corrected patient name makes the stored report outdated, and one click replaces it', async () => {
  const { person, author, source, studyId, id } = await withReport();
  work();
  const first = uidIn(await store(author, id));
  const { revision } = await detailsOf(person, 'JANET-1');
  const corrected = { ...source, patientName: 'Doe, Jeanette', dateOfBirth: '1961-04-30', revision };
  await person.send(patients.update, { params: { id: source.id }, body: corrected });
  const { data: deliveries } = await author.send(reportDeliveries.list, { params: { id } });

  const replaced = await store(author, id);

  expect(deliveries).toMatchObject([{ state: 'SENT', isOutdated: true, namesOtherwise: true }]);
  expect(replaced).toMatchObject({ isOutdated: false, namesOtherwise: false });
  expect((await placeOf(author, first)).deletedAt).not.toBeNull();
  expect(await placeOf(author, uidIn(replaced))).toMatchObject({ studyId, deletedAt: null });
});

test('if a study moves while its report is being stored, no report remains under the previous name', async () => {
  const { person, survivor, author, studyId, id } = await withReport();
  const document = await world.inTenant(author.tenant, (scope) => documentOf(scope, id));
  const early = await world.inTenant(author.tenant, (scope) =>
    registerInstance(scope, world.context.secretKey, document),
  );
  await move(person, studyId, survivor.id, confirmed);
  await storeAs(
    person,
    image({
      StudyInstanceUID: document.study.studyInstanceUid,
      PatientID: 'JANET-1',
      PatientName: 'Doe^Janet',
      SOPInstanceUID: early.sopInstanceUid,
      SeriesInstanceUID: early.seriesInstanceUid,
    }),
  );
  work();

  const stored = await delivered(author, id);

  expect(uidIn(stored)).not.toBe(early.sopInstanceUid);
  expect((await placeOf(author, early.sopInstanceUid)).deletedAt).not.toBeNull();
});

test('a removed stored report is in the recycle bin of the patient it names, and cannot be restored', async () => {
  const { person, survivor, author, studyId, id } = await withReport();
  work();
  await store(author, id);
  await move(person, studyId, survivor.id, confirmed);

  const { data } = await person.send(studies.deleted);
  const bin = orNotFound(data.content[0], 'study');
  const restored = await person.send(studies.restore, { params: { id: bin.id } });

  expect(data.content).toMatchObject([
    {
      description: 'Stored report, removed from its study',
      patient: { patientId: 'JANET-1' },
      deletedBy: person.username,
    },
  ]);
  expect(restored).toMatchObject({ status: 409, error: 'study.taken_out' });
});

test("a file stored earlier cannot be mistaken for the report, because the report's UID is not predictable", async () => {
  const { author, id, studyId } = await withReport();
  await storeAs(author, image({ PatientID: 'X-9', SOPInstanceUID: uidFrom('signed report', id, 1) }));
  work();

  const stored = uidIn(await store(author, id));

  expect(await placeOf(author, stored)).toMatchObject({ studyId });
});

test.each([
  ['of another class', {}, true],
  ['in another study', { SOPClassUID: '1.2.840.10008.5.1.4.1.1.104.1' }, false],
])('storing a report fails with a message if an object %s already has the UID', async (_, more, isHere) => {
  const { author, source, id } = await withReport();
  const object = await world.inTenant(author.tenant, async (scope) =>
    registerInstance(scope, world.context.secretKey, await documentOf(scope, id)),
  );
  const study = isHere && { StudyInstanceUID: source.studies[0]?.studyInstanceUID };
  await storeAs(author, image({ ...janet, ...study, ...more, SOPInstanceUID: object.sopInstanceUid }));
  work();

  const stored = await store(author, id);

  expect(stored).toMatchObject({
    state: 'FAILED',
    error: 'The archive has another instance with the UID of this report',
  });
});

test('after a server was killed, the next server finds a report that the archive had already stored', async () => {
  const { author, id } = await withReport();
  work();
  const first = uidIn(await store(author, id));
  await world.owner.updateTable('report_objects').set({ stored_at: null }).where('report_id', '=', id).execute();

  const again = await store(author, id);

  expect(again.state).toBe('SENT');
  expect(uidIn(again)).toBe(first);
});
