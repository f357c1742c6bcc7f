import { closingBoundary } from '@radwork/dicom/multipart';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const boundary = 'a-form-of-a-script';

/** Sends a form whose parts have exactly these headers. */
const store = (person: Person, ...parts: { headers: string; content: Buffer | string }[]) =>
  person.request({
    method: 'POST',
    url: '/api/stow-rs/studies',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([
      ...parts.flatMap(({ headers, content }) => [
        Buffer.from(`\r\n--${boundary}\r\n${headers}\r\n\r\n`),
        Buffer.from(content),
      ]),
      closingBoundary(boundary),
    ]),
  });

const storedUids = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('instances').select('sop_instance_uid').execute());

test.each([
  [
    'an encoded name',
    `Content-Disposition: form-data; name="files"; filename*=utf-8''M%C3%BCller%201.dcm`,
    'Müller 1.dcm',
  ],
  ['a name that cannot be read', `Content-Disposition: form-data; name="files"; filename*=utf-8''%FF.dcm`, 'File 2'],
  [
    'a name in another character set',
    `Content-Disposition: form-data; name="files"; filename*=koi8-r''%F0.dcm`,
    'File 2',
  ],
  ['no name', 'Content-Disposition: form-data; name="files"\r\nContent-Type: application/dicom', 'File 2'],
  ['no Content-Disposition', 'Content-Type: application/dicom', 'File 2'],
])('stores a form file with %s, alone and among other files', async (_name, headers, called) => {
  const person = await world.signIn();
  const uids = [newUid(), newUid()];
  const [first, second] = uids.map((SOPInstanceUID) => image({ SOPInstanceUID }).bytes);

  const answer = await store(
    person,
    { headers: 'Content-Disposition: form-data; name="files"; filename="a.dcm"', content: first ?? '' },
    { headers, content: second ?? '' },
  );

  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain(`Successfully processed files:\na.dcm\n${called}\n\nFailed`);
  const stored = (await storedUids(person)).map(({ sop_instance_uid }) => sop_instance_uid);
  expect(stored.toSorted()).toEqual(uids.toSorted());
});

test('refuses an unknown form field and names it, instead of ignoring it', async () => {
  const person = await world.signIn();
  const { bytes } = image();

  const answer = await store(
    person,
    { headers: 'Content-Disposition: form-data; name="studyUid"', content: newUid() },
    { headers: 'Content-Disposition: form-data; name="files"; filename="a.dcm"', content: bytes },
  );

  expect(answer.statusCode).toBe(202);
  expect(answer.body).toContain('Failed to process files:\nFile 1: This is not a DICOM file.\n');
});
