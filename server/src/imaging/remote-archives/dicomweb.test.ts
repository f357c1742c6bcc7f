import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { type Fault, retrieveFaults } from '#test/faulty-answers.ts';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { type RemoteInstanceFile, newImages } from '#test/remote-images.ts';
import { hasOrthanc, startOrthanc } from '#test/orthanc.ts';
import { settingsAt } from '#test/remote-settings.ts';
import { createWorld } from '#test/world.ts';
import { createArchiveClient } from './archive-client.ts';
import { createSource } from './open-remote.ts';
import type { RemoteInstance, RemoteKeys, RemoteSource } from './remote-source.ts';

const world = await createWorld({
  REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http',
  REMOTE_TIMEOUT_SECONDS: '1',
  MAX_INSTANCE_MB: '4',
});
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const tenant = { id: 1, subdomain: 'north' };

const sourceAt = (...args: Parameters<typeof settingsAt>): RemoteSource =>
  createSource(world.context, tenant, settingsAt(...args));

const noKeys: RemoteKeys = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  modality: '',
  studyInstanceUID: '',
  studyDate: '',
};
const soon = () => AbortSignal.timeout(20_000);

type Fetched = { files: Buffer[]; error: unknown };

/** Fetches instances. Returns the complete files and the error, if any. */
const fetchAll = async (source: RemoteSource, study: string, requested: RemoteInstance[]): Promise<Fetched> => {
  const files: Buffer[] = [];
  try {
    for await (const { body } of source.retrieve(study, requested, soon())) {
      const chunks: Buffer[] = [];
      for await (const chunk of body) chunks.push(chunk);
      files.push(Buffer.concat(chunks));
    }
  } catch (error) {
    return { files, error };
  }
  return { files, error: undefined };
};

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const hashesOf = (files: readonly Buffer[]): string[] => files.map(hashOf).toSorted(compare);
const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
const instancesOf = (archiveFiles: readonly RemoteInstanceFile[]): RemoteInstance[] =>
  archiveFiles.map(({ series, instance }) => ({ seriesInstanceUID: series, sopInstanceUID: instance }));
const uidsOf = (instances: readonly RemoteInstance[]): string[] =>
  instances.map(({ sopInstanceUID }) => sopInstanceUID).toSorted(compare);

const startArchive = async (archiveFiles: RemoteInstanceFile[]) => {
  const archive = await startFaultyArchive(archiveFiles);
  closing.push(archive.stop);
  const study = archiveFiles[0]?.study ?? '';
  return { archive, source: sourceAt(archive.url), study };
};

test.skipIf(!hasOrthanc)(
  'tests, searches, lists and retrieves from an Orthanc byte for byte (needs orthanc)',
  async () => {
    const orthanc = await startOrthanc({ user: { name: 'reader', password: 'secret' } });
    closing.push(orthanc.stop);
    const archiveFiles = newImages(2, 3, 'Doe^Ayşe');
    const study = archiveFiles[0]?.study ?? '';
    await orthanc.upload(archiveFiles.map(({ bytes }) => new Uint8Array(bytes)));
    const source = sourceAt(orthanc.url, { authType: 'BASIC', username: 'reader', password: 'secret' });

    await source.test(soon());
    const { studies, hasMore } = await source.searchStudies({ ...noKeys, patientName: 'do' }, 100, soon());
    const { instances } = await source.listInstances(study, soon());
    const { files, error } = await fetchAll(source, study, instances);

    expect(hasMore).toBe(false);
    expect(studies).toEqual([
      {
        studyInstanceUID: study,
        studyUrl: `${orthanc.url}/studies/${study}`,
        patientName: 'Doe, Ayşe',
        patientId: expect.any(String),
        sex: 'O',
        birthDate: '1970-01-01',
        studyDate: '2026-11-02',
        studyTime: '10:15:00',
        studyDescription: expect.any(String),
        modality: 'CT',
        accessionNumber: 'A-1',
        seriesCount: 2,
        instanceCount: 6,
      },
    ]);
    expect(uidsOf(instances)).toEqual(uidsOf(instancesOf(archiveFiles)));
    expect(error).toBeUndefined();
    expect(hashesOf(files)).toEqual(hashesOf(archiveFiles.map(({ bytes }) => bytes)));
    await expect(sourceAt(orthanc.url).test(soon())).rejects.toMatchObject({ remoteCause: 'UNAUTHORIZED' });
    await expect(sourceAt(`${orthanc.origin}/nowhere`, { authType: 'NONE' }).test(soon())).rejects.toMatchObject({
      name: 'RemoteError',
    });
  },
);

