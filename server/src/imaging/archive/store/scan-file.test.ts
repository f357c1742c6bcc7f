import { expect, test } from 'vitest';
import { incomingFiles } from '#test/incoming-files.ts';
import { startScanner } from '#test/virus-scanner.ts';
import { form, image, type TestFile } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const noImage = { Rows: undefined, Columns: undefined, BitsAllocated: undefined };

/** Creates an encapsulated document with the given text. */
const documentOf = (name: string, words: string): TestFile => {
  const bytes = Buffer.from(`%PDF-1.7 ${words}`.padEnd(100));
  const elements = { ...noImage, Modality: 'DOC', MIMETypeOfEncapsulatedDocument: 'application/pdf' };
  return { ...image({ ...elements, EncapsulatedDocument: bytes }, { pixelData: null }), name };
};

/** Creates an image that starts like a program. */
const disguised = (name: string): TestFile => {
  const { bytes } = image();
  bytes.write('MZ EICAR', 0);
  return { name, bytes };
};

/** Starts a server with a scanner that detects one word, and signs in a user. */
const withScanner = async (settings: Record<string, string> = {}) => {
  const scanner = await startScanner((seen) => (seen.includes('EICAR') ? 'stream: Eicar FOUND' : 'stream: OK'));
  const world = await createWorld({ CLAMD_ADDRESS: `127.0.0.1:${scanner.address.port}`, ...settings });
  const person = await world.signIn();
  return { scanner, world, person };
};

const upload = async (person: Person, ...files: TestFile[]): Promise<string> => {
  const { payload, headers } = form(...files);
  return (await person.request({ method: 'POST', url: '/api/stow-rs/studies', payload, headers })).body;
};

const storedBy = (person: Person) =>
  person.inScope(({ db }) => db.selectFrom('instances').select('sop_class_uid').execute());

test('refuses a DICOM file with a virus, names it and stores the other files', async () => {
  const { scanner, world, person } = await withScanner();
  const fine = [documentOf('letter.dcm', 'a letter'), { ...image(), name: 'slice.dcm' }];

  const body = await upload(person, documentOf('bad.dcm', 'EICAR'), ...fine, disguised('program.dcm'));

  expect(body).toMatch(/^Successfully processed files:\nletter.dcm\nslice.dcm\n\nFailed to process files:\n/);
  expect(body).toMatch(/bad.dcm.*The virus scanner found a threat in the file/);
  expect(body).toMatch(/program.dcm.*The virus scanner found a threat in the file/);
  expect(await storedBy(person)).toHaveLength(2);
  expect(await incomingFiles(world.context.config)).toEqual([]);
  // Pixels of images are not scanned, because an archive has more of them than a scanner can handle.
  expect(scanner.streams).toHaveLength(3);
});

test('with image scanning enabled, images are scanned too, and refused while the scanner is unavailable', async () => {
  const { scanner, person } = await withScanner({ SCAN_IMAGES: '1' });
  const { bytes } = image();
  bytes.write('EICAR', bytes.length - 8);

  const answer = await upload(person, { name: 'pixels.dcm', bytes }, { ...image(), name: 'slice.dcm' });
  scanner.stop();
  const unseen = await upload(person, { ...image(), name: 'later.dcm' });

  expect(answer).toMatch(/^Successfully processed files:\nslice.dcm\n/);
  expect(answer).toMatch(/pixels.dcm.*The virus scanner found a threat in the file/);
  expect(unseen).toMatch(/later.dcm.*The virus scanner cannot be reached.*Try again later/);
  expect(await storedBy(person)).toHaveLength(1);
});

test('while the scanner is unavailable, documents are refused and images are stored', async () => {
  const { scanner, person } = await withScanner();
  scanner.stop();

  const body = await upload(person, documentOf('letter.dcm', 'a letter'), { ...image(), name: 'slice.dcm' });

  expect(body).toMatch(/^Successfully processed files:\nslice.dcm\n/);
  expect(body).toMatch(/letter.dcm.*The virus scanner cannot be reached.*Try again later/);
});

test('without a scanner no file is scanned', async () => {
  const world = await createWorld();
  const person = await world.signIn();

  expect(await upload(person, documentOf('letter.dcm', 'EICAR'))).toContain(
    'Successfully processed files:\nletter.dcm',
  );
});
