import { textOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { worklistSteps } from '#test/worklist-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { order, ask, everything, accessionNumbers } = worklistSteps(world, gateway);

test('worklist keys match as the standard requires', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  await order(tenant, { accession_number: 'A-1', patient: { patient_id: 'P-1', patient_name: 'Doe^Jane' } });
  await order(tenant, {
    accession_number: 'A-2',
    modality: 'MR',
    scheduled_at: '2126-11-24T15:00:00',
    patient: { patient_id: 'P_1', patient_name: 'Roe^Richard' },
  });
  const inStep = (keys: Elements): Elements => ({ ...everything, ScheduledProcedureStepSequence: [keys] });
  const questions: [Elements, string[]][] = [
    [{ ...everything, PatientName: 'DOE^*' }, ['A-1']],
    [{ ...everything, PatientName: 'Jane' }, []],
    [{ ...everything, PatientID: 'P_1' }, ['A-2']],
    [{ ...everything, PatientID: 'P?1' }, ['A-1', 'A-2']],
    [{ ...everything, AccessionNumber: 'A-2' }, ['A-2']],
    [{ ...everything, RequestedProcedureID: 'A-1' }, ['A-1']],
    [inStep({ Modality: 'MR' }), ['A-2']],
    [inStep({ ScheduledProcedureStepStartDate: '21261124' }), ['A-2']],
    [inStep({ ScheduledProcedureStepStartDate: '-21261123' }), ['A-1']],
    [inStep({ ScheduledProcedureStepStartTime: '0800-0900' }), ['A-1']],
    [inStep({ ScheduledProcedureStepStartTime: '15' }), ['A-2']],
    [inStep({ ScheduledProcedureStepStartTime: '08:00-09:00' }), ['A-1']],
    [inStep({ ScheduledProcedureStepStartTime: '08:30:00-15:00' }), ['A-1', 'A-2']],
    [inStep({ ScheduledProcedureStepStartTime: '-08:30' }), ['A-1']],
    [inStep({ ScheduledStationAETitle: 'CT9' }), ['A-1', 'A-2']],
  ];

  for (const [keys, expected] of questions) {
    const { items } = await ask(titles, keys);
    expect({ keys, found: accessionNumbers(items) }).toEqual({ keys, found: expected });
  }
});

test('the response of the worklist says when a key was not used for matching', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  await order(tenant);
  const statusesFor = async (step: Elements, more: Elements = {}) =>
    (await ask(titles, { ...everything, ...more, ScheduledProcedureStepSequence: [step] })).pending;

  expect(await statusesFor({ Modality: 'CT', ScheduledStationAETitle: 'CT9' }, { PatientWeight: [] })).toEqual([
    0xff00,
  ]);
  expect(await statusesFor({ ScheduledPerformingPhysicianName: 'Moreau*' })).toEqual([0xff01]);
  expect(await statusesFor({}, { PatientBirthDate: '19700228' })).toEqual([0xff01]);
});

test('a date range and a time range together are one range (PS3.4 Table K.6-1)', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  const moments = ['22T12:00:00', '23T21:30:00', '24T02:00:00', '24T12:00:00', '25T07:15:00'];
  for (const moment of moments) await order(tenant, { accession_number: moment, scheduled_at: `2126-11-${moment}` });
  const accessionNumbersFor = async (
    ScheduledProcedureStepStartDate: string,
    ScheduledProcedureStepStartTime: string,
  ) => {
    const step = { ScheduledProcedureStepStartDate, ScheduledProcedureStepStartTime };
    const { items } = await ask(titles, { ...everything, ScheduledProcedureStepSequence: [step] });
    return accessionNumbers(items);
  };

  expect(await accessionNumbersFor('21261123-', '2000-')).toEqual(moments.slice(1));
  expect(await accessionNumbersFor('21261123-21261124', '2000-0600')).toEqual(moments.slice(1, 3));
  expect(await accessionNumbersFor('-21261124', '-1200')).toEqual(moments.slice(0, 4));
  expect(await accessionNumbersFor('21261124', '0000-0600')).toEqual(moments.slice(2, 3));
  expect(await accessionNumbersFor('21261122-21261124', '12')).toEqual([moments[0], moments[3]]);
  expect(await accessionNumbersFor('', '0700-0800')).toEqual(moments.slice(4));
});

test.each(['ΠΑΠΑΔΟΠΟΥΛΟΣ^ΝΙΚΟΣ', 'İBRAHİM^ALİ', 'Yamada^Tarou=山田^太郎'])(
  'the worklist finds a patient by name and ID in any script: %s',
  async (patient_name) => {
    const tenant = await world.newTenant();
    const titles = await addDevice(world, tenant);
    await order(tenant, { patient: { patient_name, patient_id: patient_name.slice(0, 8) } });
    const [spelling = ''] = patient_name.split('=');

    const byName = await ask(titles, { ...everything, PatientName: spelling });
    const byBeginning = await ask(titles, { ...everything, PatientName: `${spelling.slice(0, 3)}*` });
    const byId = await ask(titles, { ...everything, PatientID: patient_name.slice(0, 8) });

    expect([byName, byBeginning, byId].map(({ items }) => items.length)).toEqual([1, 1, 1]);
  },
);

