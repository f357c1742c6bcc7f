import { writePart10 } from '@radwork/dicom/part10';
import { sampleFile } from '@radwork/dicom/sample-files';
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js';
import { expect, test } from 'vitest';
import { readerHere, sourceOf } from '#test/upload.ts';
import { readerOf } from '#imaging/upload/deidentification/dicom-reader.ts';
import { invalidDirectory, recognizeFiles } from './recognize-files.ts';
import { type FileSource, SourceProblem } from './file-source.ts';

const chosenOf = (...files: Parameters<typeof recognizeFiles>[0][]) =>
  recognizeFiles(
    files.flatMap((some) => (Symbol.iterator in some ? [...some] : [])),
    readerHere(),
    () => {},
  );

const image = (name: string, sop = '2.25.103') => sourceOf(name, sampleFile({ SOPInstanceUID: sop }));

const directory = (name: string, ...references: string[]) =>
  sourceOf(
    name,
    writePart10({
      transferSyntaxUID: '1.2.840.10008.1.2.1',
      dataset: {
        SOPClassUID: '1.2.840.10008.1.3.10',
        SOPInstanceUID: '2.25.1',
        DirectoryRecordSequence: references.map((path) => ({
          DirectoryRecordType: 'IMAGE',
          ReferencedFileID: path.split('/'),
        })),
      },
    }),
  );

const bytesOf = async ({ open }: FileSource) => new Uint8Array(await (await open()).arrayBuffer());

const zipOf = async (files: Record<string, Uint8Array>) => {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  for (const [name, bytes] of Object.entries(files)) await writer.add(name, new Uint8ArrayReader(bytes));
  return new Uint8Array(await (await writer.close()).arrayBuffer());
};

test('the content decides whether a file is DICOM, not its name, and files are sorted by name', async () => {
  const { files, leftOut } = await chosenOf([
    image('IM10'),
    image('IM2.jpg'),
    sourceOf('notes.dcm', 500),
    sourceOf('Thumbs.db', 500),
  ]);

  expect(files.map(({ source }) => source.name)).toEqual(['IM2.jpg', 'IM10']);
  expect(files[0]?.summary).toMatchObject({ patientName: 'Doe, Jane', sopInstanceUID: '2.25.103' });
  expect(leftOut).toEqual(
    expect.arrayContaining([
      { name: 'notes.dcm', why: 'Not a DICOM file' },
      { name: 'Thumbs.db', why: 'A file of the operating system' },
    ]),
  );
});

test('a damaged DICOM file is sent, and the archive reports its problem', async () => {
  const { files } = await chosenOf([sourceOf('IM1', sampleFile().subarray(0, 300))]);

  expect(files).toEqual([{ source: expect.objectContaining({ name: 'IM1' }), summary: undefined }]);
});

/** Simulates a file on a scratched disc. */
const scratched = (name: string) => ({
  ...sourceOf(name),
  head: () => Promise.reject(new DOMException('The file could not be read', 'NotReadableError')),
});

test('an unreadable file or folder is reported as unreadable, not as left out', async () => {
  const { unreadable, leftOut } = await chosenOf([
    scratched('IM1'),
    { name: 'locked', why: 'The browser could not read the file' },
  ]);

  expect(unreadable).toEqual([
    { name: 'locked', why: 'The browser could not read the file' },
    { name: 'IM1', why: 'The browser could not read the file' },
  ]);
  expect(leftOut).toEqual([]);
});

test('if reading fails for all files, all count as unreadable', async () => {
  const broken = readerOf(
    () => Promise.reject(new SourceProblem('The browser could not look into it')),
    () => {},
  );

  const { unreadable, leftOut } = await recognizeFiles([image('IM1'), sourceOf('notes.txt', 500)], broken, () => {});

  expect(unreadable.map(({ name }) => name)).toEqual(['IM1', 'notes.txt']);
  expect(leftOut).toEqual([]);
});

test('a ZIP file is opened with or without its extension, but not a document in ZIP format', async () => {
  const zip = await zipOf({ 'CT/IM1': sampleFile(), 'readme.txt': Buffer.from('Open with the viewer on this disc') });

  const { files, leftOut } = await chosenOf([
    sourceOf('disc.ZIP', zip),
    sourceOf('other', zip),
    sourceOf('letter.docx', zip),
  ]);

  expect(files.map(({ source }) => source.name)).toEqual(['disc.ZIP/CT/IM1', 'other/CT/IM1']);
  expect(leftOut.map(({ name }) => name).toSorted()).toEqual([
    'disc.ZIP/readme.txt',
    'letter.docx',
    'other/readme.txt',
  ]);
});

test('a ZIP file inside a ZIP file is left out with a reason', async () => {
  const inner = await zipOf({ IM1: sampleFile() });

  const { files, leftOut } = await chosenOf([sourceOf('disc.zip', await zipOf({ 'inner.zip': inner }))]);

  expect(files).toEqual([]);
  expect(leftOut).toEqual([
    {
      name: 'disc.zip/inner.zip',
      why: 'A ZIP file inside a ZIP file. Unpack the outer file first',
    },
  ]);
});

