import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DicomJson, textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { writePart10 } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { form, image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

const newUids = () => ({ StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() });

type Uids = ReturnType<typeof newUids>;
const pathOf = ({ StudyInstanceUID, SeriesInstanceUID, SOPInstanceUID }: Uids): string =>
  `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}/instances/${SOPInstanceUID}`;

const signIn = () => world.signIn();

test('an image without its last byte is stored unchanged, and served and shown with that byte added', async () => {
  const person = await signIn();
  const uids = newUids();
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    dataset: {
      ...uids,
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.6.1',
      PatientID: 'P',
      PatientName: 'Odd^Pixels',
      Modality: 'US',
      Rows: 5,
      Columns: 5,
      SamplesPerPixel: 3,
      PhotometricInterpretation: 'RGB',
      PlanarConfiguration: 0,
      BitsAllocated: 8,
      BitsStored: 8,
      HighBit: 7,
      PixelRepresentation: 0,
    },
    pixelData: Buffer.alloc(74, 200),
  });
  await storeAs(person, { name: 'short.dcm', bytes: file });
  const path = pathOf(uids);

  const fileResponse = await getFrom(person, path, { accept: 'application/dicom' });
  const frame = await getFrom(person, `${path}/frames/1`, { accept: 'application/octet-stream' });
  const picture = await getFrom(person, `${path}/rendered`, { accept: 'image/png' });

  expect(fileResponse.rawPayload.equals(file)).toBe(true);
  expect(frame.rawPayload).toEqual(Buffer.concat([Buffer.alloc(74, 200), Buffer.alloc(1)]));
  expect(picture.statusCode).toBe(200);
});

test('an image that declares a wrong number of frames is shown with all its frames and with a warning', async () => {
  const person = await signIn();
  const uids = newUids();
  const jpeg = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'gray' } })
    .grayscale()
    .jpeg()
    .toBuffer();
  const elements = { BitsAllocated: 8, BitsStored: 8, HighBit: 7, Rows: 16, Columns: 16 };
  const syntax = { transferSyntaxUID: '1.2.840.10008.1.2.4.50', pixelData: [jpeg, jpeg, jpeg] };
  await storeAs(person, image({ ...uids, ...elements, NumberOfFrames: 5 }, syntax));
  const path = pathOf(uids);

  const [metadata] = (await getFrom(person, `${path}/metadata`)).json();
  const last = await getFrom(person, `${path}/frames/3/rendered`);
  const transcoded = await getFrom(person, path, {
    accept: 'application/dicom; transfer-syntax=1.2.840.10008.1.2.1',
  });

  expect(metadata['00280008'].Value).toEqual([3]);
  expect(metadata['04000561'].Value[0]['04000550'].Value[0]['00280008'].Value).toEqual([5]);
  expect(last.statusCode).toBe(200);
  expect(transcoded.rawPayload.includes(Buffer.from([0x28, 0, 8, 0, 0x49, 0x53, 2, 0, 0x33, 0x20]))).toBe(true);
});

test('refuses an image whose frames cannot be told apart, with the reason', async () => {
  const person = await signIn();
  const syntax = { transferSyntaxUID: '1.2.840.10008.1.2.4.50', pixelData: [Buffer.from('abcd')] };
  const upload = form(image({ ...newUids(), NumberOfFrames: 2 }, syntax));

  const { body } = await person.request({ method: 'POST', url: '/api/stow-rs/studies', ...upload });

  expect(body).toContain('The file declares 2 frames, but its image consists of 1 parts');
});

test('returns all digits of a long series number in metadata and search', async () => {
  const person = await signIn();
  const uids = newUids();
  const digits = '456115117112105110101';
  await storeAs(person, image({ ...uids, SeriesNumber: digits }));

  const [metadata] = (await getFrom(person, `${pathOf(uids)}/metadata`)).json();
  const seriesNumberOf = async (what: string) => {
    const url = `/api/qido-rs/studies/${uids.StudyInstanceUID}/${what}`;
    return (await person.request({ method: 'GET', url })).json()[0]['00200011'];
  };

  expect(metadata['00200011']).toEqual({ vr: 'IS', Value: [digits] });
  expect(await seriesNumberOf('series')).toEqual({ vr: 'IS', Value: [digits] });
  expect(await seriesNumberOf('instances')).toEqual({ vr: 'IS', Value: [digits] });
});