test.each([
  ['ISO_IR 100', 'Müller^Zoë', 'ISO_IR 100'],
  ['ISO 2022 IR 100', 'Müller^Zoë', 'ISO_IR 100'],
  ['ISO_IR 144', 'Иванов^Иван', 'ISO_IR 144'],
  ['ISO_IR 126', 'Παπαδόπουλος^Νίκος', 'ISO_IR 126'],
  ['ISO_IR 148', 'Yılmaz^Çiğdem', 'ISO_IR 148'],
  ['ISO_IR 100', 'Łukasz^Zoë', 'ISO_IR 192'],
  ['ISO_IR 13', 'Müller^Zoë', 'ISO_IR 192'],
  [[], 'Müller^Zoë', 'ISO_IR 192'],
  ['ISO_IR 100', 'Doe^Jane', undefined],
])(
  'a worklist query in %s for %s is answered in its own character set if possible',
  async (SpecificCharacterSet, patient_name, answered) => {
    const tenant = await world.newTenant();
    const titles = await addDevice(world, tenant);
    await order(tenant, { patient: { patient_id: 'P-1', patient_name } });
    const step = { ScheduledProcedureStepDescription: [] };

    const { items } = await ask(titles, {
      SpecificCharacterSet,
      PatientName: [],
      PatientID: [],
      ScheduledProcedureStepSequence: [step],
    });

    expect(items.map((item) => textOf(item, 'PatientName'))).toEqual([patient_name]);
    expect(items.map((item) => textOf(item, 'SpecificCharacterSet'))).toEqual([answered]);
  },
);

test('the worklist finds a name without its accents and with empty components', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  await order(tenant, { accession_number: 'A-1', patient: { patient_id: 'P-1', patient_name: 'Núñez^José' } });
  await order(tenant, { accession_number: 'A-2', patient: { patient_id: 'P-2', patient_name: 'Nunes^Jose' } });
  const accessionNumbersFor = async (PatientName: string) =>
    accessionNumbers((await ask(titles, { ...everything, PatientName })).items);

  expect(await accessionNumbersFor('NUNEZ^JOSE')).toEqual(['A-1']);
  expect(await accessionNumbersFor('Núñez^José^^^')).toEqual(['A-1']);
  expect(await accessionNumbersFor('NUNE?^J*')).toEqual(['A-1', 'A-2']);
  expect(await accessionNumbersFor('NUNEZ')).toEqual([]);
});

test('identifiers that differ only in case belong to different patients and orders', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  await order(tenant, { accession_number: 'ab-1', patient: { patient_id: 'p1', patient_name: 'Doe^Jane' } });
  await order(tenant, { accession_number: 'AB-1', patient: { patient_id: 'P1', patient_name: 'Roe^Richard' } });
  const accessionNumbersFor = async (keys: Elements) =>
    accessionNumbers((await ask(titles, { ...everything, ...keys })).items);

  expect(await accessionNumbersFor({ PatientID: 'p1' })).toEqual(['ab-1']);
  expect(await accessionNumbersFor({ PatientID: 'P*' })).toEqual(['AB-1']);
  expect(await accessionNumbersFor({ AccessionNumber: 'AB-1' })).toEqual(['AB-1']);
  expect(await accessionNumbersFor({ AccessionNumber: 'ab-?' })).toEqual(['ab-1']);
});

test('the worklist finds an order by the Patient ID that its patient had before a merge', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  const { patientId } = await order(tenant, { patient: { patient_id: 'P-1', patient_name: 'Doe^Jane' } });
  await order(tenant, { accession_number: 'A-9', patient: { patient_id: 'P-9', patient_name: 'Roe^Richard' } });
  const former = { id: newId(), patient_id: 'E-1', patient_name: 'Unknown^One', merged_into: patientId };
  await world.inTenant(tenant, ({ db }) => db.insertInto('patients').values(former).execute());
  const patientsFor = async (PatientID: string) => {
    const { items } = await ask(titles, { ...everything, PatientID });
    return items.map((item) => `${textOf(item, 'PatientID')} ${textOf(item, 'PatientName')}`);
  };

  expect(await patientsFor('E-1')).toEqual(['P-1 Doe^Jane']);
  expect(await patientsFor('P-1')).toEqual(['P-1 Doe^Jane']);
  expect(await patientsFor('E-?')).toEqual(['P-1 Doe^Jane']);
});
