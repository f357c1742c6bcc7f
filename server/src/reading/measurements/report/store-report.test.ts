import { measurements, type MeasurementForm, measurementsExport } from '@radwork/contract/reading/measurements';
import { itemsOf, textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { newId } from '#core/values/ids.ts';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { auditedActions } = reportSteps(world);

/** Creates a study with an image. */
const withImage = async (person?: Person) => {
  const author = person ?? (await world.signIn());
  await storeAs(author, image({ Modality: 'CT', PatientName: 'Wang^Xiao', AccessionNumber: 'A/1' }));
  const stored = await author.inScope(({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .innerJoin('studies as y', 'y.id', 's.study_id')
      .select(['s.study_id', 's.series_instance_uid', 'i.sop_instance_uid', 'y.study_instance_uid'])
      .executeTakeFirstOrThrow(),
  );
  return { author, stored, studyId: stored.study_id };
};

type PreparedStudy = Awaited<ReturnType<typeof withImage>>;

const measure = async ({ author, stored, studyId }: PreparedStudy, label: string) => {
  const body: MeasurementForm = {
    tool: 'LENGTH',
    seriesInstanceUID: stored.series_instance_uid,
    sopInstanceUID: stored.sop_instance_uid,
    frame: 1,
    frameOfReferenceUID: null,
    points: [
      [0, 0, 0],
      [1, 0, 0],
    ],
    plane: null,
    label,
    values: [{ quantity: 'LENGTH', value: 1, unit: 'px' }],
    revision: 0,
  };
  const params = { id: studyId, measurementId: newId() };
  await author.send(measurements.save, { params, body });
  return { params, body };
};

const store = ({ author, studyId }: PreparedStudy) => author.send(measurements.store, { params: { id: studyId } });
const download = (person: Person, studyId: string) =>
  person.request({ method: 'GET', url: measurementsExport.path.replace(':id', studyId) });

/** Returns the file of a stored report from the archive. */
const fileOf = async ({ author, stored }: PreparedStudy, { data }: Awaited<ReturnType<typeof store>>) => {
  const path = `/studies/${stored.study_instance_uid}/series/${data.seriesInstanceUID}/instances/${data.sopInstanceUID}`;
  const [part] = await partsOf(await getFrom(author, path));
  return orNotFound(part, 'file').body;
};

const labelsIn = (file: Buffer): string[] =>
  JSON.stringify(readHeader(file).dataset).match(/(?<="Value":\[")(Nodule|Node)[^"]*/g) ?? [];

test("exports measurements as a DICOM file with the archive's patient and study data", async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');

  const answer = await download(prepared.author, prepared.studyId);

  const { dataset, sopClassUID, studyInstanceUID } = readHeader(answer.rawPayload);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/dicom', 'cache-control': 'private, no-store' });
  expect(answer.headers['content-disposition']).toContain('attachment; filename="measurements-A_1.dcm"');
  expect(sopClassUID).toBe('1.2.840.10008.5.1.4.1.1.88.33');
  expect(studyInstanceUID).toBe(prepared.stored.study_instance_uid);
  expect(textOf(dataset, 'PatientName')).toBe('Wang^Xiao');
  expect(labelsIn(answer.rawPayload)).toEqual(['Nodule']);
  expect(await auditedActions(prepared.author)).toContain('measurement.export');
});

test('a repeated export gives the same file, and a different file after another measurement', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');
  const take = async () => (await download(prepared.author, prepared.studyId)).rawPayload;

  const first = await take();
  expect(await take()).toEqual(first);
  await measure(prepared, 'Node');
  expect(readHeader(await take()).sopInstanceUID).not.toBe(readHeader(first).sopInstanceUID);
});

test('refuses to export or store a report without measurements', async () => {
  const prepared = await withImage();

  expect((await download(prepared.author, prepared.studyId)).statusCode).toBe(422);
  expect((await store(prepared)).status).toBe(422);
});

test('a measurement report omits removed measurements', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');
  const { params } = await measure(prepared, 'Node');
  await prepared.author.send(measurements.remove, { params, query: { revision: 1 } });

  expect(labelsIn((await download(prepared.author, prepared.studyId)).rawPayload)).toEqual(['Nodule']);
});

test('a stored report is a series of the study that the archive serves', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');

  const stored = await store(prepared);

  expect(stored).toMatchObject({ status: 200, data: { isNew: true } });
  const file = await fileOf(prepared, stored);
  expect(labelsIn(file)).toEqual(['Nodule']);
  expect(textOf(readHeader(file).dataset, 'Modality')).toBe('SR');
  expect(await auditedActions(prepared.author)).toContain('measurement.store');
});

