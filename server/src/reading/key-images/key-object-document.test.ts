import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeyImageForm, keyImages, keyImagesExport } from '@radwork/contract/reading/key-images';
import { type DicomJson, itemsOf, textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { newUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { hasDcmtk } from '#test/dcmtk.ts';
import { reportSteps } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';
import { plainLook } from '#test/plain-look.ts';

const hasDciodvfy = spawnSync('dciodvfy', ['-h']).error === undefined;
const world = await createWorld();
const { auditedActions } = reportSteps(world);

/** Creates a CT image and, in another series, an image with three frames. */
const prepare = async () => {
  const author = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), PatientID: newUid(), PatientName: 'Wang^Xiao', AccessionNumber: 'A/1' };
  const single = { SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const multiFrame = { SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  const frames = { NumberOfFrames: 3, SOPClassUID: '1.2.840.10008.5.1.4.1.1.7.2', Modality: 'OT', SeriesNumber: 4 };
  await storeAs(
    author,
    image({ ...uids, ...single, SeriesNumber: 2, InstanceNumber: 57 }),
    image({ ...uids, ...multiFrame, ...frames, InstanceNumber: 1 }, { pixelData: Buffer.alloc(3 * 512) }),
  );
  const { id } = await author.inScope(({ db }) => db.selectFrom('studies').select('id').executeTakeFirstOrThrow());
  return { author, id, studyUid: uids.StudyInstanceUID, single, film: multiFrame };
};

type Uids = { SeriesInstanceUID: string; SOPInstanceUID: string };

const mark = async (person: Person, id: string, uids: Uids, frame: number, note: string) => {
  const body: KeyImageForm = {
    seriesInstanceUID: uids.SeriesInstanceUID,
    sopInstanceUID: uids.SOPInstanceUID,
    frame,
    note,
    look: plainLook,
    revision: 0,
  };
  const params = { id, keyImageId: newId() };
  expect((await person.send(keyImages.save, { params, body })).status).toBe(200);
  return params;
};

const download = (person: Person, id: string) =>
  person.request({ method: 'GET', url: keyImagesExport.path.replace(':id', id) });
const store = (person: Person, id: string) => person.send(keyImages.store, { params: { id } });

/** Creates key images of two users. Both users marked the CT, and each user marked one frame of the film. */
const marked = async () => {
  const prepared = await prepare();
  const { author, id, single, film: multiFrame } = prepared;
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  await mark(author, id, single, 1, 'Nodule');
  await mark(author, id, multiFrame, 3, '');
  await mark(colleague, id, multiFrame, 2, 'Reflux');
  const last = await mark(colleague, id, single, 1, 'Is it calcified?');
  return { ...prepared, colleague, last };
};

const valueOf = (item: DicomJson, sequence: string) => textOf(itemsOf(item, sequence)[0] ?? {}, 'CodeValue');
const contentOf = (file: Buffer) => itemsOf(readHeader(file).dataset, 'ContentSequence');
const imagesIn = (file: Buffer) =>
  contentOf(file)
    .filter((item) => textOf(item, 'ValueType') === 'IMAGE')
    .map((item) => {
      const [reference = {}] = itemsOf(item, 'ReferencedSOPSequence');
      return [textOf(reference, 'ReferencedSOPInstanceUID'), textOf(reference, 'ReferencedFrameNumber')];
    });
const textsIn = (file: Buffer) => contentOf(file).flatMap((item) => textOf(item, 'TextValue') ?? []);

test('exports key images as a key object selection with each frame once and the notes of all users', async () => {
  const { author, id, studyUid, single, film: multiFrame } = await marked();

  const answer = await download(author, id);

  const { dataset, sopClassUID, studyInstanceUID } = readHeader(answer.rawPayload);
  expect(answer.headers['content-disposition']).toContain('attachment; filename="key-images-A_1.dcm"');
  expect([sopClassUID, studyInstanceUID]).toEqual(['1.2.840.10008.5.1.4.1.1.88.59', studyUid]);
  expect([textOf(dataset, 'Modality'), textOf(dataset, 'PatientName')]).toEqual(['KO', 'Wang^Xiao']);
  expect(valueOf(dataset, 'ConceptNameCodeSequence')).toBe('113000');
  expect(imagesIn(answer.rawPayload)).toEqual([
    [single.SOPInstanceUID, undefined],
    [multiFrame.SOPInstanceUID, '3'],
    [multiFrame.SOPInstanceUID, '2'],
  ]);
  expect(textsIn(answer.rawPayload)).toEqual([
    'Series 2, image 57: Nodule\r\nSeries 2, image 57: Is it calcified?\r\nSeries 4, image 1, frame 2: Reflux',
  ]);
  const [evidence = {}] = itemsOf(dataset, 'CurrentRequestedProcedureEvidenceSequence');
  const referenced = itemsOf(evidence, 'ReferencedSeriesSequence').map((series) => [
    textOf(series, 'SeriesInstanceUID'),
    ...itemsOf(series, 'ReferencedSOPSequence').map((item) => textOf(item, 'ReferencedSOPInstanceUID')),
  ]);
  expect(referenced).toEqual([
    [single.SeriesInstanceUID, single.SOPInstanceUID],
    [multiFrame.SeriesInstanceUID, multiFrame.SOPInstanceUID],
  ]);
  expect(await auditedActions(author)).toContain('keyImage.export');
});

test('a repeated export gives the same file, and a different file after a key image is removed', async () => {
  const { author, colleague, id, last } = await marked();

  const [one, other] = [await download(author, id), await download(colleague, id)];
  await colleague.send(keyImages.remove, { params: last, query: { revision: 1 } });
  const later = await download(author, id);

  expect(other.rawPayload).toEqual(one.rawPayload);
  expect(textsIn(later.rawPayload).join('')).not.toContain('calcified');
  expect(readHeader(later.rawPayload).sopInstanceUID).not.toBe(readHeader(one.rawPayload).sopInstanceUID);
});

test('stores the key object selection as a series of the study, and not again while it is unchanged', async () => {
  const { author, id, studyUid, single } = await marked();

  const both = await Promise.all([store(author, id), store(author, id)]);
  const again = await store(author, id);
  await mark(author, id, single, 1, 'Follow up');
  const later = await store(author, id);

  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(new Set(both.map(({ data }) => data.sopInstanceUID)).size).toBe(1);
  expect(again.data).toMatchObject({ sopInstanceUID: both[0].data.sopInstanceUID, isNew: false });
  expect(later.data).toMatchObject({ seriesInstanceUID: again.data.seriesInstanceUID, isNew: true });
  const path = `/studies/${studyUid}/series/${later.data.seriesInstanceUID}`;
  const files = (await partsOf(await getFrom(author, path))).map(({ body }) => body);
  expect(files).toHaveLength(2);
  expect(files.map((file) => textsIn(file).join('').includes('Follow up'))).toEqual([false, true]);
  expect(await auditedActions(author)).toContain('keyImage.store');
});

test('the key object selection omits images that left the archive, and is refused when none remains', async () => {
  const { author, id, single, film: multiFrame } = await marked();
  const leave = (uid: string) => world.owner.deleteFrom('instances').where('sop_instance_uid', '=', uid).execute();

  await leave(single.SOPInstanceUID);
  const remaining = await download(author, id);
  await leave(multiFrame.SOPInstanceUID);
  const none = await download(author, id);

  expect(imagesIn(remaining.rawPayload).map(([uid]) => uid)).toEqual([
    multiFrame.SOPInstanceUID,
    multiFrame.SOPInstanceUID,
  ]);
  expect(none.statusCode).toBe(422);
  expect(await store(author, id)).toMatchObject({
    status: 422,
    errors: [{ field: 'keyImages', message: 'This study has no key images yet' }],
  });
});

const writeTemporary = (file: Buffer): string => {
  const folder = mkdtempSync(join(tmpdir(), 'key-objects-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'selection.dcm'), file);
  return join(folder, 'selection.dcm');
};

test.skipIf(!hasDciodvfy)(
  `dicom3tools finds no error in a key object selection${hasDciodvfy ? '' : ' (skipped: dciodvfy is not installed)'}`,
  async () => {
    const { author, id } = await marked();

    const path = writeTemporary((await download(author, id)).rawPayload);
    const { stderr, stdout } = spawnSync('dciodvfy', [path], { encoding: 'utf8' });

    expect(`${stdout}${stderr}`).toContain('KeyObjectSelectionDocument');
    expect(`${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
  },
);

test.skipIf(!hasDcmtk)(
  `dcmtk reads the content of a key object selection${hasDcmtk ? '' : ' (skipped: dcmtk is not installed)'}`,
  async () => {
    const { author, id } = await marked();

    const path = writeTemporary((await download(author, id)).rawPayload);
    const { status, stdout, stderr } = spawnSync('dsrdump', ['+Pl', path], { encoding: 'utf8' });

    expect([status, stderr.split('\n').filter((line) => line.startsWith('E:'))]).toEqual([0, []]);
    expect(stdout).toContain('Key Object Selection Document');
    expect(stdout).toContain('Nodule');
    expect(stdout.match(/<(contains )?IMAGE/gi)).toHaveLength(3);
  },
);

test('the key object selection has the time of the last change, including a removal', async () => {
  const { author, colleague, id, last } = await marked();
  const writtenBytes = async () => {
    const { dataset } = readHeader((await download(author, id)).rawPayload);
    return `${textOf(dataset, 'ContentDate')}${textOf(dataset, 'ContentTime')}`;
  };
  const before = await writtenBytes();
  await world.owner
    .updateTable('key_images')
    .set({ changed_at: sql`changed_at - interval '1 hour'` })
    .where('study_id', '=', id)
    .execute();
  expect(Number(await writtenBytes())).toBeLessThan(Number(before));

  await colleague.send(keyImages.remove, { params: last, query: { revision: 1 } });

  expect(Number(await writtenBytes())).toBeGreaterThanOrEqual(Number(before));
});
