import type { DicomJson } from '@radwork/dicom/dataset';
import { textOf } from '@radwork/dicom/dataset';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** Runs a search. The parameters are written as in a URL. */
const ask = (person: Person, address: string) =>
  person.request({ method: 'GET', url: encodeURI(`/dicom-web${address}`) });

const matchesOf = async (person: Person, address: string, keyword = 'AccessionNumber') => {
  const results: DicomJson[] = (await ask(person, address)).json();
  return results.map((result) => textOf(result, keyword));
};

test('matches each spelling of a name regardless of case and accents', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ AccessionNumber: 'A', PatientName: 'Müller^Jörg', StudyDate: '20260103' }),
    image({ AccessionNumber: 'B', PatientName: 'MULLER^Jorg^^^', StudyDate: '20260102' }),
    image({ AccessionNumber: 'C', PatientName: 'Hong^Gildong=洪^吉洞=홍^길동', StudyDate: '20260101' }),
  );

  expect(await matchesOf(person, '/studies?PatientName=müller^jorg')).toEqual(['A', 'B']);
  expect(await matchesOf(person, '/studies?PatientName=MUL*')).toEqual(['A', 'B']);
  expect(await matchesOf(person, '/studies?PatientName=홍^길?')).toEqual(['C']);
  expect(await matchesOf(person, '/studies?PatientName=洪*')).toEqual(['C']);
  expect(await matchesOf(person, '/studies?PatientName=ong*')).toEqual([]);
});

test('finds each study once by the start of any name spelling, with or without the given name', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ AccessionNumber: 'A', PatientName: 'Yamada^Tarou=山田屋^太郎=やまだや^たろう', StudyDate: '20260104' }),
    image({ AccessionNumber: 'B', PatientName: '=山田屋^花子=Yamada', StudyDate: '20260103' }),
    image({ AccessionNumber: 'C', PatientName: 'YAMADA=yamada', StudyDate: '20260102' }),
    image({ AccessionNumber: 'D', PatientName: 'Yam%da_^Ö', StudyDate: '20260101' }),
  );

  expect(await matchesOf(person, '/studies?PatientName=yama*')).toEqual(['A', 'B', 'C']);
  expect(await matchesOf(person, '/studies?PatientName=山田屋*')).toEqual(['A', 'B']);
  expect(await matchesOf(person, '/studies?PatientName=やまだや^*')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?PatientName=Yamada^*')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?PatientName=yam%da_*')).toEqual(['D']);
  expect(await matchesOf(person, '/studies?PatientName=yam%da_^o*')).toEqual(['D']);
  expect(await matchesOf(person, '/studies?PatientName=yama*&limit=2')).toEqual(['A', 'B']);
  expect(await matchesOf(person, '/studies?PatientName=yama*&offset=1')).toEqual(['B', 'C']);
});

test('ignores empty spellings in a key, so a key with only empty spellings matches all names', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ AccessionNumber: 'A', PatientName: 'Yamada^Tarou=山田^太郎', StudyDate: '20260102' }),
    image({ AccessionNumber: 'B', PatientName: 'Doe', StudyDate: '20260101' }),
  );

  for (const name of [
    '==山*',
    '=山田^太郎',
    'Yamada^Tarou=',
    'yamada^tarou==',
    'Yamada*=*',
    '*=山田*',
    'Yamada^Tarou=*=*',
  ])
    expect({ name, found: await matchesOf(person, `/studies?PatientName=${name}`) }).toEqual({ name, found: ['A'] });
  expect(await matchesOf(person, '/studies?PatientName==山田&fuzzymatching=true')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?PatientName=Doe=')).toEqual(['B']);
  for (const name of ['==', '=*', '*=*='])
    expect({ name, found: await matchesOf(person, `/studies?PatientName=${name}`) }).toEqual({
      name,
      found: ['A', 'B'],
    });
});

test('finds names with a final sigma or a dotless i in any case', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({
      AccessionNumber: 'A',
      PatientName: 'Παπαδόπουλος^Γιώργος',
      ReferringPhysicianName: 'Ηλίας',
      StudyDate: '20260102',
    }),
    image({ AccessionNumber: 'B', PatientName: 'Işık^Ayşe', StudyDate: '20260101' }),
  );

  for (const name of ['ΠΑΠΑΔΟΠΟΥΛΟΣ*', 'παπαδοπουλος^*', 'ΠΑΠΑΔΟΠΟΥΛΟΣ^ΓΙΩΡΓΟΣ', '*ΓΙΩΡΓΟΣ', 'Παπαδόπουλοσ*'])
    expect({ name, found: await matchesOf(person, `/studies?PatientName=${name}`) }).toEqual({ name, found: ['A'] });
  expect(await matchesOf(person, '/studies?ReferringPhysicianName=ΗΛΙΑΣ')).toEqual(['A']);
  for (const name of ['IŞIK*', 'ışık*', 'isik^ayse'])
    expect({ name, found: await matchesOf(person, `/studies?PatientName=${name}`) }).toEqual({ name, found: ['B'] });
});

