import { createHash } from 'node:crypto';
import { newUid } from '@radwork/dicom/uid';
import { expect, onTestFinished, test } from 'vitest';
import { hasOrthanc, type Orthanc, startOrthanc } from '#test/orthanc.ts';
import { enrollForBasic, serve } from '#test/served-world.ts';
import { addressOf } from '#test/server-process.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

// Tests Orthanc as a client: its DICOMweb plugin sends to a server in a separate process, searches it and retrieves
// from it.

const world = await createWorld();

/** An Orthanc that knows the archive at this address as "radwork". */
const startClient = async (url: string, { name, password }: { name: string; password: string }): Promise<Orthanc> => {
  const orthanc = await startOrthanc({
    configuration: {
      DicomWeb: {
        Enable: true,
        Root: '/dicom-web/',
        EnableWado: false,
        Ssl: false,
        Servers: { radwork: { Url: `${url}/dicom-web/`, Username: name, Password: password } },
      },
    },
  });
  onTestFinished(() => orthanc.stop());
  return orthanc;
};

/** Makes Orthanc run an operation at "radwork", and returns the result. */
const have = async ({ ask }: Orthanc, verb: 'stow' | 'qido' | 'retrieve', what: object) =>
  (await ask(`/dicom-web/servers/radwork/${verb}`, { method: 'POST', body: JSON.stringify(what) })).json();

const idsOf = async ({ ask }: Orthanc, level: 'studies' | 'instances'): Promise<string[]> =>
  JSON.parse(await (await ask(`/${level}`)).text());

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Returns the hashes of the files that Orthanc stores. */
const filesIn = async (orthanc: Orthanc): Promise<string[]> => {
  const ids = await idsOf(orthanc, 'instances');
  const files = ids.map(async (id) => Buffer.from(await (await orthanc.ask(`/instances/${id}/file`)).arrayBuffer()));
  return (await Promise.all(files)).map(hashOf).toSorted();
};

/** A study of two series, each in another transfer syntax. */
const newStudy = (count: number) => {
  const study = { StudyInstanceUID: newUid(), PatientID: newUid().slice(-12), PatientName: 'Núñez^José' };
  const series = [newUid(), newUid()];
  const files = Array.from({ length: count }, (_, index) => {
    const SeriesInstanceUID = series[index % 2] ?? '';
    const jpegLossless = { transferSyntaxUID: '1.2.840.10008.1.2.4.70', pixelData: [Buffer.alloc(600, index)] };
    const elements = { ...study, SeriesInstanceUID, SOPInstanceUID: newUid(), InstanceNumber: index };
    return image(elements, index % 2 === 1 ? jpegLossless : {}).bytes;
  });
  return { ...study, files };
};

test.skipIf(!hasOrthanc)(
  'Orthanc sends a study to us, finds it and retrieves it byte for byte (skipped without Orthanc)',
  async () => {
    const orthanc = await startClient(await addressOf(serve(world)), await enrollForBasic(world));
    const { StudyInstanceUID, PatientID, files } = newStudy(12);
    await orthanc.upload(files.map((bytes) => Uint8Array.from(bytes)));
    const sent = await filesIn(orthanc);
    const [studyId] = await idsOf(orthanc, 'studies');

    const stored = await have(orthanc, 'stow', { Resources: [studyId], Synchronous: true });
    await orthanc.ask(`/studies/${studyId}`, { method: 'DELETE' });
    const matches = await have(orthanc, 'qido', { Uri: '/studies', Arguments: { PatientID } });
    const instances = await have(orthanc, 'qido', { Uri: `/studies/${StudyInstanceUID}/instances` });
    const nobody = await have(orthanc, 'qido', { Uri: '/studies', Arguments: { PatientID: 'nobody' } });
    const retrieved = await have(orthanc, 'retrieve', { Resources: [{ Study: StudyInstanceUID }], Synchronous: true });

    expect(sent).toEqual(files.map(hashOf).toSorted());
    expect(stored).toMatchObject({ InstancesCount: '12' });
    expect(matches).toMatchObject([{ '0020000D': { Value: StudyInstanceUID }, '00100010': { Value: 'Núñez^José' } }]);
    expect([instances, nobody]).toMatchObject([{ length: 12 }, []]);
    expect(retrieved).toMatchObject({ ReceivedInstancesCount: '12' });
    expect(await filesIn(orthanc)).toEqual(sent);
  },
  120_000,
);
