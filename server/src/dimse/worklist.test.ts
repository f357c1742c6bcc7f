import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import type { Elements } from '@radwork/dicom/part10';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { systemSession } from '#core/scope.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { letIn, listenForDevices, type Titles } from '#test/device.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Tenant } from '#test/world.ts';
import { commandField } from './command-set.ts';
import { readIdentifier, writeIdentifier } from './identifier.ts';
import { readWhole } from './association.ts';
import { contextOf, inAssociation } from './open-association.ts';
import { modalityWorklistFind } from './uids.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);

/** An order of days to come: what is past is sent last. */
const order = (tenant: Tenant, differences: Parameters<typeof addStudy>[1] = {}) =>
  world.inTenant(tenant, (scope) =>
    addStudy(scope, {
      seriesModalities: [],
      modality: 'CT',
      scheduled_at: '2126-11-23T08:30:00',
      accession_number: 'A-100',
      procedure_description: 'CT Abdomen',
      procedure_code: 'CTABD',
      priority: 'URGENT',
      ordering_physician_name: 'Moreau^Claire',
      ...differences,
    }),
  );

const locate = async (address: string) => ({ address });

/** Asks the worklist as a scanner does, and stops after so many answers. */
const ask = ({ called, calling }: Titles, keys: Elements, stopAfter = Infinity) => {
  const peer = { host: '127.0.0.1', port: gateway.port, calledAeTitle: called, callingAeTitle: calling };
  const wanted = { contexts: [{ abstractSyntax: modalityWorklistFind, transferSyntaxes: ['1.2.840.10008.1.2'] }] };
  return inAssociation(peer, locate, wanted, new AbortController().signal, async (association) => {
    const context = contextOf(association, modalityWorklistFind);
    if (!context) return { items: [], status: undefined };
    const command = {
      CommandField: commandField.find,
      MessageID: 5,
      AffectedSOPClassUID: modalityWorklistFind,
      Priority: 0,
    };
    await association.send(context, command, writeIdentifier(keys, context.transferSyntax));
    const items = [];
    for (;;) {
      const message = await association.receive(10_000);
      if (!message?.dataSet) return { items, status: message?.command.Status, comment: message?.command.ErrorComment };
      items.push(readIdentifier(await readWhole(message.dataSet, 1 << 20), context.transferSyntax));
      if (items.length === stopAfter)
        await association.send(context, { CommandField: commandField.cancel, MessageIDBeingRespondedTo: 5 });
    }
  });
};

const everything = { PatientName: [], AccessionNumber: [], ScheduledProcedureStepSequence: [{}] };
const accessionNumbers = (items: Awaited<ReturnType<typeof ask>>['items']) =>
  items.map((item) => textOf(item, 'AccessionNumber'));