test('text between wildcards matches only with the same accents', async () => {
  const person = await world.signIn();
  await storeAs(person, image({ AccessionNumber: 'É^77=ς', StudyDescription: 'CT Schädel nativ' }));

  for (const query of ['StudyDescription=*Schädel*', 'StudyDescription=CT Sch?del*', 'AccessionNumber=É^77=*'])
    expect({ query, found: await matchesOf(person, `/studies?${query}`) }).toEqual({ query, found: ['É^77=ς'] });
  expect(await matchesOf(person, '/studies?AccessionNumber=*^77=ς')).toEqual(['É^77=ς']);
  for (const query of ['StudyDescription=*Schadel*', 'StudyDescription=*schädel*', 'AccessionNumber=E^77=*'])
    expect({ query, found: await matchesOf(person, `/studies?${query}`) }).toEqual({ query, found: [] });
});

test('ignores spaces around a value, also next to a wildcard', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ AccessionNumber: 'A', StudyDescription: 'CT Chest', StudyDate: '20260102' }),
    image({ AccessionNumber: 'B', StudyDescription: 'Chest CT', StudyDate: '20260101' }),
  );

  expect(await matchesOf(person, '/studies?StudyDescription= CT Chest ')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?StudyDescription=*Chest ')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?StudyDescription=  Chest*')).toEqual(['B']);
  expect(await matchesOf(person, '/studies?StudyDescription=Chest *')).toEqual(['B']);
});

test('a description with a backslash is one value, found by its second part and returned complete', async () => {
  const person = await world.signIn();
  const description = 'CT Chest\\T\\Abdomen';
  await storeAs(
    person,
    image({ AccessionNumber: 'A', StudyDescription: description, SeriesDescription: 'Axial\\2 mm' }),
  );

  expect(await matchesOf(person, '/studies?StudyDescription=*Abdomen', 'StudyDescription')).toEqual([description]);
  expect(await matchesOf(person, `/studies?StudyDescription=${description}`)).toEqual(['A']);
  expect(await matchesOf(person, '/series?SeriesDescription=*2 mm', 'SeriesDescription')).toEqual(['Axial\\2 mm']);
});

test('a fuzzy search finds the words of a name in any order, by their beginnings', async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ AccessionNumber: 'A', PatientName: "O'Hara-Núñez^Maria José" }),
    image({ AccessionNumber: 'B', PatientName: 'Marian^Josefa' }),
  );

  expect(await matchesOf(person, '/studies?PatientName=jose nunez&fuzzymatching=true')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?PatientName=jose nunez&fuzzymatching=false')).toEqual([]);
  expect(await matchesOf(person, '/studies?PatientName=*arian*&fuzzymatching=true')).toEqual(['B']);
  expect(await matchesOf(person, '/studies?PatientName=%&fuzzymatching=true')).toEqual([]);
  expect(await matchesOf(person, '/studies?PatientName=**&fuzzymatching=true')).toHaveLength(2);
});

test('matches IDs case-sensitively, because two IDs that differ only in case may belong to two people', async () => {
  const person = await world.signIn();
  await storeAs(person, image({ AccessionNumber: 'A-77b', PatientID: 'p-1', StudyID: 's1' }));

  expect(await matchesOf(person, '/studies?PatientID=P-1')).toEqual([]);
  expect(await matchesOf(person, '/studies?PatientID=p-1')).toEqual(['A-77b']);
  expect(await matchesOf(person, '/studies?PatientID=p*')).toEqual(['A-77b']);
  expect(await matchesOf(person, '/studies?AccessionNumber=A-77B')).toEqual([]);
  expect(await matchesOf(person, '/studies?AccessionNumber=*77?')).toEqual(['A-77b']);
  expect(await matchesOf(person, '/studies?StudyID=s1')).toEqual(['A-77b']);
  expect(await matchesOf(person, '/studies?StudyID=S1')).toEqual([]);
});

