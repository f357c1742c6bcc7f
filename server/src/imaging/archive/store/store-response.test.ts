import { request } from 'node:http';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { form, image, type Multipart, related } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const store = (person: Person, { payload, headers }: Multipart, accept?: string, path = '') =>
  person.request({
    method: 'POST',
    url: `/dicom-web/studies${path}`,
    payload,
    headers: { ...headers, ...(accept && { accept }) },
  });

const ofStudy = (StudyInstanceUID: string) => {
  const SOPInstanceUID = newUid();
  return { SOPInstanceUID, file: image({ StudyInstanceUID, SOPInstanceUID, PatientID: 'P' }) };
};

test('the response contains the address of each stored instance and of its study', async () => {
  const person = await world.signIn();
  const [studyUid, seriesUid] = [newUid(), newUid()];
  const file = image({ StudyInstanceUID: studyUid, SeriesInstanceUID: seriesUid, SOPInstanceUID: `${seriesUid}.1` });

  const answer = await store(person, related(file.bytes));

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/dicom+json');
  const url = `http://localhost:80/dicom-web/studies/${studyUid}`;
  expect(answer.json()).toEqual({
    '00081190': { vr: 'UR', Value: [url] },
    '00081199': {
      vr: 'SQ',
      Value: [
        {
          '00081150': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.2'] },
          '00081155': { vr: 'UI', Value: [`${seriesUid}.1`] },
          '00081190': { vr: 'UR', Value: [`${url}/series/${seriesUid}/instances/${seriesUid}.1`] },
        },
      ],
    },
  });
});

test('lists refused instances with a reason, and counts files without a UID under other failures', async () => {
  const person = await world.signIn();
  const [studyUid, otherUid] = [newUid(), newUid()];
  const [good, foreign] = [ofStudy(studyUid), ofStudy(otherUid)];

  const answer = await store(
    person,
    related(good.file.bytes, foreign.file.bytes, Buffer.from('text')),
    undefined,
    `/${studyUid}`,
  );

  expect(answer.statusCode).toBe(202);
  expect(answer.json()).toMatchObject({
    '00081190': { Value: [expect.stringMatching(studyUid)] },
    '00081198': {
      vr: 'SQ',
      Value: [
        {
          '00081150': { vr: 'UI' },
          '00081155': { vr: 'UI', Value: [foreign.SOPInstanceUID] },
          '00081197': { vr: 'US', Value: [0xa900] },
        },
      ],
    },
    '00081199': { Value: [{ '00081155': { Value: [good.SOPInstanceUID] } }] },
    '0008119A': { vr: 'SQ', Value: [{ '00081197': { vr: 'US', Value: [0xc000] } }] },
  });
});

test('refuses a file in an unknown transfer syntax with the matching failure reason', async () => {
  const person = await world.signIn();
  const known = image().bytes.toString('latin1');
  const unknown = Buffer.from(known.replace('1.2.840.10008.1.2.1\0', '1.2.840.10008.9.9.9\0'), 'latin1');

  const answer = await store(person, related(unknown));

  expect(answer.statusCode).toBe(409);
  expect(answer.json()['0008119A'].Value).toEqual([{ '00081197': { vr: 'US', Value: [0xc122] } }]);
});

test('the response for files of several studies contains no study address', async () => {
  const person = await world.signIn();

  const answer = await store(person, related(image().bytes, image().bytes));

  expect(answer.statusCode).toBe(200);
  expect(answer.json()).not.toHaveProperty('00081190');
});

test('refuses each instance of a study in the recycle bin with a code and a message', async () => {
  const person = await world.signIn();
  const studyUid = newUid();
  await storeAs(person, ofStudy(studyUid).file);
  await person.inScope(({ db }) => db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).execute());
  const { file, SOPInstanceUID } = ofStudy(studyUid);

  const json = await store(person, related(file.bytes));
  const words = await store(person, form(file));

  expect(json.statusCode).toBe(409);
  expect(json.json()).toMatchObject({
    '00081198': { Value: [{ '00081155': { Value: [SOPInstanceUID] }, '00081197': { Value: [0x0110] } }] },
  });
  expect(json.json()).not.toHaveProperty('00081199');
  expect(words.body).toContain('image.dcm: The study is in the recycle bin. Restore it before you add files.');
});

test('answers in XML on request, and in the default media type if the client accepts neither type', async () => {
  const person = await world.signIn();

  const xml = await store(person, related(image().bytes), 'application/dicom+xml');
  const byQuery = await store(person, related(image().bytes), 'text/plain', '?accept=application/dicom%2Bxml');
  const neither = await store(person, related(image().bytes), 'image/png');

  expect([xml.statusCode, xml.headers['content-type']]).toEqual([200, 'application/dicom+xml']);
  expect(xml.body).toContain(
    '<DicomAttribute tag="00081199" vr="SQ" keyword="ReferencedSOPSequence"><Item number="1">',
  );
  expect(byQuery.headers['content-type']).toBe('application/dicom+xml');
  expect([neither.statusCode, neither.headers['content-type']]).toEqual([200, 'application/dicom+json']);
});

test('refuses an invalid study UID in the path before storing anything', async () => {
  const person = await world.signIn();

  const answer = await store(person, related(image().bytes), undefined, '/1..2');

  expect(answer.json()).toMatchObject({ code: 400, message: 'studyInstanceUID is not a valid UID' });
});

test('refuses metadata without files and parts that are not files', async () => {
  const person = await world.signIn();
  const { payload } = related(image().bytes);
  const withType = (type: string): Multipart => ({
    payload,
    headers: { 'content-type': `multipart/related; type="${type}"; boundary=radwork-test-boundary-radwork-test` },
  });

  const answers = [
    await store(person, withType('application/dicom+json')),
    await store(person, withType('application/dicom+xml')),
    await store(person, { payload, headers: { 'content-type': 'application/dicom+json' } }),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([415, 415, 415]);
});

test('a sender that waits for 100 Continue receives it', async () => {
  const person = await world.signIn();
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const { payload, headers } = related(image().bytes);

  const status = await new Promise((resolve, reject) => {
    const upload = request(`${address}/dicom-web/studies`, {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${person.token}`,
        'content-length': payload.length,
        expect: '100-continue',
      },
    });
    upload.on('continue', () => upload.end(payload));
    upload.on('response', ({ statusCode }) => resolve(statusCode));
    upload.on('error', reject);
    upload.flushHeaders();
  });

  expect(status).toBe(200);
});