test.skipIf(!hasDcmtk)('a scanner reads the worklist with names as they are written (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const { called, calling } = await letIn(world, tenant);
  const { uid } = await order(tenant, {
    patient: { patient_id: 'P-77', patient_name: 'Yamada^Tarou=山田^太郎', gender: 'M', date_of_birth: '1970-02-28' },
  });
  await order(tenant, { modality: 'MR', accession_number: 'A-101' });
  const folder = await mkdtemp(join(tmpdir(), 'radwork-worklist-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const step = 'ScheduledProcedureStepSequence[0]';
  const keys = [
    'SpecificCharacterSet=ISO_IR 192',
    'PatientName=yamada*',
    'PatientID',
    'PatientBirthDate',
    'PatientSex',
    'StudyInstanceUID',
    'AccessionNumber',
    'RequestedProcedureID',
    'RequestedProcedurePriority',
    'PatientWeight',
    `${step}.Modality=CT`,
    `${step}.ScheduledProcedureStepStartDate=21261101-21261130`,
    `${step}.ScheduledProcedureStepStartTime`,
    `${step}.ScheduledStationAETitle`,
    `${step}.ScheduledProcedureStepDescription`,
  ].flatMap((key) => ['-k', key]);

  const to = ['-aet', calling, '-aec', called, '127.0.0.1', String(gateway.port)];
  const found = await runDcmtk('findscu', '-W', '-X', '-od', folder, ...keys, ...to);

  expect(found).toMatchObject({ status: 0 });
  expect(await readdir(folder)).toHaveLength(1);
  const { output } = await runDcmtk('dcmdump', '+U8', join(folder, 'rsp0001.dcm'));
  for (const value of [
    'Yamada^Tarou=山田^太郎',
    'P-77',
    '19700228',
    uid,
    'A-100',
    'HIGH',
    'CT Abdomen',
    '21261123',
    '083000',
    calling,
    'PatientWeight',
  ]) {
    expect(output).toContain(value);
  }
});

test('the worklist holds orders that are open and have no images, of the own tenant', async () => {
  const [tenant, other] = [await world.newTenant(), await world.newTenant()];
  const titles = await letIn(world, tenant);
  await order(tenant, { accession_number: 'OPEN' });
  await order(tenant, { accession_number: 'ASSIGNED', status: 'ASSIGNED', scheduled_at: '2126-11-22T10:00:00' });
  await order(tenant, { accession_number: 'CANCELLED', status: 'CANCELLED' });
  await order(tenant, { accession_number: 'DELETED', deleted_at: '2026-11-20T00:00:00Z' });
  await order(tenant, { accession_number: 'SCANNED', seriesModalities: ['CT'] });
  await order(other, { accession_number: 'ELSEWHERE' });

  const { items, status } = await ask(titles, everything);

  expect(status).toBe(0);
  expect(accessionNumbers(items)).toEqual(['ASSIGNED', 'OPEN']);
});

test('the keys of the worklist match as the standard says', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
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

test('a range of dates and one of times are one range: what comes from now on, or in this night (PS3.4 Table K.6-1)', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  const moments = ['22T12:00:00', '23T21:30:00', '24T02:00:00', '24T12:00:00', '25T07:15:00'];
  for (const moment of moments) await order(tenant, { accession_number: moment, scheduled_at: `2126-11-${moment}` });
  const found = async (ScheduledProcedureStepStartDate: string, ScheduledProcedureStepStartTime: string) => {
    const step = { ScheduledProcedureStepStartDate, ScheduledProcedureStepStartTime };
    const { items } = await ask(titles, { ...everything, ScheduledProcedureStepSequence: [step] });
    return accessionNumbers(items);
  };

  expect(await found('21261123-', '2000-')).toEqual(moments.slice(1));
  expect(await found('21261123-21261124', '2000-0600')).toEqual(moments.slice(1, 3));
  expect(await found('-21261124', '-1200')).toEqual(moments.slice(0, 4));
  expect(await found('21261124', '0000-0600')).toEqual(moments.slice(2, 3));
  expect(await found('21261122-21261124', '12')).toEqual([moments[0], moments[3]]);
  expect(await found('', '0700-0800')).toEqual(moments.slice(4));
});

test.each(['ΠΑΠΑΔΟΠΟΥΛΟΣ^ΝΙΚΟΣ', 'İBRAHİM^ALİ', 'Yamada^Tarou=山田^太郎'])(
  'a patient is found by the name and the ID that are on record, in any script: %s',
  async (patient_name) => {
    const tenant = await world.newTenant();
    const titles = await letIn(world, tenant);
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
  'a scanner that asks in %s is told of %s in the set that it understands, where that can be said in it',
  async (SpecificCharacterSet, patient_name, answered) => {
    const tenant = await world.newTenant();
    const titles = await letIn(world, tenant);
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

test('a name is found as a scanner types or fills it up, without accents and with empty components', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  await order(tenant, { accession_number: 'A-1', patient: { patient_id: 'P-1', patient_name: 'Núñez^José' } });
  await order(tenant, { accession_number: 'A-2', patient: { patient_id: 'P-2', patient_name: 'Nunes^Jose' } });
  const found = async (PatientName: string) =>
    accessionNumbers((await ask(titles, { ...everything, PatientName })).items);

  expect(await found('NUNEZ^JOSE')).toEqual(['A-1']);
  expect(await found('Núñez^José^^^')).toEqual(['A-1']);
  expect(await found('NUNE?^J*')).toEqual(['A-1', 'A-2']);
  expect(await found('NUNEZ')).toEqual([]);
});

test('identifiers that differ in case are of two people and two orders, of which one is asked for', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  await order(tenant, { accession_number: 'ab-1', patient: { patient_id: 'p1', patient_name: 'Doe^Jane' } });
  await order(tenant, { accession_number: 'AB-1', patient: { patient_id: 'P1', patient_name: 'Roe^Richard' } });
  const found = async (keys: Elements) => accessionNumbers((await ask(titles, { ...everything, ...keys })).items);

  expect(await found({ PatientID: 'p1' })).toEqual(['ab-1']);
  expect(await found({ PatientID: 'P*' })).toEqual(['AB-1']);
  expect(await found({ AccessionNumber: 'AB-1' })).toEqual(['AB-1']);
  expect(await found({ AccessionNumber: 'ab-?' })).toEqual(['ab-1']);
});

test('an order is found by an ID that its patient had before a merge, as it stands on a wristband still', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  const { patientId } = await order(tenant, { patient: { patient_id: 'P-1', patient_name: 'Doe^Jane' } });
  await order(tenant, { accession_number: 'A-9', patient: { patient_id: 'P-9', patient_name: 'Roe^Richard' } });
  const former = { id: newId(), patient_id: 'E-1', patient_name: 'Unknown^One', merged_into: patientId };
  await world.inTenant(tenant, ({ db }) => db.insertInto('patients').values(former).execute());
  const found = async (PatientID: string) => {
    const { items } = await ask(titles, { ...everything, PatientID });
    return items.map((item) => `${textOf(item, 'PatientID')} ${textOf(item, 'PatientName')}`);
  };

  expect(await found('E-1')).toEqual(['P-1 Doe^Jane']);
  expect(await found('P-1')).toEqual(['P-1 Doe^Jane']);
  expect(await found('E-?')).toEqual(['P-1 Doe^Jane']);
});

test('what does not fit is left out or told otherwise, and never cut: two orders must not become one', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  await order(tenant, {
    accession_number: 'RADIOLOGY-2026-000123',
    order_number: 'ORDER\\7',
    procedure_code: 'CT-HEAD-CONTRAST-YES',
    procedure_description: 'Head\\neck',
    patient: { patient_id: 'A\\1', issuer: 'B\\2' },
  });
  const keys = {
    ...everything,
    PatientID: [],
    IssuerOfPatientID: [],
    RequestedProcedureID: [],
    PlacerOrderNumberImagingServiceRequest: [],
    RequestedProcedureDescription: [],
    RequestedProcedureCodeSequence: [],
    ScheduledProcedureStepSequence: [
      { ScheduledProcedureStepID: [], ScheduledProtocolCodeSequence: [{ CodeValue: [], CodeMeaning: [] }] },
    ],
  };

  const { items } = await ask(titles, keys);

  const [item = {}] = items;
  const [step = {}] = itemsOf(item, 'ScheduledProcedureStepSequence');
  for (const keyword of ['AccessionNumber', 'PatientID', 'IssuerOfPatientID', 'PlacerOrderNumberImagingServiceRequest'])
    expect({ keyword, values: valuesOf(item, keyword) }).toEqual({ keyword, values: [] });
  expect(textOf(item, 'RequestedProcedureID')).toMatch(/^[\dA-F]{16}$/);
  expect(valuesOf(item, 'RequestedProcedureDescription')).toEqual(['Head/neck']);
  const [code = {}] = itemsOf(item, 'RequestedProcedureCodeSequence');
  expect([textOf(code, 'CodeValue'), textOf(code, 'LongCodeValue'), textOf(code, 'CodeMeaning')]).toEqual([
    undefined,
    'CT-HEAD-CONTRAST-YES',
    'Head/neck',
  ]);
  // Who asks for short codes alone is told none: a code without its value is no code (PS3.3 §8.8).
  expect(itemsOf(step, 'ScheduledProtocolCodeSequence')).toEqual([]);
});

