import type { DicomJson } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { partsOf, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const ask = (person: Person, address: string, accept?: string) =>
  person.request({ method: 'GET', url: encodeURI(`/dicom-web${address}`), headers: { ...(accept && { accept }) } });

const results = async (person: Person, address: string): Promise<DicomJson[]> => (await ask(person, address)).json();

const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];

const fill = async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({
      StudyInstanceUID,
      SeriesInstanceUID,
      PatientID: 'P-1',
      PatientName: 'Doe^Jane',
      PatientAge: '056Y',
      Manufacturer: 'Acme',
      ImageComments: 'sharp',
    }),
    image({ PatientID: 'P-1', PatientName: 'Doe^Jane', StudyDate: '20200101' }),
  );
  return person;
};

test('a search returns the fields that the request names, by keyword or tag, in one parameter or in several', async () => {
  const person = await fill();

  const [study] = await results(person, '/studies?includefield=PatientAge,SOPClassesInStudy&includefield=00201200');
  const [series] = await results(person, `/studies/${StudyInstanceUID}/series?includefield=Manufacturer,PatientName`);
  const [instance] = await results(person, `/studies/${StudyInstanceUID}/instances?includefield=00204000`);

  expect(study).toMatchObject({
    '00101010': { vr: 'AS', Value: ['056Y'] },
    '00080062': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.2'] },
    '00201200': { vr: 'IS', Value: [2] },
    '00201202': { vr: 'IS', Value: [2] },
    '00201204': { vr: 'IS', Value: [2] },
  });
  expect(series).toMatchObject({
    '00080070': { Value: ['Acme'] },
    '00100010': { Value: [{ Alphabetic: 'Doe^Jane' }] },
  });
  expect(instance).toMatchObject({ '00204000': { vr: 'LT', Value: ['sharp'] } });
});

test('a search leaves out unknown fields and fields of a lower level', async () => {
  const person = await fill();

  const [plain] = await results(person, '/studies');
  const [withFields] = await results(person, '/studies?includefield=Manufacturer,ImageComments,Nonsense');

  expect(withFields).toEqual(plain);
});

test('a search returns all fields of a study, series or instance on request', async () => {
  const person = await fill();

  const [study] = await results(person, '/studies?includefield=all');
  const [series] = await results(person, `/studies/${StudyInstanceUID}/series?includefield=all`);
  const [instance] = await results(person, `/studies/${StudyInstanceUID}/instances?includefield=all`);

  expect(Object.keys(study ?? {})).toEqual(expect.arrayContaining(['00080062', '00101010', '00201200']));
  expect(Object.keys(series ?? {})).toEqual(expect.arrayContaining(['00080070', '00100010', '00101010']));
  expect(Object.keys(instance ?? {})).toEqual(expect.arrayContaining(['00080070', '00100010', '00204000', '00280010']));
  expect(instance).not.toHaveProperty('7FE00010');
});

test('a search returns patient data of the archive record, even if a file differs', async () => {
  const person = await fill();
  await person.inScope(({ db }) => db.updateTable('patients').set({ patient_name: 'Roe^Jane' }).execute());

  const [instance] = await results(person, `/studies/${StudyInstanceUID}/instances?includefield=all`);

  expect(instance).toMatchObject({ '00100010': { Value: [{ Alphabetic: 'Roe^Jane' }] } });
});

test('a search returns the request attributes of an instance as in its file, named by tag or keyword', async () => {
  const person = await world.signIn();
  const request = {
    RequestedProcedureID: 'R-1',
    ScheduledProcedureStepID: 'S-1',
    RequestedProcedureDescription: 'Head',
  };
  await storeAs(person, image({ RequestAttributesSequence: [request] }));
  const requestItem = {
    '00321060': { Value: ['Head'] },
    '00401001': { Value: ['R-1'] },
    '00400009': { Value: ['S-1'] },
  };

  const [withFields] = await results(person, '/instances?includefield=00400275.00321060');
  const [all] = await results(person, '/instances?includefield=all');
  const [plain] = await results(person, '/series');

  expect(withFields).toMatchObject({ '00400275': { vr: 'SQ', Value: [requestItem] } });
  expect(all).toMatchObject({ '00400275': { vr: 'SQ', Value: [requestItem] } });
  expect(plain).toMatchObject({ '00400275': { Value: [{ '00401001': { Value: ['R-1'] } }] } });
});