test('searches, lists and retrieves from another Radwork with a token', async () => {
  const person = await world.signIn();
  const archiveFiles = newImages(2, 2);
  const study = archiveFiles[0]?.study ?? '';
  await storeAs(person, ...archiveFiles.map(({ instance, bytes }) => ({ name: `${instance}.dcm`, bytes })));
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const source = sourceAt(`${address}/dicom-web`, { authType: 'BEARER', token: person.token });

  await source.test(soon());
  const { studies } = await source.searchStudies({ ...noKeys, studyInstanceUID: study }, 100, soon());
  const { instances } = await source.listInstances(study, soon());
  const { files, error } = await fetchAll(source, study, instances);

  expect(studies).toMatchObject([{ studyInstanceUID: study, patientName: 'Doe, Jane', instanceCount: 4 }]);
  expect(error).toBeUndefined();
  expect(hashesOf(files)).toEqual(hashesOf(archiveFiles.map(({ bytes }) => bytes)));
  await expect(sourceAt(`${address}/dicom-web`).test(soon())).rejects.toMatchObject({ remoteCause: 'UNAUTHORIZED' });
});

test('typed values become search keys, and a name gets a wildcard at its end', async () => {
  const { archive, source } = await startArchive(newImages(1, 1));

  await source.searchStudies(
    {
      patientName: 'Doe, Ja',
      patientId: 'P 1',
      accessionNumber: 'A-1',
      modality: 'ct',
      studyInstanceUID: '1.2.3',
      studyDate: '2026-11-01-2026-11-21',
    },
    100,
    soon(),
  );
  await source.searchStudies({ ...noKeys, patientName: 'D?e', studyDate: '2026-11-21' }, 10, soon());

  expect(archive.asked).toEqual([
    '/dicom-web/studies?PatientName=Doe^Ja*&PatientID=P+1&AccessionNumber=A-1&ModalitiesInStudy=CT&StudyInstanceUID=1.2.3&StudyDate=20261101-20261121&includefield=StudyDescription&limit=101',
    '/dicom-web/studies?PatientName=D?e&StudyDate=20261121&includefield=StudyDescription&limit=11',
  ]);
});

test('returns the requested number of studies and says whether there are more', async () => {
  const { source } = await startArchive(Array.from({ length: 4 }, () => newImages(1, 1)).flat());

  const some = await source.searchStudies(noKeys, 3, soon());
  const all = await source.searchStudies(noKeys, 4, soon());

  expect([some.studies.length, some.hasMore]).toEqual([3, true]);
  expect([all.studies.length, all.hasMore]).toEqual([4, false]);
});

test('fetches a whole series in one request and a few instances one by one, in the stored transfer syntax', async () => {
  const archiveFiles = newImages(2, 4);
  const { archive, source, study } = await startArchive(archiveFiles);
  const [first, , , , second] = archiveFiles;
  const requested = archiveFiles.filter(
    ({ series, instance }) => series === first?.series || instance === second?.instance,
  );

  const { files } = await fetchAll(source, study, instancesOf(requested));

  expect(hashesOf(files)).toEqual(hashesOf(requested.map(({ bytes }) => bytes)));
  const retrieved = archive.asked.filter((path) => !path.includes('?'));
  expect(retrieved.toSorted(compare)).toEqual(
    [
      `/dicom-web/studies/${study}/series/${first?.series}`,
      `/dicom-web/studies/${study}/series/${second?.series}/instances/${second?.instance}`,
    ].toSorted(compare),
  );
  expect(new Set(archive.headersSeen.slice(-2).map(({ accept }) => accept))).toEqual(
    new Set(['multipart/related; type="application/dicom"; transfer-syntax=*']),
  );
});

test('stops reading a list of the archive that never ends', async () => {
  const archive = await startFaultyArchive(newImages(1, 1));
  closing.push(archive.stop);
  archive.misbehave('search lists without end');

  const listing = sourceAt(archive.url).listInstances(archive.kept[0]?.study ?? '', AbortSignal.timeout(60_000));

  await expect(listing).rejects.toThrow('The archive lists more than 100000 items for one study.');
});

test.each(['search answers few', 'search knows no instances of studies'] satisfies Fault[])(
  'lists all instances of an archive whose %s',
  async (fault) => {
    const archiveFiles = newImages(2, 3);
    const { archive, source, study } = await startArchive(archiveFiles);
    archive.misbehave(fault);

    const { instances } = await source.listInstances(study, soon());

    expect(uidsOf(instances)).toEqual(uidsOf(instancesOf(archiveFiles)));
  },
);

const causes = new Map<Fault, string>([
  ['answers 500', 'SERVER_ERROR'],
  ['answers 503', 'SERVER_ERROR'],
  ['answers 401', 'UNAUTHORIZED'],
  ['answers 404', 'NOT_FOUND'],
  ['answers nothing', 'TIMEOUT'],
  ['stalls in the middle', 'TIMEOUT'],
  ['uses another boundary', 'OTHER'],
  ['names no boundary', 'WRONG_SERVICE'],
  ['answers HTML', 'WRONG_SERVICE'],
  ['redirects', 'WRONG_SERVICE'],
]);
/** Faults that do not fail a request, because only the content of the files shows them. */
const delivers: ReadonlySet<Fault> = new Set([
  'sends another study',
  'sends others now and then',
  'sends garbage among the files',
  'cuts a part',
  'sends nothing',
]);