test('a query that cannot be is refused in words', async () => {
  const titles = await letIn(world, await world.newTenant());

  const answer = await ask(titles, { ScheduledProcedureStepSequence: [{ ScheduledProcedureStepStartDate: 'soon' }] });

  expect(answer).toEqual({
    items: [],
    status: 0xa900,
    comment: 'The start date is neither a date nor a range of dates.',
  });
});

test('a scanner that has had enough is sent no more', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  for (let count = 0; count < 60; count += 1) await order(tenant);

  const { items, status } = await ask(titles, everything, 2);

  expect(status).toBe(0xfe00);
  expect(items.length).toBeLessThan(60);
});

test('more than a thousand orders are not sent at once, and the scanner is told', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  const { patientId } = await order(tenant);
  await world.sql`
    insert into studies (tenant_id, id, patient_id, study_instance_uid, patient_name, patient_identifier)
    select ${tenant.id}, gen_random_uuid(), ${patientId}, '1.2.3.' || n, '', '' from generate_series(1, 1000) n`.execute(
    world.owner,
  );

  const { items, status } = await ask(titles, everything);

  expect(items.length).toBe(1000);
  expect(status).toBe(0xa700);
});

test('what is scheduled next comes first, and what is long past is what is not sent of too many', async () => {
  const tenant = await world.newTenant();
  const titles = await letIn(world, tenant);
  const { patientId } = await order(tenant, { accession_number: 'LATER', scheduled_at: '2126-11-24T08:30:00' });
  await world.sql`
    insert into studies
      (tenant_id, id, patient_id, study_instance_uid, patient_name, patient_identifier, accession_number, scheduled_at)
    select ${tenant.id}, gen_random_uuid(), ${patientId}, '1.2.3.' || n, '', '', n, timestamp '2020-01-01' + n * interval '1 hour'
    from generate_series(1, 1000) n`.execute(world.owner);
  await order(tenant, { accession_number: 'NEXT', scheduled_at: '2126-11-23T08:30:00' });

  const { items, status } = await ask(titles, everything);

  expect(accessionNumbers(items.slice(0, 3))).toEqual(['NEXT', 'LATER', '1000']);
  expect(accessionNumbers(items.slice(-1))).toEqual(['3']);
  expect(status).toBe(0xa700);
});

test('who may not read the worklist is not offered it, and who reads it is written down', async () => {
  const tenant = await world.newTenant();
  await order(tenant);
  const reader = await letIn(world, tenant);
  const stranger = await letIn(world, tenant, { may_read_worklist: false });

  const refused = await ask(stranger, everything);
  await ask(reader, everything);

  expect(refused).toEqual({ items: [], status: undefined });
  const entries = await world.context.scopes.inTenant(systemSession(tenant.id), ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'username', 'address', 'detail']).execute(),
  );
  expect(entries).toEqual([
    { action: 'worklist.read', username: reader.calling, address: '127.0.0.1', detail: { items: 1 } },
  ]);
});
