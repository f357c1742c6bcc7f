import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { addDevice, listenForDevices } from '#test/dimse-device.ts';
import { worklistSteps } from '#test/worklist-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const gateway = await listenForDevices(world);
afterAll(gateway.close);
const { order, ask, everything, accessionNumbers } = worklistSteps(world, gateway);

test.skipIf(!hasDcmtk)('a scanner reads names in the worklist in their original script (needs dcmtk)', async () => {
  const tenant = await world.newTenant();
  const { called, calling } = await addDevice(world, tenant);
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
  const queried = await runDcmtk('findscu', '-W', '-X', '-od', folder, ...keys, ...to);

  expect(queried).toMatchObject({ status: 0 });
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

test('the worklist lists open orders of its own tenant that have no images', async () => {
  const [tenant, other] = [await world.newTenant(), await world.newTenant()];
  const titles = await addDevice(world, tenant);
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

test('leaves out or replaces an identifier that is too long, because two truncated identifiers could be equal', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
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
  // The query requests only short codes and receives none, because a code without its value is invalid (PS3.3 §8.8).
  expect(itemsOf(step, 'ScheduledProtocolCodeSequence')).toEqual([]);
});

test('refuses an invalid query with a reason', async () => {
  const titles = await addDevice(world, await world.newTenant());

  const answer = await ask(titles, { ScheduledProcedureStepSequence: [{ ScheduledProcedureStepStartDate: 'soon' }] });

  expect(answer).toEqual({
    items: [],
    pending: [],
    status: 0xa900,
    comment: 'The start date must be a date or a date range.',
  });
});

test('sends no further orders after a scanner cancels its query', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
  for (let count = 0; count < 60; count += 1) await order(tenant);

  const { items, status } = await ask(titles, everything, 2);

  expect(status).toBe(0xfe00);
  expect(items.length).toBeLessThan(60);
});

test('sends at most a thousand orders and reports that there are more', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
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

test('lists the next scheduled orders first, and leaves out the oldest past orders if there are too many', async () => {
  const tenant = await world.newTenant();
  const titles = await addDevice(world, tenant);
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

test('offers the worklist only to devices with permission, and audits which device reads it', async () => {
  const tenant = await world.newTenant();
  await order(tenant);
  const reader = await addDevice(world, tenant);
  const stranger = await addDevice(world, tenant, { may_read_worklist: false });

  const refused = await ask(stranger, everything);
  await ask(reader, everything);

  expect(refused).toEqual({ items: [], pending: [], status: undefined });
  const entries = await world.context.scopes.inTenant(systemSession(tenant.id), ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'username', 'address', 'detail']).execute(),
  );
  expect(entries).toEqual([
    { action: 'worklist.read', username: reader.calling, address: '127.0.0.1', detail: { items: 1 } },
  ]);
});
