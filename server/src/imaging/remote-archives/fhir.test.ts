import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import { afterAll, expect, test } from 'vitest';
import { startFaultyArchive } from '#test/faulty-archive.ts';
import { newImages } from '#test/remote-images.ts';
import { settingsAt } from '#test/remote-settings.ts';
import { createWorld } from '#test/world.ts';
import { createSource } from './open-remote.ts';
import type { RemoteKeys } from './remote-source.ts';

const world = await createWorld({
  REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http',
  REMOTE_TIMEOUT_SECONDS: '1',
});
const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const images = newImages(1, 3);
const study = images[0]?.study ?? '';
const archive = await startFaultyArchive(images);
closing.push(archive.stop);

const soon = () => AbortSignal.timeout(20_000);
const noKeys: RemoteKeys = {
  patientName: '',
  patientId: '',
  accessionNumber: '',
  modality: '',
  studyInstanceUID: '',
  studyDate: '',
};

type Answers = (path: string, origin: string) => unknown;

/** Starts a FHIR server with the answers of a test, and records its requests. */
const startFhir = async (answers: Answers) => {
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(decodeURIComponent(request.url ?? ''));
    response.writeHead(200, { 'content-type': 'application/fhir+json; charset=utf-8' });
    response.end(JSON.stringify(answers(request.url ?? '', origin)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { asked: requestedPaths, origin, base: `${origin}/fhir` };
};

const sourceAt = (baseUrl: string, more: Partial<RemoteSettings> = {}) =>
  createSource(
    world.context,
    { id: 1, subdomain: 'north' },
    settingsAt(baseUrl, { aeTitle: 'FHIR', protocol: 'FHIR', ...more }),
  );

const patient = {
  resourceType: 'Patient',
  id: 'p1',
  identifier: [{ value: 'MRN-1' }],
  name: [{ family: 'Doe', given: ['Jane', 'Ann'] }],
  gender: 'female',
  birthDate: '1970-01-31',
};
const imagingStudy = (uid: string, more: object = {}) => ({
  resourceType: 'ImagingStudy',
  identifier: [
    { system: 'urn:dicom:uid', value: `urn:oid:${uid}` },
    { value: 'A-7', type: { coding: [{ code: 'ACSN' }] } },
  ],
  subject: { reference: 'Patient/p1' },
  started: '2026-11-20T09:30:00+01:00',
  description: 'CT chest',
  modality: [{ code: 'CT' }],
  numberOfSeries: 1,
  numberOfInstances: 3,
  ...more,
});
const bundle = (resources: object[], next?: string) => ({
  resourceType: 'Bundle',
  type: 'searchset',
  ...(next && { link: [{ relation: 'next', url: next }] }),
  entry: resources.map((resource) => ({ resource })),
});
const endpointAt = (address: string, id = 'e1') => ({
  resourceType: 'Endpoint',
  id,
  address,
  connectionType: { code: 'dicom-wado-rs' },
});

test('tests a FHIR server by its capability statement', async () => {
  const { base, asked: requestedPaths } = await startFhir((path) =>
    path.endsWith('/metadata') && !path.includes('wrong')
      ? { resourceType: 'CapabilityStatement', software: { name: 'Blaze', version: '1.0' } }
      : { resourceType: 'OperationOutcome' },
  );

  expect(await sourceAt(base).test(soon())).toBe('Blaze 1.0');
  await expect(sourceAt(`${base}/wrong`).test(soon())).rejects.toMatchObject({ remoteCause: 'WRONG_SERVICE' });
  await expect(sourceAt(archive.url).test(soon())).rejects.toMatchObject({ remoteCause: 'WRONG_SERVICE' });
  expect(requestedPaths[0]).toBe('/fhir/metadata');
});

test('finds studies and their patients by the typed search values', async () => {
  const { base, asked: requestedPaths } = await startFhir(() => bundle([imagingStudy(study), patient]));

  const { studies, hasMore } = await sourceAt(base, { resourcesUri: 'ImagingStudy?status=available' }).searchStudies(
    {
      patientName: 'Doe, Ja*',
      patientId: 'MRN-1',
      accessionNumber: 'A-7',
      modality: 'ct',
      studyInstanceUID: study,
      studyDate: '20261101-20261121',
    },
    100,
    soon(),
  );

  expect(hasMore).toBe(false);
  expect(studies).toEqual([
    {
      studyInstanceUID: study,
      studyUrl: `${base}/studies/${study}`,
      patientName: 'Doe, Jane Ann',
      patientId: 'MRN-1',
      sex: 'F',
      birthDate: '1970-01-31',
      studyDate: '2026-11-20',
      studyTime: '09:30:00',
      studyDescription: 'CT chest',
      modality: 'CT',
      accessionNumber: 'A-7',
      seriesCount: 1,
      instanceCount: 3,
    },
  ]);
  expect(requestedPaths).toEqual([
    '/fhir/ImagingStudy?status=available&patient.name=Doe&patient.name=Ja&patient.identifier=MRN-1&identifier=A-7' +
      `&identifier=urn:oid:${study}&modality=CT&started=ge2026-11-01&started=le2026-11-21` +
      '&_include=ImagingStudy:patient&_include=ImagingStudy:endpoint&_count=101',
  ]);
});

test('reads R5 studies with contained patients and skips other resources', async () => {
  const r5 = imagingStudy('1.2.3', {
    subject: { reference: '#p1' },
    contained: [patient],
    modality: [{ coding: [{ code: 'MR' }] }],
    numberOfSeries: 'many',
  });
  const { base } = await startFhir(() => bundle([r5, imagingStudy('not a uid'), { resourceType: 'OperationOutcome' }]));

  const { studies } = await sourceAt(base).searchStudies(noKeys, 100, soon());

  expect(studies).toMatchObject([
    { studyInstanceUID: '1.2.3', patientName: 'Doe, Jane Ann', modality: 'MR', seriesCount: null },
  ]);
});

test('finds a study by its Study Instance UID and shows the current name and Patient ID of its patient', async () => {
  const oid = (system: string, uid: string) => ({ system, value: `urn:oid:${uid}` });
  const own = imagingStudy('1.2.3', {
    identifier: [oid('urn:ietf:rfc3986', '1.2.999'), oid('urn:dicom:uid', '1.2.3')],
  });
  const number = (code: string, value: string) => ({ type: { coding: [{ code }] }, value });
  const married = {
    ...patient,
    name: [
      { use: 'maiden', family: 'Doe', given: ['Jane'] },
      { use: 'old', family: 'Roe', given: ['Jane'] },
      { use: 'usual', family: 'Poe', given: ['Jane'] },
      { use: 'official', family: 'Poe', given: ['Jane', 'Ann'] },
    ],
    identifier: [number('SS', '123-45-6789'), { ...number('MR', 'MRN-0'), use: 'old' }, number('MR', 'MRN-1')],
  };
  const { base } = await startFhir(() => bundle([own, married]));

  const { studies } = await sourceAt(base).searchStudies(noKeys, 100, soon());

  expect(studies).toMatchObject([{ studyInstanceUID: '1.2.3', patientName: 'Poe, Jane Ann', patientId: 'MRN-1' }]);
});

test('hides a study that was entered in error', async () => {
  const { base } = await startFhir(() =>
    bundle([
      imagingStudy('1.2.1', { status: 'entered-in-error' }),
      imagingStudy('1.2.2', { status: 'available' }),
      patient,
    ]),
  );

  const { studies } = await sourceAt(base).searchStudies(noKeys, 100, soon());

  expect(studies.map(({ studyInstanceUID }) => studyInstanceUID)).toEqual(['1.2.2']);
});

test('a server with studies of several servers shows each study with its own patient and images', async () => {
  const at = (origin: string, resource: { resourceType: string; id?: string }, id = resource.id ?? 's1') => ({
    fullUrl: `${origin}/fhir/${resource.resourceType}/${id}`,
    resource,
  });
  const patientNamed = (family: string) => ({ ...patient, name: [{ family }] });
  const [north, south] = ['https://north.lan', 'https://south.lan'];
  const absolute = { subject: { reference: `${south}/fhir/Patient/p1/_history/2` } };
  const images = { endpoint: [{ reference: 'Endpoint/e1' }] };
  const { base } = await startFhir((_path, origin) => ({
    ...bundle([]),
    entry: [
      at(north, imagingStudy('1.2.1', images)),
      at(south, imagingStudy('1.2.2', { ...absolute, ...images })),
      at(south, imagingStudy('1.2.3'), 's2'),
      at('https://west.lan', imagingStudy('1.2.4'), 's3'),
      at(north, patientNamed('North')),
      at(south, patientNamed('South')),
      at(north, endpointAt(`${origin}/north`)),
      at(south, endpointAt(`${origin}/south`)),
    ],
  }));

  const { studies } = await sourceAt(base).searchStudies(noKeys, 100, soon());

  expect(studies.map(({ patientName }) => patientName)).toEqual(['North', 'South', 'South', '']);
  expect(studies.slice(0, 2).map(({ studyUrl }) => studyUrl.replace(/^.*?\d\//, ''))).toEqual([
    'north/studies/1.2.1',
    'south/studies/1.2.2',
  ]);
});

test('shows no patient when two patients match the study', async () => {
  const other = { ...patient, name: [{ family: 'Roe' }] };
  const { base } = await startFhir((path) =>
    bundle([imagingStudy(study), patient, path.includes('A-7') ? other : patient]),
  );

  const either = await sourceAt(base).searchStudies({ ...noKeys, accessionNumber: 'A-7' }, 100, soon());
  const twice = await sourceAt(base).searchStudies(noKeys, 100, soon());

  expect([either, twice].map(({ studies: [match] }) => match?.patientName)).toEqual(['', 'Doe, Jane Ann']);
});

test('requests further result pages from the same origin only', async () => {
  const own = await startFhir((path, origin) =>
    path.includes('page=2')
      ? bundle([imagingStudy('1.2.2')], 'http://127.0.0.1:1/fhir/ImagingStudy?page=3')
      : bundle([imagingStudy('1.2.1')], `${origin}/fhir/ImagingStudy?page=2`),
  );

  const all = await sourceAt(own.base).searchStudies(noKeys, 100, soon());
  const first = await sourceAt(own.base).searchStudies(noKeys, 1, soon());

  expect(all.studies.map(({ studyInstanceUID }) => studyInstanceUID)).toEqual(['1.2.1', '1.2.2']);
  expect([first.studies.length, first.hasMore]).toEqual([1, true]);
});

test('reads images from the endpoint named in the study if its origin is configured', async () => {
  const namedStudy = imagingStudy(study, { endpoint: [{ reference: 'Endpoint/e1' }] });
  const { base } = await startFhir(() => bundle([namedStudy, endpointAt(`${archive.url}/`)]));
  const contained = await startFhir(() =>
    bundle([imagingStudy(study, { endpoint: [{ reference: '#e1' }], contained: [endpointAt(archive.url)] })]),
  );
  const allowed = { qidoEndpoint: archive.url };

  const stranger = sourceAt(base).listInstances(study, soon());
  await expect(stranger).rejects.toMatchObject({
    remoteCause: 'NOT_FOUND',
    message: expect.stringContaining('Enter the WADO endpoint'),
  });
  for (const address of [base, contained.base]) {
    const source = sourceAt(address, allowed);
    const { instances } = await source.listInstances(study, soon());
    const names: string[] = [];
    for await (const { name, body } of source.retrieve(study, instances, soon())) {
      for await (const chunk of body) names.push(`${name} ${chunk.length > 0}`);
    }
    expect(instances).toHaveLength(3);
    expect(names.length).toBeGreaterThan(2);
  }
});

test('reads images of the requested study only, even if the server answers with others', async () => {
  const own = imagingStudy(study, { endpoint: [{ reference: 'Endpoint/e1' }] });
  const other = imagingStudy('1.2.9', { endpoint: [{ reference: 'Endpoint/e2' }] });
  const resources = [other, own, endpointAt(archive.url), endpointAt(`${archive.url}/elsewhere`, 'e2')];
  const { base } = await startFhir((path) => bundle(path.includes(study) ? resources : [other]));
  archive.asked.length = 0;

  const { instances } = await sourceAt(base, { qidoEndpoint: archive.url }).listInstances(study, soon());
  for await (const { body } of sourceAt(base, { qidoEndpoint: archive.url }).retrieve(study, instances, soon())) {
    for await (const chunk of body) expect(chunk.length).toBeGreaterThan(0);
  }
  const unknown = sourceAt(base, { qidoEndpoint: archive.url }).listInstances('1.2.3', soon());

  expect(archive.asked.filter((path) => path.includes('elsewhere'))).toEqual([]);
  await expect(unknown).rejects.toThrow('The FHIR server does not have this study.');
});

test('the configured WADO endpoint takes precedence over the endpoint that the server names', async () => {
  const namedStudy = imagingStudy(study, { endpoint: [{ reference: 'Endpoint/e1' }] });
  const { base, asked: requestedPaths } = await startFhir(() =>
    bundle([namedStudy, endpointAt('http://127.0.0.1:1/')]),
  );
  const source = sourceAt(base, { wadoEndpoint: archive.url, qidoEndpoint: archive.url });

  const { instances } = await source.listInstances(study, soon());

  expect(instances).toHaveLength(3);
  expect(requestedPaths).toEqual([]);
});

test('refuses an answer with too many brackets before its parsing delays other requests', async () => {
  const { base } = await startFhir(() => ({
    resourceType: 'Bundle',
    entry: Array.from({ length: 500_000 }, () => ({})),
  }));

  const searching = sourceAt(base).searchStudies(noKeys, 100, soon());

  await expect(searching).rejects.toMatchObject({
    remoteCause: 'WRONG_SERVICE',
    message: expect.stringContaining('The answer has too many values'),
  });
});

test('other requests run while a long answer is read', async () => {
  const entry = { resource: { resourceType: 'ImagingStudy', identifier: [{ value: `urn:oid:${study}` }] } };
  const { base } = await startFhir(() => ({ resourceType: 'Bundle', entry: Array.from({ length: 500 }, () => entry) }));
  let turns = 0;
  let isRead = false;
  const takeTurn = () => {
    turns += 1;
    if (!isRead) setImmediate(takeTurn);
  };
  takeTurn();

  const { studies } = await sourceAt(base).searchStudies(noKeys, 600, soon());
  isRead = true;

  expect(studies.length).toBe(500);
  expect(turns).toBeGreaterThan(500);
});
