import { type DicomJson, textOf, valuesOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { api } from 'dicomweb-client';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import XMLHttpRequest from 'xhr2';
import { compressed } from '#test/compress-pixels.ts';
import { enrollForBasic, serve } from '#test/served-world.ts';
import { addressOf } from '#test/server-process.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

// Tests the package dicomweb-client, which OHIF, Slim and others use, with a server in a separate process.

// The package is made for browsers and needs their global objects.
Object.assign(globalThis, { XMLHttpRequest });

const world = await createWorld();

const token = async () => `Bearer ${(await world.signIn()).token}`;
const password = async () => {
  const user = await enrollForBasic(world);
  return `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
};

const [size, jpegLs] = [16, '1.2.840.10008.1.2.4.80'];
const pixelsOf = (number: number) =>
  Buffer.from(Uint16Array.from({ length: size * size }, (_, index) => index + number).buffer);

/** A compressed frame as in a file: its length is even (PS3.5 §A.4). */
const packedFrame = (() => {
  const frame = compressed(pixelsOf(4), jpegLs, size, size);
  return Buffer.concat([frame, Buffer.alloc(frame.length % 2)]);
})();

/** A study of two series, with three uncompressed images and one compressed image. */
const newStudy = () => {
  const study = { StudyInstanceUID: newUid(), PatientID: newUid().slice(-12), PatientName: 'Müller^Zoë' };
  const [plainSeries, packedSeries] = [newUid(), newUid()];
  const instance = (seriesInstanceUID: string, InstanceNumber: number, file: Parameters<typeof image>[1]) => {
    const sopInstanceUID = newUid();
    const uids = { ...study, SeriesInstanceUID: seriesInstanceUID, SOPInstanceUID: sopInstanceUID };
    const { bytes } = image({ ...uids, InstanceNumber }, file);
    return { at: { studyInstanceUID: study.StudyInstanceUID, seriesInstanceUID, sopInstanceUID }, bytes };
  };
  const first = instance(plainSeries, 1, { pixelData: pixelsOf(1) });
  const others = [2, 3].map((number) => instance(plainSeries, number, { pixelData: pixelsOf(number) }));
  const packed = instance(packedSeries, 1, { transferSyntaxUID: jpegLs, pixelData: [packedFrame] });
  return {
    at: { studyInstanceUID: study.StudyInstanceUID },
    seriesAt: { studyInstanceUID: study.StudyInstanceUID, seriesInstanceUID: plainSeries },
    patientId: study.PatientID,
    first,
    packed,
    ofSeries: [first, ...others],
    all: [first, ...others, packed],
  };
};

type Study = ReturnType<typeof newStudy>;
type Client = InstanceType<typeof api.DICOMwebClient>;

const inBase64 = (bytes: Uint8Array | ArrayBuffer) => Buffer.copyBytesFrom(new Uint8Array(bytes)).toString('base64');
const unordered = (files: readonly (Uint8Array | ArrayBuffer)[]) => files.map(inBase64).toSorted();
const filesOf = (instances: Study['all']) => unordered(instances.map(({ bytes }) => bytes));
const uidsOf = (instances: Study['all']) => instances.map(({ at }) => at.sopInstanceUID).toSorted();
const valuesIn = (results: DicomJson[], keyword: string) =>
  results.map((result) => textOf(result, keyword) ?? '').toSorted();

/** Returns how many instances the server reports as stored. */
const store = async (client: Client, instances: Study['all'], where: { studyInstanceUID?: string } = {}) => {
  const datasets = instances.map(({ bytes }) => Uint8Array.from(bytes).buffer);
  const answer: DicomJson = JSON.parse(await client.storeInstances({ ...where, datasets }));
  return valuesOf(answer, 'ReferencedSOPSequence').length;
};

const query = async (client: Client, { at, seriesAt, patientId }: Study) => {
  const studies = await client.searchForStudies({ queryParams: { PatientName: 'müller*', PatientID: patientId } });
  const metadata = await client.retrieveStudyMetadata(at);
  return {
    studies: valuesIn(studies, 'StudyInstanceUID'),
    nobody: await client.searchForStudies({ queryParams: { PatientID: 'nobody' } }),
    series: valuesIn(await client.searchForSeries(at), 'SeriesInstanceUID'),
    instancesOfSeries: valuesIn(await client.searchForInstances(seriesAt), 'SOPInstanceUID'),
    described: valuesIn(metadata, 'SOPInstanceUID'),
    names: new Set(metadata.map((one) => JSON.stringify(valuesOf(one, 'PatientName')))),
  };
};

const whatIsThere = ({ at, seriesAt, packed, ofSeries, all }: Study) => ({
  studies: [at.studyInstanceUID],
  nobody: [],
  series: [seriesAt.seriesInstanceUID, packed.at.seriesInstanceUID].toSorted(),
  instancesOfSeries: uidsOf(ofSeries),
  described: uidsOf(all),
  names: new Set(['[{"Alphabetic":"Müller^Zoë"}]']),
});

const retrieve = async (client: Client, { at, seriesAt, packed }: Study) => ({
  study: unordered(await client.retrieveStudy(at)),
  series: unordered(await client.retrieveSeries(seriesAt)),
  instance: inBase64(await client.retrieveInstance(packed.at)),
});

const retrieveFrames = async (client: Client, { first, packed }: Study) => {
  const frame = (of: Study['first'], mediaTypes?: { mediaType: string; transferSyntaxUID: string }[]) =>
    client.retrieveInstanceFrames({ ...of.at, frameNumbers: '1', ...(mediaTypes && { mediaTypes }) });
  return {
    plain: unordered(await frame(first)),
    asStored: unordered(await frame(packed, [{ mediaType: 'image/jls', transferSyntaxUID: jpegLs }])),
    unpacked: unordered(
      await frame(packed, [{ mediaType: 'application/octet-stream', transferSyntaxUID: '1.2.840.10008.1.2.1' }]),
    ),
  };
};

/** The rendered images of an uncompressed and of the compressed image. */
const retrieveRendered = async (client: Client, { first, packed }: Study) => {
  const jpeg = await client.retrieveInstanceRendered(first.at);
  const png = await client.retrieveInstanceRendered({ ...packed.at, mediaTypes: [{ mediaType: 'image/png' }] });
  return Promise.all([jpeg, png].flat().map((bytes) => sharp(Buffer.from(bytes)).metadata()));
};

test.each([
  { means: 'a token', authorization: token },
  { means: 'a name and a password', authorization: password },
])(
  'dicomweb-client stores, finds and retrieves a study with $means',
  async ({ authorization }) => {
    const url = `${await addressOf(serve(world))}/dicom-web`;
    const client = new api.DICOMwebClient({ url, headers: { Authorization: await authorization() } });
    const study = newStudy();

    expect(await store(client, study.all)).toBe(4);
    expect(await store(client, [study.first], study.at)).toBe(1);
    expect(await query(client, study)).toEqual(whatIsThere(study));
    expect(await retrieve(client, study)).toEqual({
      study: filesOf(study.all),
      series: filesOf(study.ofSeries),
      instance: inBase64(study.packed.bytes),
    });
    expect(await retrieveFrames(client, study)).toEqual({
      plain: [inBase64(pixelsOf(1))],
      asStored: [inBase64(packedFrame)],
      unpacked: [inBase64(pixelsOf(4))],
    });
    expect(await retrieveRendered(client, study)).toMatchObject([
      { format: 'jpeg', width: size, height: size },
      { format: 'png', width: size, height: size },
    ]);
  },
  120_000,
);