test.each(['456115117112105110101', '12345678901', '4294967296', '-98765432109876'])(
  'finds a series by its long number %s, and no other series',
  async (digits) => {
    const person = await signIn();
    const uids = newUids();
    await storeAs(person, image({ ...uids, SeriesNumber: digits }), image({ ...newUids(), SeriesNumber: '7' }));
    const seriesUidsOf = async (number: string) => {
      const url = `/api/qido-rs/series?SeriesNumber=${number}`;
      const results = (await person.request({ method: 'GET', url })).json();
      return results.map((result: DicomJson) => textOf(result, 'SeriesInstanceUID'));
    };

    expect(await seriesUidsOf(digits)).toEqual([uids.SeriesInstanceUID]);
    expect(await seriesUidsOf(digits.replace(/^-?/, '$&000'))).toEqual([uids.SeriesInstanceUID]);
    expect(await seriesUidsOf(`${digits}1`)).toEqual([]);
  },
);

test('serves the bulk data of an encapsulated document in its media type', async () => {
  const person = await signIn();
  const uids = newUids();
  const pdf = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(4000, 'x'), Buffer.from('%%EOF\n')]);
  const file = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    dataset: {
      ...uids,
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.104.1',
      PatientID: 'P',
      PatientName: 'A^B',
      Modality: 'DOC',
      MIMETypeOfEncapsulatedDocument: 'application/pdf',
      EncapsulatedDocument: pdf,
    },
  });
  await storeAs(person, { name: 'document.dcm', bytes: file });
  const uri = `${pathOf(uids)}/bulkdata/00420011`;

  const bare = await getFrom(person, uri, { accept: 'application/pdf' });
  const part = await getFrom(person, uri, { accept: 'multipart/related; type="application/pdf"' });
  const bytes = await getFrom(person, uri, { accept: 'application/octet-stream' });
  const other = await getFrom(person, uri, { accept: 'image/png' });

  expect(bare.headers['content-type']).toBe('application/pdf');
  expect(bare.rawPayload.subarray(0, pdf.length).equals(pdf)).toBe(true);
  expect(part.headers['content-type']).toContain('type="application/pdf"');
  expect(bytes.headers['content-type']).toBe('application/octet-stream');
  expect(other.statusCode).toBe(406);
});

test.each([
  ['1.2.840.10008.5.1.4.1.1.104.1', 'application/pdf'],
  ['1.2.840.10008.5.1.4.1.1.104.2', 'text/xml'],
  ['1.2.840.10008.5.1.4.1.1.104.3', 'model/stl'],
])('serves a document of class %s without a declared type as %s', async (SOPClassUID, type) => {
  const person = await signIn();
  const uids = newUids();
  const dataset = { ...uids, SOPClassUID, PatientID: 'P', PatientName: 'A^B', Modality: 'DOC' };
  const bytes = writePart10({
    transferSyntaxUID: '1.2.840.10008.1.2.1',
    dataset: { ...dataset, MIMETypeOfEncapsulatedDocument: '', EncapsulatedDocument: Buffer.alloc(4000, 'x') },
  });
  await storeAs(person, { name: 'document.dcm', bytes });

  const bare = await getFrom(person, `${pathOf(uids)}/bulkdata/00420011`, { accept: type });
  const rendered = await getFrom(person, `${pathOf(uids)}/rendered`, { accept: '*/*' });

  expect([bare, rendered].map(({ headers }) => headers['content-type'])).toEqual([type, type]);
});

const shared = resolve(import.meta.dirname, '../../../../../shared');
const odd = [
  'dcm4che-1236-one-byte-short',
  'dcm4che-1306-time',
  'nul-pixel-delimiter',
  'numberofframes-0',
  'vr-two-spaces-priv-empty',
  'vr-two-spaces-priv',
  'vr-two-spaces-std-empty',
  'vr-two-spaces-std',
]
  .map((name) => `cases/archive/${name}.dcm`)
  .concat('dicom/pydicom/test_files/badVR.dcm');

test.skipIf(!existsSync(resolve(shared, 'cases'))).each(odd)(
  'stores %s unchanged and shows it (skipped where ../shared/cases is absent)',
  async (name) => {
    const person = await signIn();
    const bytes = readFileSync(resolve(shared, name));
    const header = readHeader(bytes);
    await storeAs(person, { name, bytes });
    const path = `/studies/${header.studyInstanceUID}/series/${header.seriesInstanceUID}/instances/${header.sopInstanceUID}`;

    const fileResponse = await getFrom(person, path, { accept: 'application/dicom' });
    const picture = await getFrom(person, `${path}/rendered`, { accept: 'image/png' });

    expect(fileResponse.rawPayload.equals(bytes)).toBe(true);
    expect(picture.statusCode).toBe(200);
  },
);