test('password-protected files in a ZIP file are reported even if others are readable', async () => {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false });
  await writer.add('README.txt', new Uint8ArrayReader(Buffer.from('Ask for the password')));
  await writer.add('IM1', new Uint8ArrayReader(sampleFile()), { password: 'secret' });
  const zip = new Uint8Array(await (await writer.close()).arrayBuffer());

  const { unreadable, leftOut } = await chosenOf([sourceOf('disc.zip', zip)]);

  expect(unreadable).toEqual([
    { name: 'disc.zip/IM1', why: 'Protected by a password. Unpack the ZIP file, then choose the folder' },
  ]);
  expect(leftOut.map(({ name }) => name)).toEqual(['disc.zip/README.txt']);
});

test('a DICOMDIR finds its files in a ZIP file made on Windows', async () => {
  const files = { DICOMDIR: await bytesOf(directory('DICOMDIR', 'DICOM/IM1')), DICOM_IM1: sampleFile() };
  const zip = Buffer.from(await zipOf(files))
    .toString('latin1')
    .replaceAll('DICOM_IM1', 'DICOM\\IM1');

  const { files: recognized, missing, problems } = await chosenOf([sourceOf('disc.zip', Buffer.from(zip, 'latin1'))]);

  expect(recognized.map(({ source }) => source.name)).toEqual(['disc.zip/DICOM/IM1']);
  expect({ missing: missing.flatMap(({ names }) => names), problems }).toEqual({ missing: [], problems: [] });
});

test('a broken ZIP file is reported as a problem', async () => {
  const { problems } = await chosenOf([
    sourceOf('disc.zip', Buffer.from('PK\u0003\u0004 and nothing else of a ZIP file')),
  ]);

  expect(problems).toEqual([
    'disc.zip cannot be opened. Damaged, or not a ZIP file. Unpack it with another program, then choose the folder.',
  ]);
});

test('a DICOMDIR with its folder adds the files that it lists, and missing files are reported', async () => {
  const { files, missing, leftOut, problems } = await chosenOf([
    directory('disc/DICOMDIR', 'DICOM/IM000001', 'DICOM/IM000002'),
    image('disc/dicom/im000001.;1'),
    image('disc/EXTRA', '2.25.104'),
  ]);

  expect(files.map(({ source }) => source.name)).toEqual(['disc/dicom/im000001.;1', 'disc/EXTRA']);
  expect(missing.map(({ names }) => names)).toEqual([['disc/DICOM/IM000002']]);
  expect(leftOut.map(({ name }) => name)).toEqual(['disc/DICOMDIR']);
  expect(problems).toEqual([]);
});

test('files that a DICOMDIR lists are found even if their names have an additional extension', async () => {
  const directoryFile = directory('DICOMDIR', 'DICOM/ST01/IM01', 'DICOM/ST01/IM02', 'DICOM/ST01/IM03.DCM');
  const images = ['DICOM/ST01/IM01.dcm', 'DICOM/ST01/IM02.dcm', 'DICOM/ST01/IM03'].map((name) => image(name));

  const complete = await chosenOf([directoryFile, ...images]);
  const withoutOne = await chosenOf([directoryFile, ...images.slice(1)]);

  expect({ missing: complete.missing.flatMap(({ names }) => names), problems: complete.problems }).toEqual({
    missing: [],
    problems: [],
  });
  expect(withoutOne.missing.flatMap(({ names }) => names)).toEqual(['DICOM/ST01/IM01']);
});

test('a chosen file counts for only one file of a DICOMDIR, and a part of a UID is not an extension', async () => {
  const { missing } = await chosenOf([
    directory('DICOMDIR', 'A/IM1', 'A/IM1.IMA', 'A/1.2.3', 'A/1.2.4'),
    image('A/IM1.dcm'),
    image('A/1.2.3'),
  ]);

  expect(missing.map(({ names }) => names)).toEqual([['A/IM1.IMA', 'A/1.2.4']]);
});

test('files that a DICOMDIR lists count as missing if they are unreadable or contain no images', async () => {
  const { files, missing } = await chosenOf([
    directory('disc/DICOMDIR', 'DICOM/IM1', 'DICOM/IM2', 'DICOM/IM3', 'DICOM/IM4'),
    image('disc/DICOM/IM1'),
    scratched('disc/DICOM/IM2'),
    sourceOf('disc/DICOM/IM3', new Uint8Array(0)),
    sourceOf('disc/DICOM/IM4', new Uint8Array(4096)),
  ]);

  expect(files.map(({ source }) => source.name)).toEqual(['disc/DICOM/IM1']);
  expect(missing.map(({ names }) => names)).toEqual([['disc/DICOM/IM2', 'disc/DICOM/IM3', 'disc/DICOM/IM4']]);
});

test.each([
  ['without its files', () => directory('DICOMDIR', 'DICOM/IM000001')],
  ['that lists no files', () => directory('DICOMDIR')],
  ['with other content', () => sourceOf('disc/DICOMDIR', 300)],
])('a DICOMDIR %s is refused with the message of the specification', async (_, file) => {
  expect((await chosenOf([file()])).problems).toEqual([invalidDirectory]);
  expect(invalidDirectory).toBe('Please upload a valid DICOMDIR file.');
});

test('reading many files reports the progress', async () => {
  const counts: number[] = [];
  const many = Array.from({ length: 450 }, (_, index) => sourceOf(`notes${index}.txt`, 300));

  await recognizeFiles(many, readerHere(), (count) => counts.push(count));

  expect(counts).toEqual([200, 400]);
});
