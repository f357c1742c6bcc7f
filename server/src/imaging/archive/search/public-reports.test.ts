import { textOf, type DicomJson, valuesOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { simpleInstance } from '@radwork/phantom/instance';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

/** Searches and uploads after public reports about other systems. docs/public-reports.md lists the threads. */

const world = await createWorld();

const search = async (person: Person, query: Record<string, string>) => {
  const answer = await person.request({ method: 'GET', url: '/api/qido-rs/studies', query });
  expect(answer.statusCode).toBe(200);
  return answer.json<DicomJson[]>();
};

test('pages of studies with the same date and several series have each study once', async () => {
  const person = await world.signIn();
  const studies = Array.from({ length: 9 }, () => newUid());
  const modalities = ['CT', 'MR', 'CR'];
  await storeAs(
    person,
    ...studies.flatMap((StudyInstanceUID) =>
      modalities.map((Modality) =>
        image({ StudyInstanceUID, Modality, PatientID: StudyInstanceUID, StudyDate: '20260105', StudyTime: '101500' }),
      ),
    ),
  );
  for (const query of [{}, { ModalitiesInStudy: 'CT' }, { Modality: 'MR' }, { PatientName: '*' }]) {
    const pages = await Promise.all(
      ['0', '2', '4', '6', '8', '10'].map((offset) => search(person, { ...query, limit: '2', offset })),
    );
    const results = pages.flat();
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 2, 1, 0]);
    expect(new Set(results.map((result) => textOf(result, 'StudyInstanceUID')))).toEqual(new Set(studies));
    for (const result of results) expect(new Set(valuesOf(result, 'ModalitiesInStudy'))).toEqual(new Set(modalities));
  }
});

test('a deleted study takes no place on a page', async () => {
  const person = await world.signIn('ADMIN');
  const studies = Array.from({ length: 4 }, () => newUid());
  await storeAs(person, ...studies.map((StudyInstanceUID) => image({ StudyInstanceUID, PatientID: StudyInstanceUID })));
  const [deleted = ''] = studies;
  const answer = await person.request({ method: 'DELETE', url: `/api/wado-rs/studies/${deleted}` });
  expect(answer.statusCode).toBeLessThan(300);
  const results = await search(person, { limit: '3' });
  expect(results).toHaveLength(3);
  expect(results.map((result) => textOf(result, 'StudyInstanceUID'))).not.toContain(deleted);
});

test.each([
  ['1993.08.22', '1993.08.22'],
  ['19621231', '19000101-19700101'],
  ['19000101', '-19000101'],
  ['00010101', '00010101'],
])('a study of the date %s is found by %s', async (StudyDate, query) => {
  const person = await world.signIn();
  await storeAs(person, image({ StudyDate: Buffer.from(StudyDate), PatientBirthDate: Buffer.from('00010101') }));
  expect(await search(person, { StudyDate: query })).toHaveLength(1);
});

const stow = async (person: Person, type: string, body: Buffer) => {
  const answer = await person.request({
    method: 'POST',
    url: '/api/stow-rs/studies',
    headers: { 'content-type': type },
    payload: body,
  });
  return answer.statusCode;
};

const parts = (boundary: string, files: readonly Buffer[], header = 'Content-Type: application/dicom\r\n') =>
  Buffer.concat([
    Buffer.from('preamble of the sender\r\n'),
    ...files.flatMap((file) => [Buffer.from(`--${boundary}\r\n${header}\r\n`), file, Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--\r\nepilogue`),
  ]);

const file = () =>
  simpleInstance({
    StudyInstanceUID: newUid(),
    SeriesInstanceUID: newUid(),
    SOPInstanceUID: newUid(),
    PatientID: newUid(),
  });

test.each([
  ['without quotes', 'multipart/related; type=application/dicom; boundary=XyZ'],
  ['with quotes', 'multipart/related; type="application/dicom"; boundary="XyZ"'],
  ['in another order and case', 'Multipart/Related;BOUNDARY="XyZ";Type=application/dicom'],
])('parts are found by a boundary %s', async (_, type) => {
  const person = await world.signIn();
  expect(await stow(person, type, parts('XyZ', [file(), file()]))).toBe(200);
  expect(await search(person, {})).toHaveLength(2);
});

test('a boundary of many hyphens is not found inside a file', async () => {
  const person = await world.signIn();
  const boundary = '---------------------------f0d9ae2';
  expect(
    await stow(person, `multipart/related; type=application/dicom; boundary=${boundary}`, parts(boundary, [file()])),
  ).toBe(200);
});

test('a part that is not DICOM is named, and the others are stored', async () => {
  const person = await world.signIn();
  const type = 'multipart/related; type="application/dicom"; boundary=XyZ';
  expect(await stow(person, type, parts('XyZ', [Buffer.from('no image'), file()]))).toBe(202);
  expect(await stow(person, type, parts('XyZ', [Buffer.from('no image')]))).toBe(409);
});

test.each([
  'multipart/related; type=application/octet-stream',
  'multipart/related; type="application/octet-stream"; transfer-syntax=*',
  'multipart/related;type=application/octet-stream;transfer-syntax="*", */*;q=0.1',
  'multipart/*',
  '*/*',
  'application/octet-stream; transfer-syntax=*',
])('a frame is sent for the Accept header %s', async (accept) => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  await storeAs(person, image(uids));
  const path = `/studies/${uids.StudyInstanceUID}/series/${uids.SeriesInstanceUID}/instances/${uids.SOPInstanceUID}`;
  const answer = await getFrom(person, `${path}/frames/1`, { accept });
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload.length).toBeGreaterThanOrEqual(512);
});

test.each([
  'multipart/related; type=application/dicom; transfer-syntax=*',
  'multipart/related; type="application/dicom";transfer-syntax=1.2.840.10008.1.2.1',
  '*/*',
])('a study is sent for the Accept header %s', async (accept) => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  await storeAs(person, image({ StudyInstanceUID }));
  expect((await getFrom(person, `/studies/${StudyInstanceUID}`, { accept })).statusCode).toBe(200);
});