test.each(retrieveFaults.filter((fault) => !delivers.has(fault)))(
  'reports an error when the archive %s, and delivers no truncated file',
  async (fault) => {
    const archiveFiles = newImages(1, 4);
    const { archive, source, study } = await startArchive(archiveFiles);
    archive.misbehave(fault);

    const { files, error } = await fetchAll(source, study, instancesOf(archiveFiles));

    expect(error).toMatchObject({ name: 'RemoteError', remoteCause: causes.get(fault) ?? 'OTHER' });
    const known = new Set(archiveFiles.map(({ bytes }) => hashOf(bytes)));
    expect(files.filter((bytes) => !known.has(hashOf(bytes)))).toEqual([]);
  },
);

test('also delivers invalid files, because the code that stores files checks them', async () => {
  const archiveFiles = newImages(1, 2);
  const { archive, source, study } = await startArchive(archiveFiles);
  archive.misbehave('sends garbage among the files');

  const { files } = await fetchAll(source, study, instancesOf(archiveFiles));

  expect(files.slice(1).map(hashOf)).toEqual(archiveFiles.map(({ bytes }) => hashOf(bytes)));
  expect(files[0]?.toString()).toBe('This is not DICOM');
});

test('one failing series does not stop the other series, but three failures in a row stop the import', async () => {
  const archiveFiles = newImages(6, 2);
  const { archive, source, study } = await startArchive(archiveFiles);
  archive.misbehave('answers 500', 2);

  const { files, error } = await fetchAll(source, study, instancesOf(archiveFiles));

  expect(files).toHaveLength(4);
  expect(error).toMatchObject({ remoteCause: 'SERVER_ERROR' });
  const requestedPaths = archive.asked.filter((path) => !path.includes('?'));
  // Two series arrived. Two more failed: each was requested as a whole and then by instances. A fifth series was
  // requested only as a whole.
  expect(requestedPaths.filter((path) => path.includes('/instances/'))).toHaveLength(4);
  expect(requestedPaths.filter((path) => !path.includes('/instances/'))).toHaveLength(5);
});

test.each([
  ['search answers 500', 'SERVER_ERROR'],
  ['search answers 401', 'UNAUTHORIZED'],
  ['search answers HTML', 'WRONG_SERVICE'],
  ['search answers nothing', 'TIMEOUT'],
  ['search is not JSON', 'WRONG_SERVICE'],
  ['search is no data set', 'WRONG_SERVICE'],
  ['search is huge', 'OTHER'],
  ['search is compressed', 'WRONG_SERVICE'],
  ['search redirects', 'WRONG_SERVICE'],
] satisfies [Fault, string][])(
  'an archive whose %s fails its test and its search with a message',
  async (fault, cause) => {
    const { archive, source } = await startArchive(newImages(1, 1));
    archive.misbehave(fault);

    for (const ask of [() => source.test(soon()), () => source.searchStudies(noKeys, 100, soon())]) {
      await expect(ask()).rejects.toMatchObject({
        name: 'RemoteError',
        remoteCause: cause,
        message: expect.not.stringContaining('/var/lib'),
      });
    }
  },
);

test.each([
  ['search answers 401', 'The archive rejected the credentials (401).'],
  ['search answers 500', 'The archive reported an internal error (500).'],
  ['search answers HTML', 'The content type of the answer is text/html'],
] satisfies [Fault, string][])('the message for an archive whose %s describes its behavior', async (fault, words) => {
  const { archive, source } = await startArchive(newImages(1, 1));
  archive.misbehave(fault);

  await expect(source.test(soon())).rejects.toThrow(words);
});

test('sends credentials only to the addresses of the configuration', async () => {
  const [{ archive }, { archive: other }] = await Promise.all([
    startArchive(newImages(1, 1)),
    startArchive(newImages(1, 1)),
  ]);
  const key = sourceAt(archive.url, { authType: 'API', apiKey: 'key', apiSecret: 'secret' });
  const token = sourceAt('http://127.0.0.1:1/', { qidoEndpoint: archive.url, authType: 'BEARER', token: 'token' });

  await key.test(soon());
  await token.test(soon());

  const [first, second] = archive.headersSeen;
  expect(first).toMatchObject({ 'x-api-key': 'key', 'x-api-secret': 'secret' });
  expect(second).toMatchObject({ authorization: 'Bearer token' });
  // An answer of an archive may contain URLs of other servers.
  const client = createArchiveClient(
    { outgoing: world.context.outgoing, tenant },
    settingsAt(archive.url, { authType: 'BEARER', token: 'token' }),
  );
  (await client.get(`${other.url}/studies?limit=1`, { accept: '*/*', signal: soon() })).discard();
  expect(other.headersSeen).toHaveLength(1);
  expect(other.headersSeen[0]).not.toHaveProperty('authorization');
});