test('a search omits data of the former patient from the files of a moved study', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({
      StudyInstanceUID,
      PatientID: 'P-1',
      PatientName: 'Doe^Jane',
      PatientAge: '056Y',
      OtherPatientNames: 'Doe^Janie',
      PatientComments: 'needs a chaperone',
      Manufacturer: 'Acme',
    }),
    image({ PatientID: 'P-2', PatientName: 'Roe^Richard', PatientSex: 'M' }),
  );
  await person.inScope(async ({ db }) => {
    const namedPatient = await db
      .selectFrom('patients')
      .select('id')
      .where('patient_id', '=', 'P-1')
      .executeTakeFirst();
    const other = await db.selectFrom('patients').select('id').where('patient_id', '=', 'P-2').executeTakeFirst();
    await db
      .updateTable('studies')
      .set({ patient_id: other?.id ?? '', named_patient_id: namedPatient?.id ?? '' })
      .where('study_instance_uid', '=', StudyInstanceUID)
      .execute();
  });
  const allFields = 'includefield=all';

  const study = (await results(person, `/studies?StudyInstanceUID=${StudyInstanceUID}&${allFields}`))[0];
  const series = (await results(person, `/studies/${StudyInstanceUID}/series?${allFields}`))[0];
  const instance = (await results(person, `/studies/${StudyInstanceUID}/instances?${allFields}`))[0];

  for (const result of [study, series, instance]) {
    const ofPatient = Object.keys(result ?? {}).filter((tag) => tag.startsWith('0010'));
    expect(ofPatient).toEqual(['00100010', '00100020', '00100021', '00100030', '00100040']);
    expect(result).toMatchObject({ '00100010': { Value: [{ Alphabetic: 'Roe^Richard' }] } });
  }
  expect(instance).toMatchObject({ '00080070': { Value: ['Acme'] } });
});

test('a series result includes its study, and an instance result its series, unless the path names them', async () => {
  const person = await fill();
  const accessionNumber = '00080050';
  const modality = '00080060';

  const [series] = await results(person, '/series');
  const [ofStudy] = await results(person, `/studies/${StudyInstanceUID}/series`);
  const [instance] = await results(person, '/instances');
  const [ofSeries] = await results(person, `/studies/${StudyInstanceUID}/series/${SeriesInstanceUID}/instances`);

  expect(series).toHaveProperty([accessionNumber]);
  expect(ofStudy).not.toHaveProperty([accessionNumber]);
  expect(instance).toMatchObject({ [accessionNumber]: expect.anything(), [modality]: expect.anything() });
  expect(ofSeries).not.toHaveProperty([modality]);
  expect(ofSeries).toMatchObject({
    '0020000E': { Value: [SeriesInstanceUID] },
    '0020000D': { Value: [StudyInstanceUID] },
  });
});

test('search results list attributes in tag order', async () => {
  const person = await world.signIn();
  await storeAs(person, image({ StructureSetLabel: 'A', RTPlanLabel: 'B' }));

  const { body } = await ask(person, '/instances?includefield=all');

  const tags = Array.from(body.matchAll(/"([\dA-F]{8})":\{"vr"/g), ([, tag]) => tag);
  expect(tags).toEqual(expect.arrayContaining(['00080016', '30060002', '300A0002']));
  expect(tags).toEqual(tags.toSorted((one = '', other = '') => (one < other ? -1 : 1)));
});

test('sends results as DICOM JSON, plain JSON or XML parts, as the client prefers', async () => {
  const person = await fill();
  const xml = 'multipart/related; type="application/dicom+xml"';

  const usual = await ask(person, '/studies');
  const json = await ask(person, '/studies', 'application/json');
  const parts = await ask(person, '/studies', xml);
  const byQuery = await ask(person, '/studies?accept=application/json', xml);
  const byQueryAsItIs = await ask(person, '/studies?accept=application/dicom+json', 'application/json');
  const nothing = await ask(person, '/studies?PatientID=nobody', xml);
  const refused = await ask(person, '/studies', 'multipart/related; type="application/dicom"');

  expect(usual.headers['content-type']).toBe('application/dicom+json');
  expect(json.headers['content-type']).toBe('application/json');
  expect(byQuery.headers['content-type']).toBe('application/json');
  expect(byQueryAsItIs.headers['content-type']).toBe('application/dicom+json');
  const [first, ...others] = await partsOf(parts);
  expect(others).toHaveLength(1);
  expect(first?.contentType).toBe('application/dicom+xml');
  expect(first?.body.toString()).toContain(
    '<DicomAttribute tag="00100020" vr="LO" keyword="PatientID"><Value number="1">P-1<',
  );
  expect([nothing.statusCode, nothing.body]).toEqual([204, '']);
  expect(refused.statusCode).toBe(406);
});
