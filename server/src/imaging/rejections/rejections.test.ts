import type { Reply } from '@radwork/contract/core/endpoint';
import { type KeyImageForm, keyImages } from '@radwork/contract/reading/key-images';
import { type MeasurementForm, measurements } from '@radwork/contract/reading/measurements';
import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import type { DicomJson } from '@radwork/dicom/dataset';
import { textOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { sweepTenant } from '#imaging/archive/upkeep/sweep-tenant.ts';
import { instancesNamed } from '#imaging/dimse/archive-queries.ts';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { form, image } from '#test/multipart-upload.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { plainLook } from '#test/plain-look.ts';

const world = await createWorld();
const { finalize, auditedActions } = reportSteps(world);

type Uids = { StudyInstanceUID: string; SeriesInstanceUID: string; SOPInstanceUID: string; PatientID: string };

/** Stores a study with two CT images in one series, and an MR image in another. */
const prepare = async () => {
  const admin = await world.signIn('ADMIN');
  const study = { StudyInstanceUID: newUid(), PatientID: newUid() };
  const ct = newUid();
  const uidsIn = (SeriesInstanceUID: string) => ({ ...study, SeriesInstanceUID, SOPInstanceUID: newUid() });
  const uids = [uidsIn(ct), uidsIn(ct), uidsIn(newUid())] as const;
  const files = uids.map((one, index) =>
    image({
      ...one,
      InstanceNumber: index + 1,
      Modality: index === 2 ? 'MR' : 'CT',
      SeriesNumber: index === 2 ? 2 : 1,
    }),
  );
  await storeAs(admin, ...files);
  const id = await studyIdOf(admin, study.StudyInstanceUID);
  return { admin, id, studyUid: study.StudyInstanceUID, uids, files };
};

const studyIdOf = async (person: Person, uid: string) => {
  const { data } = await person.send(studies.getByUid, { params: { studyUid: uid } });
  return data.id;
};

const selectionOf = ({ SeriesInstanceUID, SOPInstanceUID }: Uids) => ({
  seriesInstanceUID: SeriesInstanceUID,
  sopInstanceUID: SOPInstanceUID,
});

const reject = async (person: Person, id: string, uids: { seriesInstanceUID: string; sopInstanceUID?: string }) => {
  const body = { ...uids, title: '113001', reason: '111210', comment: 'Breathing' } as const;
  const answer = await person.send(rejections.reject, { params: { id }, body });
  expect(answer.status).toBe(201);
  return answer.data;
};

const restore = (person: Person, id: string, rejectionId: string) =>
  person.send(rejections.restore, { params: { id, rejectionId } });

const listOf = async (person: Person, id: string): Promise<Reply<typeof rejections.list>> =>
  (await person.send(rejections.list, { params: { id } })).data;

const jsonOf = async (person: Person, path: string): Promise<DicomJson[]> => {
  const headers = { accept: 'application/dicom+json' };
  const answer = await person.request({ method: 'GET', url: `/dicom-web${path}`, headers });
  return answer.statusCode === 200 ? answer.json() : [];
};

const uidsIn = (items: readonly DicomJson[]) => items.map((item) => textOf(item, 'SOPInstanceUID') ?? '').toSorted();

/** Marks an image as a key image. */
const mark = async (person: Person, id: string, uids: Uids) => {
  const body: KeyImageForm = {
    ...selectionOf(uids),
    frame: 1,
    note: '',
    look: plainLook,
    revision: 0,
  };
  const { status } = await person.send(keyImages.save, { params: { id, keyImageId: newId() }, body });
  expect(status).toBe(200);
};

/** Draws a line on an image. */
const measure = async (person: Person, id: string, uids: Uids) => {
  const body: MeasurementForm = {
    ...selectionOf(uids),
    tool: 'LENGTH',
    frame: 1,
    frameOfReferenceUID: '2.25.77',
    points: [
      [0, 0, 0],
      [10, 0, 0],
    ],
    plane: null,
    label: '',
    values: [{ quantity: 'LENGTH', value: 10, unit: 'mm' }],
    revision: 0,
  };
  const { status } = await person.send(measurements.save, { params: { id, measurementId: newId() }, body });
  expect(status).toBe(200);
};

const pathOf = ({ StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID }: Uids) =>
  `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}/instances/${SOPInstanceUID}`;

test('no service of the archive returns a rejected image', async () => {
  const { admin, id, studyUid, uids } = await prepare();
  const [first, second, other] = uids;
  const paths = ['', '/frames/1', '/rendered', '/thumbnail', '/metadata'];
  // Fills the caches of the server.
  const earlier = await Promise.all(paths.map((path) => getFrom(admin, `${pathOf(first)}${path}`)));
  const before = await getFrom(admin, `/studies/${studyUid}/metadata`);
  await reject(admin, id, selectionOf(first));

  const answers = await Promise.all(paths.map((path) => getFrom(admin, `${pathOf(first)}${path}`)));
  const metadata = await getFrom(admin, `/studies/${studyUid}/metadata`);
  const shown = [second.SOPInstanceUID, other.SOPInstanceUID].toSorted();

  expect(earlier.map(({ statusCode }) => statusCode)).toEqual(paths.map(() => 200));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(paths.map(() => 404));
  expect(uidsIn(await jsonOf(admin, `/studies/${studyUid}/instances`))).toEqual(shown);
  expect(uidsIn(await jsonOf(admin, `/studies/${studyUid}/metadata`))).toEqual(shown);
  expect(metadata.headers['etag']).not.toBe(before.headers['etag']);
  const [row] = await jsonOf(admin, `/studies?StudyInstanceUID=${studyUid}&includefield=all`);
  expect(row?.['00201208']?.Value).toEqual([2]);
  const named = await admin.inScope((scope) =>
    instancesNamed(
      scope,
      { '00080052': { vr: 'CS', Value: ['STUDY'] }, '0020000D': { vr: 'UI', Value: [studyUid] } },
      10,
    ),
  );
  expect(named.length).toBe(2);
});

test('a series whose images are all rejected is hidden, with its modality', async () => {
  const { admin, id, studyUid, uids } = await prepare();

  await reject(admin, id, { seriesInstanceUID: uids[0].SeriesInstanceUID });

  const { data: study } = await admin.send(studies.get, { params: { id } });
  expect(study.series.map(({ seriesInstanceUID }) => seriesInstanceUID)).toEqual([uids[2].SeriesInstanceUID]);
  expect(study).toMatchObject({ instanceCount: 1, seriesCount: 1, modality: 'MR', modalities: ['MR'] });
  expect(await jsonOf(admin, `/studies/${studyUid}/series`)).toHaveLength(1);
});

test('the list of rejections says which images were rejected, by whom, when and why', async () => {
  const { admin, id, uids } = await prepare();
  await reject(admin, id, selectionOf(uids[1]));

  const list = await listOf(admin, id);

  expect(list).toMatchObject([
    {
      title: '113001',
      reasonCode: '111210',
      comment: 'Breathing',
      isNote: false,
      images: 1,
      missing: 0,
      series: [{ seriesInstanceUID: uids[1].SeriesInstanceUID, seriesNumber: 1, modality: 'CT', instanceNumber: 2 }],
    },
  ]);
  expect(list[0]?.rejectedBy).not.toBe('');
});

test('restoring a rejection shows the images as before', async () => {
  const { admin, id, studyUid, uids } = await prepare();
  const { id: rejectionId } = await reject(admin, id, { seriesInstanceUID: uids[0].SeriesInstanceUID });

  expect((await restore(admin, id, rejectionId)).status).toBe(200);

  const { data: study } = await admin.send(studies.get, { params: { id } });
  expect(study).toMatchObject({ instanceCount: 3, seriesCount: 2, modality: 'CT', modalities: ['CT', 'MR'] });
  expect(uidsIn(await jsonOf(admin, `/studies/${studyUid}/metadata`))).toHaveLength(3);
  expect((await getFrom(admin, `${pathOf(uids[0])}/frames/1`)).statusCode).toBe(200);
  expect(await listOf(admin, id)).toEqual([]);
  expect((await restore(admin, id, rejectionId)).status).toBe(404);
  expect(await auditedActions(admin)).toEqual(expect.arrayContaining(['study.reject', 'study.restoreImages']));
});

test('refuses a rejected image that is sent again, and does not restore it', async () => {
  const { admin, id, files, uids } = await prepare();
  await reject(admin, id, { seriesInstanceUID: uids[0].SeriesInstanceUID });

  const [first] = files;
  const answer = await admin.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(first ?? image()) });

  expect(answer.body).toContain('This image was rejected. Restore it before you send it again.');
  expect((await admin.send(studies.get, { params: { id } })).data.instanceCount).toBe(1);
});