test('finds a study by time, and by date and time combined into one range', async () => {
  const person = await world.signIn();
  const at = (AccessionNumber: string, StudyDate: string, StudyTime: string) =>
    image({ AccessionNumber, StudyDate, StudyTime });
  await storeAs(person, at('1', '20260101', '080000'), at('2', '20260102', '235959'), at('3', '20260103', '093015'));

  expect(await matchesOf(person, '/studies?StudyTime=09')).toEqual(['3']);
  expect(await matchesOf(person, '/studies?StudyTime=0930')).toEqual(['3']);
  expect(await matchesOf(person, '/studies?StudyTime=-0930')).toEqual(['3', '1']);
  expect(await matchesOf(person, '/studies?StudyTime=09:30:16-')).toEqual(['2']);
  expect(await matchesOf(person, '/studies?StudyDate=20260101-20260103&StudyTime=0900-0930')).toEqual(['3', '2']);
  expect(await matchesOf(person, '/studies?StudyDate=20260101-20260103&StudyTime=08')).toEqual(['1']);
  expect(await matchesOf(person, '/studies?StudyDate=20260103&StudyTime=0930-')).toEqual(['3']);
  expect(await matchesOf(person, '/studies?00080020=-20260101&00080030=')).toEqual(['1']);
});

test('a study whose time is unknown matches its day but no time, and its result has no time', async () => {
  const person = await world.signIn();
  const at = (AccessionNumber: string, StudyTime: string) =>
    image({
      AccessionNumber,
      StudyDate: '20260105',
      StudyTime,
      PerformedProcedureStepStartDate: '20260105',
      PerformedProcedureStepStartTime: StudyTime,
    });
  await storeAs(person, at('EMPTY', ''), at('ODD', 'noon'), at('MIDNIGHT', '000000'));

  const timesAt = async (address: string, keyword: string) => {
    const results: DicomJson[] = (await ask(person, address)).json();
    return new Map(results.map((result) => [textOf(result, 'AccessionNumber'), textOf(result, keyword)]));
  };
  const times = new Map([
    ['EMPTY', undefined],
    ['ODD', undefined],
    ['MIDNIGHT', '000000'],
  ]);
  expect(await timesAt('/studies', 'StudyTime')).toEqual(times);
  expect(await timesAt('/series', 'PerformedProcedureStepStartTime')).toEqual(times);
  expect(new Set(await matchesOf(person, '/studies?StudyDate=20260105'))).toEqual(new Set(times.keys()));
  expect(await matchesOf(person, '/studies?StudyTime=0000')).toEqual(['MIDNIGHT']);
  expect(await matchesOf(person, '/studies?StudyTime=-12')).toEqual(['MIDNIGHT']);
  expect(await matchesOf(person, '/studies?StudyDate=20260105&StudyTime=0000-0100')).toEqual(['MIDNIGHT']);
  expect(await matchesOf(person, '/studies?PatientName=*a*&StudyTime=0000')).toEqual(['MIDNIGHT']);
  expect(await matchesOf(person, '/series?PerformedProcedureStepStartTime=00')).toEqual(['MIDNIGHT']);
});

test('finds studies by patient, SOP class and part of a modality', async () => {
  const person = await world.signIn();
  const born = { PatientBirthDate: '19700101', PatientSex: 'F', IssuerOfPatientID: 'North' };
  const document = '1.2.840.10008.5.1.4.1.1.104.1';
  await storeAs(
    person,
    image({ AccessionNumber: 'A', Modality: 'CT', ...born }),
    image({ AccessionNumber: 'B', Modality: 'DOC', SOPClassUID: document, PatientBirthDate: '19801231' }),
  );

  expect(await matchesOf(person, '/studies?PatientBirthDate=19700101')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?PatientBirthDate=19800101-&PatientSex=O')).toEqual(['B']);
  expect(await matchesOf(person, '/studies?IssuerOfPatientID=North')).toEqual(['A']);
  expect(await matchesOf(person, `/studies?SOPClassesInStudy=${document}`)).toEqual(['B']);
  expect(await matchesOf(person, '/studies?ModalitiesInStudy=C?')).toEqual(['A']);
  expect(await matchesOf(person, '/studies?ModalitiesInStudy=DOC\\XA')).toEqual(['B']);
  expect(await matchesOf(person, '/studies?ModalitiesInStudy=MR&ModalitiesInStudy=DOC')).toEqual(['B']);
});

test('finds series by performed procedure step and by request attributes', async () => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  const study = { StudyInstanceUID, PatientID: 'P' };
  const request = (step: string, procedure: string) => ({
    ScheduledProcedureStepID: step,
    RequestedProcedureID: procedure,
  });
  const performed = { PerformedProcedureStepStartDate: '20260401', PerformedProcedureStepStartTime: '121500' };
  await storeAs(
    person,
    image({
      ...study,
      ...performed,
      SeriesNumber: 1,
      RequestAttributesSequence: [request('S-1', 'R-1'), request('S-2', 'R-2')],
    }),
    image({ ...study, SeriesNumber: 2 }),
  );
  const numbers = (query: string) => matchesOf(person, `/studies/${StudyInstanceUID}/series?${query}`, 'SeriesNumber');

  expect(await numbers('RequestAttributesSequence.ScheduledProcedureStepID=S-2')).toEqual(['1']);
  expect(await numbers('00400275.00401001=R-?')).toEqual(['1']);
  expect(await numbers('00400275.00400009=S-1&00400275.00401001=R-1')).toEqual(['1']);
  expect(await numbers('00400275.00400009=S-1&00400275.00401001=R-2')).toEqual([]);
  expect(await numbers('PerformedProcedureStepStartDate=20260401')).toEqual(['1']);
  expect(await numbers('PerformedProcedureStepStartTime=1300-')).toEqual([]);
  const [first] = (await ask(person, `/studies/${StudyInstanceUID}/series`)).json();
  expect(first).toMatchObject({
    '00400244': { vr: 'DA', Value: ['20260401'] },
    '00400245': { vr: 'TM', Value: ['121500'] },
    '00400275': {
      vr: 'SQ',
      Value: [
        { '00400009': { vr: 'SH', Value: ['S-1'] }, '00401001': { vr: 'SH', Value: ['R-1'] } },
        { '00400009': { vr: 'SH', Value: ['S-2'] }, '00401001': { vr: 'SH', Value: ['R-2'] } },
      ],
    },
  });
});

