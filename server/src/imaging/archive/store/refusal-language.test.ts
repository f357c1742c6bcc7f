import { type FileFault, sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import { DicomError, type DicomFault, type PlainFault, plainFaults } from '@radwork/dicom/dicom-error';
import { afterAll, describe, expect, test } from 'vitest';
import { form, image } from '#test/multipart-upload.ts';
import { messagesOf, translatedApp } from '#test/translated-app.ts';
import { createWorld } from '#test/world.ts';

/** A fault of each kind. */
const faults: DicomFault[] = [
  ...(Object.keys(plainFaults) as PlainFault[]).map((kind) => ({ kind })),
  ...Object.values({
    badUid: { kind: 'badUid', keyword: 'SOPInstanceUID' },
    missingUid: { kind: 'missingUid', keyword: 'SOPClassUID' },
    headerTooLong: { kind: 'headerTooLong', mebibytes: 64 },
    inflatedTooLarge: { kind: 'inflatedTooLarge', mebibytes: 256 },
    patientIdTooLong: { kind: 'patientIdTooLong', characters: 128 },
    unassignableFrames: { kind: 'unassignableFrames', frames: 3, parts: 2 },
  } satisfies { [Kind in Exclude<FileFault['kind'], PlainFault>]: DicomFault & { kind: Kind } }),
];

describe('the reason of a refused file', () => {
  test.each(faults)('has the same English sentence in the contract and in the log: $kind', (fault) => {
    expect(sentenceOfFault(fault)).toBe(new DicomError(fault).message);
  });
});

const world = await createWorld();
const messages = messagesOf(() => faults.forEach((fault) => sentenceOfFault(fault)));
// The translation applies to all tests of this file from here on, so it is installed after `messagesOf`.
const app = await translatedApp(world, messages);
afterAll(() => app.close());

/** More than the main thread reads, so that another thread reads the file. */
const longHeader = { PatientComments: 'x'.repeat(60_000), ImageComments: 'x'.repeat(60_000) };

test('each fault has one sentence to translate', () => {
  expect(messages).toHaveLength(faults.length);
});

test.each([
  ['bytes that are not DICOM', { name: 'image.dcm', bytes: Buffer.from('hello') }, '‹This is not a DICOM file.›'],
  ['a file without a UID', image({ SOPInstanceUID: undefined }), '‹The file has no SOPInstanceUID.›'],
  [
    'a patient ID of two values that another thread reads',
    image({ PatientID: 'CLINIC\\1', ...longHeader }),
    '‹The file has more than one patient ID. Correct it at the source and send it again.›',
  ],
  [
    'a patient ID that is too long',
    image({ PatientID: 'x'.repeat(200) }),
    '‹The patient ID in the file is longer than 128 characters.›',
  ],
])('%s is refused in the language of the call, else of the organization', async (_, file, german) => {
  const person = await world.signIn();
  const { payload, headers } = form(file);
  const reasonFor = async (language: Record<string, string>) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/api/stow-rs/studies',
      headers: { ...headers, accept: 'application/json', authorization: `Bearer ${person.token}`, ...language },
      payload,
    });
    return reply.json().data.refused[0].reason;
  };
  const english = german.slice(1, -1);

  expect(await reasonFor({})).toBe(english);
  expect(await reasonFor({ 'accept-language': 'de' })).toBe(german);
  await world.owner.updateTable('tenants').set({ locale: 'de-AT' }).where('id', '=', person.tenant.id).execute();
  expect(await reasonFor({})).toBe(german);
  expect(await reasonFor({ 'accept-language': 'en' })).toBe(english);
});