test('a new image of a rejected series shows the series with this image only', async () => {
  const { admin, id, uids } = await prepare();
  const { SOPInstanceUID: _, ...series } = uids[0];
  const { id: rejectionId } = await reject(admin, id, { seriesInstanceUID: series.SeriesInstanceUID });

  await storeAs(admin, image(series));

  const { data: study } = await admin.send(studies.get, { params: { id } });
  expect(study).toMatchObject({ instanceCount: 2, seriesCount: 2 });
  expect(study.series.map(({ instanceCount }) => instanceCount)).toEqual([1, 1]);
  await restore(admin, id, rejectionId);
  const { data: restored } = await admin.send(studies.get, { params: { id } });
  expect(restored).toMatchObject({ instanceCount: 4, seriesCount: 2 });
});

test('a study without shown images keeps its modality, and is no order of a scanner', async () => {
  const { admin, id, uids } = await prepare();
  await reject(admin, id, { seriesInstanceUID: uids[0].SeriesInstanceUID });
  await reject(admin, id, { seriesInstanceUID: uids[2].SeriesInstanceUID });

  const { data: study } = await admin.send(studies.get, { params: { id } });
  expect(study).toMatchObject({ instanceCount: 0, seriesCount: 0, modality: 'MR' });
});

test('the preview counts images, key images and measurements, and names a finalized report and a legal hold', async () => {
  const { admin, id, uids } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await mark(reader, id, uids[0]);
  await measure(reader, id, uids[0]);
  await admin.send(studies.setLegalHold, { params: { id }, body: { isOnLegalHold: true, reason: 'Court' } });

  const query = { seriesInstanceUID: uids[0].SeriesInstanceUID };
  const { data } = await admin.send(rejections.preview, { params: { id }, query });

  expect(data).toEqual({
    images: 2,
    isWholeStudy: false,
    keyImages: 1,
    measurements: 1,
    hasFinalizedReport: false,
    isOnLegalHold: true,
  });
});