test('finds instances by SOP class and instance number, also in the whole archive', async () => {
  const person = await world.signIn();
  const document = '1.2.840.10008.5.1.4.1.1.104.1';
  await storeAs(
    person,
    image({ InstanceNumber: 7, SeriesNumber: 2_147_483_647 }),
    image({ InstanceNumber: 8, SOPClassUID: document }),
  );

  expect(await matchesOf(person, '/instances?InstanceNumber=7', 'InstanceNumber')).toEqual(['7']);
  expect(await matchesOf(person, `/instances?SOPClassUID=${document}`, 'InstanceNumber')).toEqual(['8']);
  expect(await matchesOf(person, '/instances?Modality=CT&InstanceNumber=08', 'InstanceNumber')).toEqual(['8']);
  expect(await matchesOf(person, '/series?SeriesNumber=2147483647', 'SeriesNumber')).toEqual(['2147483647']);
  expect(await matchesOf(person, '/series?SeriesNumber=-9999999999', 'SeriesNumber')).toEqual([]);
});

test('refuses an invalid key value and names the key and the valid form', async () => {
  const person = await world.signIn();
  const refused = [
    ['/studies?StudyTime=2460', 'StudyTime is not a time such as 101500, or a range such as 101500-113000'],
    ['/studies?StudyTime=10-11-12', 'StudyTime is not a time such as 101500, or a range such as 101500-113000'],
    ['/studies?StudyDate=today', 'StudyDate is not a date such as 20261121, or a range such as 20261101-20261121'],
    [
      '/studies?PatientBirthDate=x',
      'PatientBirthDate is not a date such as 19700101, or a range such as 19700101-19791231',
    ],
    ['/studies?PatientID=1&PatientID=2', 'PatientID appears more than once'],
    ['/studies?PatientID=1&00100020=2', 'PatientID appears more than once'],
    ['/studies?Modality=CT&ModalitiesInStudy=MR', 'ModalitiesInStudy appears more than once'],
    ['/studies?fuzzymatching=maybe', 'fuzzymatching must be true or false'],
    ['/instances?InstanceNumber=1.5', 'InstanceNumber is not a whole number'],
    ['/instances?SOPClassUID=CT', 'SOPClassUID is not a UID or a list of UIDs'],
    ['/studies?offset=-1', 'offset is not a whole number'],
  ];

  for (const [address = '', message] of refused) {
    const answer = await ask(person, address);

    expect(answer.json()).toMatchObject({ code: 400, message });
  }
});

test('refuses a search that is not UTF-8, because it would miss names with non-ASCII letters', async () => {
  const person = await world.signIn();
  await storeAs(person, image({ AccessionNumber: 'A', PatientName: 'Müller^100%' }));
  const searchByName = (name: string) =>
    person.request({ method: 'GET', url: `/dicom-web/studies?PatientName=${name}` });

  const answer = await searchByName('M%FCller*');

  expect(answer.json()).toMatchObject({ code: 400, message: 'The search must be encoded in UTF-8' });
  expect((await searchByName('M%C3%BCller*')).json()).toHaveLength(1);
  expect((await searchByName('M%C3%BCller%5e100%25')).json()).toHaveLength(1);
});
