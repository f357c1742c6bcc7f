import { Readable } from 'node:stream';
import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { rejectionNote } from '@radwork/phantom/rejection-note';
import { expect, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import type { FileSource } from '#imaging/archive/index/plan-batch.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { storeAs } from '#test/archive-calls.ts';
import { image, type TestFile } from '#test/multipart-upload.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { finalize, auditedActions } = reportSteps(world);

/** A study with three images of one series, which are not stored, and an administrator. */
const prepare = async () => {
  const admin = await world.signIn('ADMIN');
  const study = { StudyInstanceUID: newUid(), PatientID: newUid() };
  const series = { ...study, SeriesInstanceUID: newUid() };
  const named = () => ({ ...series, SOPInstanceUID: newUid() });
  const uids = [named(), named(), named()] as const;
  return { admin, study, uids, files: uids.map((one) => image(one)) };
};

type Note = Parameters<typeof rejectionNote>[0];

const noteFile = (note: Note, study: Parameters<typeof rejectionNote>[1]): TestFile => ({
  name: 'note.dcm',
  bytes: rejectionNote(note, study),
});

const device: FileSource = { kind: 'DEVICE', id: newId() };

/** Stores files as a device does. */
const sendFrom = async ({ tenant }: Person, ...files: readonly TestFile[]) => {
  const uploads = files.map(({ name, bytes }) => ({ name, body: Readable.from([bytes]) }));
  const { refused } = await storeInstances(world.context, systemSession(tenant.id), uploads, { fileSource: device });
  expect(refused).toEqual([]);
};

const detailsOf = async (person: Person, studyUid: string) =>
  (await person.send(studies.getByUid, { params: { studyUid } })).data;

/** UIDs of the images that readers see, without the note. */
const shownImages = async (person: Person, studyUid: string) => {
  const { series } = await detailsOf(person, studyUid);
  return series
    .filter(({ modality }) => modality !== 'KO')
    .flatMap(({ instances }) => instances.map(({ sopInstanceUID }) => sopInstanceUID))
    .toSorted();
};

const uidsOf = (images: readonly { SOPInstanceUID: string }[]) =>
  images.map(({ SOPInstanceUID }) => SOPInstanceUID).toSorted();

const listOf = async (person: Person, studyUid: string) => {
  const { id } = await detailsOf(person, studyUid);
  return (await person.send(rejections.list, { params: { id } })).data;
};

test.each(['113001', '113037', '113038', '113039'])(
  'a note with the title %s hides the images that it names, but not itself',
  async (title) => {
    const { admin, study, uids, files } = await prepare();
    await sendFrom(admin, ...files);

    await sendFrom(admin, noteFile({ title, images: [uids[0], uids[1]] }, study));

    expect(await shownImages(admin, study.StudyInstanceUID)).toEqual(uidsOf([uids[2]]));
    const { series, instanceCount } = await detailsOf(admin, study.StudyInstanceUID);
    expect(series.some(({ modality }) => modality === 'KO')).toBe(true);
    expect(instanceCount).toBe(2);
  },
);

test('the list shows the reason, the comment and the sender of a note', async () => {
  const { admin, study, uids, files } = await prepare();
  const reason = { CodeValue: '111210', CodingSchemeDesignator: 'DCM', CodeMeaning: 'Motion blur' };
  const note = { title: '113001', reason, comment: 'Patient moved', images: [uids[0]] };
  await sendFrom(admin, ...files, noteFile(note, study));

  expect(await listOf(admin, study.StudyInstanceUID)).toMatchObject([
    {
      title: '113001',
      reasonCode: '111210',
      reasonMeaning: 'Motion blur',
      comment: 'Patient moved',
      isNote: true,
      withheld: null,
      images: 1,
      missing: 0,
    },
  ]);
  expect(await auditedActions(admin)).toContain('study.reject');
});

test('an image that arrives after its note is rejected, and the others are shown', async () => {
  const { admin, study, uids, files } = await prepare();
  await sendFrom(admin, noteFile({ title: '113037', images: [uids[0]] }, study));
  expect(await listOf(admin, study.StudyInstanceUID)).toMatchObject([{ images: 1, missing: 1 }]);

  for (const file of files) await sendFrom(admin, file);

  expect(await shownImages(admin, study.StudyInstanceUID)).toEqual(uidsOf([uids[1], uids[2]]));
  expect(await listOf(admin, study.StudyInstanceUID)).toMatchObject([{ images: 1, missing: 0 }]);
});

test('a note and its images that arrive together hide the images', async () => {
  const { admin, study, uids, files } = await prepare();

  await sendFrom(admin, noteFile({ title: '113001', images: uids }, study), ...files);

  expect(await shownImages(admin, study.StudyInstanceUID)).toEqual([]);
});

test('a note with another title rejects nothing', async () => {
  const { admin, study, uids, files } = await prepare();

  await sendFrom(admin, ...files, noteFile({ title: '113000', images: uids }, study));

  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(3);
  expect(await listOf(admin, study.StudyInstanceUID)).toEqual([]);
});

test('a note rejects no images of another study, even if it names these', async () => {
  const { admin, study, uids, files } = await prepare();
  const other = { StudyInstanceUID: newUid(), PatientID: study.PatientID };
  await sendFrom(admin, ...files);
  const pretended = uids.map((one) => ({ ...one, ...other }));

  await sendFrom(admin, noteFile({ title: '113001', images: [...uids, ...pretended] }, other));

  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(3);
});

test('a note of another tenant rejects nothing', async () => {
  const { admin, study, uids, files } = await prepare();
  const stranger = await world.signIn('ADMIN');
  await sendFrom(admin, ...files);

  await sendFrom(stranger, noteFile({ title: '113001', images: uids }, study));

  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(3);
});

test.each([
  ['ADMIN' as const, 0, null],
  ['RADIOLOGIST' as const, 3, 'RIGHT'],
])(
  'a note that a user of the type %s uploads is judged by the right to delete studies',
  async (type, shown, withheld) => {
    const { admin, study, uids, files } = await prepare();
    await sendFrom(admin, ...files);
    const uploader = await world.signIn(type, admin.tenant);

    await storeAs(uploader, noteFile({ title: '113001', images: uids }, study));

    expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(shown);
    expect(await listOf(admin, study.StudyInstanceUID)).toMatchObject([{ withheld, images: 3 }]);
    expect(await auditedActions(admin)).toContain(withheld ? 'study.withholdRejection' : 'study.reject');
  },
);

test('a note for expired retention does not hide a study on legal hold, but notes with other titles do', async () => {
  const { admin, study, uids, files } = await prepare();
  await sendFrom(admin, ...files);
  const { id } = await detailsOf(admin, study.StudyInstanceUID);
  await admin.send(studies.setLegalHold, { params: { id }, body: { isOnLegalHold: true, reason: 'Court' } });

  await sendFrom(admin, noteFile({ title: '113039', images: uids }, study));
  const afterRetention = await shownImages(admin, study.StudyInstanceUID);
  await sendFrom(admin, noteFile({ title: '113037', images: [uids[0]] }, study));

  expect(afterRetention).toHaveLength(3);
  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(2);
  expect(await listOf(admin, study.StudyInstanceUID)).toMatchObject([
    { title: '113037', withheld: null },
    { title: '113039', withheld: 'LEGAL_HOLD' },
  ]);
});

test('a note for expired retention does not hide a study with a finalized report', async () => {
  const { admin, study, uids, files } = await prepare();
  await sendFrom(admin, ...files);
  const { id } = await detailsOf(admin, study.StudyInstanceUID);
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { data: report } = await beginReport(reader, id);
  await finalize(reader, report.id);

  await sendFrom(admin, noteFile({ title: '113039', images: uids }, study));

  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(3);
  expect(await listOf(admin, study.StudyInstanceUID)).toMatchObject([{ withheld: 'REPORT' }]);
});

test('a note that is rejected keeps its effect, so that no image comes back unnoticed', async () => {
  const { admin, study, uids, files } = await prepare();
  await sendFrom(admin, ...files, noteFile({ title: '113037', images: [uids[0]] }, study));
  const { id, series } = await detailsOf(admin, study.StudyInstanceUID);
  const note = series.find(({ modality }) => modality === 'KO');

  const body = { seriesInstanceUID: note?.seriesInstanceUID ?? '', title: '113001' } as const;
  await admin.send(rejections.reject, { params: { id }, body });

  expect(await shownImages(admin, study.StudyInstanceUID)).toEqual(uidsOf([uids[1], uids[2]]));
});

test('a note that is sent again after a restoration hides nothing', async () => {
  const { admin, study, uids, files } = await prepare();
  const note = noteFile({ title: '113001', images: [uids[0]] }, study);
  await sendFrom(admin, ...files, note);
  const { id } = await detailsOf(admin, study.StudyInstanceUID);
  const [rejection] = await listOf(admin, study.StudyInstanceUID);
  await admin.send(rejections.restore, { params: { id, rejectionId: rejection?.id ?? '' } });

  await sendFrom(admin, note);

  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(3);
});

test('an image that two notes name stays hidden until both are undone', async () => {
  const { admin, study, uids, files } = await prepare();
  const quality = noteFile({ title: '113001', images: [uids[0]] }, study);
  const safety = noteFile({ title: '113037', images: [uids[0], uids[1]] }, study);
  await sendFrom(admin, ...files);
  await sendFrom(admin, quality);
  await sendFrom(admin, safety);
  const { id } = await detailsOf(admin, study.StudyInstanceUID);
  const [last, first] = await listOf(admin, study.StudyInstanceUID);

  await admin.send(rejections.restore, { params: { id, rejectionId: first?.id ?? '' } });
  expect(await shownImages(admin, study.StudyInstanceUID)).toEqual(uidsOf([uids[2]]));
  await admin.send(rejections.restore, { params: { id, rejectionId: last?.id ?? '' } });
  expect(await shownImages(admin, study.StudyInstanceUID)).toHaveLength(3);
});