test('rejects images on legal hold, because they stay stored, and hides their key images and measurements', async () => {
  const { admin, id, uids } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await mark(reader, id, uids[0]);
  await measure(reader, id, uids[0]);
  await admin.send(studies.setLegalHold, { params: { id }, body: { isOnLegalHold: true, reason: 'Court' } });

  const { id: rejectionId } = await reject(admin, id, selectionOf(uids[0]));

  const marked = async () => (await reader.send(keyImages.ofStudy, { params: { id } })).data;
  const measured = async () => (await reader.send(measurements.ofStudy, { params: { id } })).data;
  expect([await marked(), await measured()]).toEqual([[], []]);
  await restore(admin, id, rejectionId);
  expect([await marked(), await measured()]).toEqual([[expect.anything()], [expect.anything()]]);
});

test('upkeep keeps the bytes of rejected images', async () => {
  const { admin, id, uids } = await prepare();
  await reject(admin, id, { seriesInstanceUID: uids[0].SeriesInstanceUID });

  const swept = await sweepTenant(world.context, admin.tenant.id, { unusedFor: 0 });

  expect(swept).toMatchObject({ removed: 0, missing: 0 });
  const stored = await world.owner.selectFrom('instances').select('id').where('study_id', '=', id).execute();
  expect(stored).toHaveLength(3);
});

test('refuses users without the right to delete studies, images of another study, and images that are rejected', async () => {
  const { admin, id, uids } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const stranger = await prepare();
  const body = { ...selectionOf(uids[0]), title: '113001' } as const;

  const byReader = await reader.send(rejections.reject, { params: { id }, body });
  const byStranger = await stranger.admin.send(rejections.reject, { params: { id }, body });
  const inOther = await stranger.admin.send(rejections.reject, { params: { id: stranger.id }, body });
  await reject(admin, id, selectionOf(uids[0]));
  const again = await admin.send(rejections.reject, { params: { id }, body });

  expect([byReader, byStranger, inOther, again].map(({ status }) => status)).toEqual([403, 404, 404, 404]);
  const list = await reader.send(rejections.list, { params: { id } });
  expect(list.status).toBe(403);
});

test('a finalized report does not prevent a rejection, and the preview names it', async () => {
  const { admin, id, uids } = await prepare();
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { data: report } = await beginReport(reader, id);
  await finalize(reader, report.id);

  const query = selectionOf(uids[0]);
  const { data: preview } = await admin.send(rejections.preview, { params: { id }, query });
  const rejected = await reject(admin, id, query);

  expect(preview).toMatchObject({ images: 1, hasFinalizedReport: true });
  expect(rejected.images).toBe(1);
});