test('a second measurement report names the first as its predecessor', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');
  const first = await store(prepared);
  await measure(prepared, 'Node');

  const second = await store(prepared);

  const file = await fileOf(prepared, second);
  expect(labelsIn(file)).toEqual(['Nodule', 'Node']);
  const [study = {}] = itemsOf(readHeader(file).dataset, 'PredecessorDocumentsSequence');
  const [series = {}] = itemsOf(study, 'ReferencedSeriesSequence');
  const [instance = {}] = itemsOf(series, 'ReferencedSOPSequence');
  expect(textOf(instance, 'ReferencedSOPInstanceUID')).toBe(first.data.sopInstanceUID);
  expect(labelsIn(await fileOf(prepared, first))).toEqual(['Nodule']);
});

test('stores an unchanged measurement report once, even for parallel requests', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');

  const both = await Promise.all([store(prepared), store(prepared)]);
  const later = await store(prepared);

  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set([...both, later].map(({ data }) => data.sopInstanceUID)).size).toBe(1);
  expect(later.data.isNew).toBe(false);
  const { count } = await prepared.author.inScope(({ db }) =>
    db
      .selectFrom('instances')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('sop_class_uid', '=', '1.2.840.10008.5.1.4.1.1.88.33')
      .executeTakeFirstOrThrow(),
  );
  expect(Number(count)).toBe(1);
});

test('if the last report differs, a report with the content of an earlier one is stored as a new report', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');
  const first = await store(prepared);
  const { params } = await measure(prepared, 'Node');
  await store(prepared);
  await prepared.author.send(measurements.remove, { params, query: { revision: 1 } });

  const third = await store(prepared);

  expect(third.data.isNew).toBe(true);
  expect(third.data.sopInstanceUID).not.toBe(first.data.sopInstanceUID);
  expect(labelsIn(await fileOf(prepared, third))).toEqual(['Nodule']);
});

test('the measurement report has the time of the last change, including a removal, and a new UID', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');
  const { params } = await measure(prepared, 'Node');
  const take = async () => {
    const { dataset, sopInstanceUID } = readHeader((await download(prepared.author, prepared.studyId)).rawPayload);
    return {
      uid: sopInstanceUID,
      written: Number(`${textOf(dataset, 'ContentDate')}${textOf(dataset, 'ContentTime')}`),
    };
  };
  const asOf = (hours: number) =>
    world.owner
      .updateTable('measurements')
      .set({ updated_at: sql`now() - make_interval(hours => ${hours}::int)` })
      .where('study_id', '=', prepared.studyId)
      .execute();
  await asOf(2);
  const both = await take();

  await prepared.author.send(measurements.remove, { params, query: { revision: 1 } });
  const afterRemoval = await take();
  const other = await measure(prepared, 'Cyst');
  await prepared.author.send(measurements.remove, { params: other.params, query: { revision: 1 } });
  await world.owner
    .updateTable('measurements')
    .set({ removed_at: sql`now() + interval '1 hour'` })
    .where('id', '=', other.params.measurementId)
    .execute();
  const again = await take();

  expect(afterRemoval.written).toBeGreaterThan(both.written);
  expect(again.written).toBeGreaterThan(afterRemoval.written);
  expect(new Set([both, afterRemoval, again].map(({ uid }) => uid)).size).toBe(3);
});

test('refuses the measurement report to users without export permission and to other tenants', async () => {
  const prepared = await withImage();
  await measure(prepared, 'Nodule');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', prepared.author.tenant);
  const stranger = await world.signIn();

  expect((await download(referrer, prepared.studyId)).statusCode).toBe(403);
  expect((await download(stranger, prepared.studyId)).statusCode).toBe(404);
  expect((await stranger.send(measurements.store, { params: { id: prepared.studyId } })).status).toBe(404);
});
