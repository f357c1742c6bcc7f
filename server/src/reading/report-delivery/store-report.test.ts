import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { notifications } from '@radwork/contract/identity/notifications';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import { reports } from '@radwork/contract/reading/reports';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { studies } from '@radwork/contract/imaging/studies';
import { textOf } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { getFrom, partsOf, storeAs } from '#test/archive-calls.ts';
import { hasDcmtk, runDcmtk } from '#test/dcmtk.ts';
import { deliverySteps } from '#test/delivery-steps.ts';
import { eventually } from '#test/eventually.ts';
import { beginReport, reportSteps, signature } from '#test/report-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { hasPoppler, textOfPdf } from '#test/poppler.ts';
import { orNotFound } from '#core/http/problem.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startDeliveries } from './jobs.ts';

const world = await createWorld();
const { finalize, tamperWith } = reportSteps(world);
const { delivered } = deliverySteps(world);

afterEach(() => world.owner.deleteFrom('jobs').execute());

const work = () => onTestFinished(startDeliveries(world.context, world.url, { onError: () => {}, pauses: [] }));

/** Creates a study with an image and a signed report. */
const prepare = async () => {
  const person = await world.signIn();
  await storeAs(
    person,
    image({ PatientName: 'Wang^XiaoDong=王^小东', AccessionNumber: 'ACC-1', StudyDescription: 'CT Thorax' }),
  );
  const { data } = await person.send(studies.list);
  const study = orNotFound(data.content[0], 'study');
  const draft = await beginReport(person, study.id, { content: '<p>No acute finding.</p>' });
  await finalize(person, draft.data.id);
  return { person, study, id: draft.data.id };
};

const inboxOf = async (reader: Person) =>
  (await reader.send(notifications.list)).data.content.map(({ title }) => title);

const store = (person: Person, id: string) => person.send(reportDeliveries.storeInStudy, { params: { id } });

/** Returns the stored report instances of a study, oldest first. */
const documentsOf = (person: Person) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .selectFrom('instances as i')
      .innerJoin('series as s', 's.id', 'i.series_id')
      .select(['i.sop_instance_uid', 'i.study_id', 's.modality', 's.series_instance_uid', 's.series_description'])
      .where('i.sop_class_uid', '=', '1.2.840.10008.5.1.4.1.1.104.1')
      .orderBy('i.created_at')
      .orderBy('i.instance_number')
      .execute(),
  );

type Document = { series_instance_uid: string; sop_instance_uid: string };

const pathOf = ({ studyInstanceUID }: { studyInstanceUID: string }, document: Document | undefined) =>
  `/studies/${studyInstanceUID}/series/${document?.series_instance_uid}/instances/${document?.sop_instance_uid}`;

/** Returns the stored report instance of a study as a DICOM file. */
const fileOf = async (person: Person, study: { studyInstanceUID: string }): Promise<Buffer> => {
  const [document] = await documentsOf(person);
  const [part] = await partsOf(await getFrom(person, pathOf(study, document)));
  return orNotFound(part, 'file').body;
};

const amend = async (person: Person, id: string) => {
  const body = { kind: 'ADDENDUM', content: '<p>Compared with the CT of May.</p>' };
  await person.send(reportAddenda.begin, { params: { id }, body });
  const draft = await world.owner
    .selectFrom('report_addenda')
    .select(['id', 'revision'])
    .where('report_id', '=', id)
    .executeTakeFirstOrThrow();
  await person.send(reportAddenda.sign, {
    params: { id, addendumId: draft.id },
    body: { ...body, revision: draft.revision, signatureData: signature },
  });
};

test.skipIf(!hasPoppler)(
  'the copy in the archive names an important change although the organization shows no preliminary reports',
  async () => {
    const person = await world.signIn();
    await storeAs(person, image({ AccessionNumber: 'ACC-2' }));
    const study = orNotFound((await person.send(studies.list)).data.content[0], 'study');
    const { id } = (await beginReport(person, study.id)).data;
    await person.send(reports.issuePreliminary, { params: { id }, body: { revision: 1 } });
    await finalize(person, id, { revision: 2, preliminaryChange: 'Embolism found' });
    work();

    await store(person, id);
    await delivered(person, id);

    const [document] = await documentsOf(person);
    const { rawPayload } = await getFrom(person, `${pathOf(study, document)}/rendered`, { accept: 'application/pdf' });
    expect(textOfPdf(rawPayload)).toContain('Embolismfound');
  },
);

test('stores a signed report once in its study as an encapsulated PDF that can be retrieved', async () => {
  const { person, study, id } = await prepare();
  work();

  const response = await store(person, id);
  const stored = await delivered(person, id);
  await store(person, id);
  await delivered(person, id);

  const [document, ...others] = await documentsOf(person);
  expect(response).toMatchObject({ code: 200, data: { kind: 'STUDY', state: 'QUEUED' } });
  expect(stored).toMatchObject({
    state: 'SENT',
    error: '',
    resources: [{ type: 'DICOM', id: document?.sop_instance_uid }],
  });
  expect(others).toEqual([]);
  expect(document).toMatchObject({ study_id: study.id, modality: 'DOC', series_description: 'Signed report' });
  const rendered = await getFrom(person, `${pathOf(study, document)}/rendered`, { accept: 'application/pdf' });
  const printed = await person.request({ method: 'GET', url: `/api/reports/${id}/pdf` });
  expect(rendered.headers['content-type']).toBe('application/pdf');
  expect(rendered.rawPayload.equals(printed.rawPayload)).toBe(true);
});

test('the encapsulated PDF names the current patient and study, and states its document type', async () => {
  const { person, study, id } = await prepare();
  work();
  await store(person, id);
  await delivered(person, id);

  const header = readHeader(await fileOf(person, study));

  const values = [
    'PatientName',
    'PatientID',
    'Modality',
    'AccessionNumber',
    'StudyDescription',
    'BurnedInAnnotation',
    'MIMETypeOfEncapsulatedDocument',
    'StudyInstanceUID',
    'DocumentTitle',
  ].map((keyword) => textOf(header.dataset, keyword));
  expect(values).toEqual([
    'Wang^XiaoDong',
    study.patient.patientId,
    'DOC',
    'ACC-1',
    'CT Thorax',
    'YES',
    'application/pdf',
    study.studyInstanceUID,
    'Radiology report',
  ]);
});

test.runIf(hasDcmtk)('dcmtk extracts the identical PDF, and dciodvfy finds no fault', async () => {
  const { person, study, id } = await prepare();
  work();
  await store(person, id);
  await delivered(person, id);
  const folder = await mkdtemp(join(tmpdir(), 'radwork-report-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file, pdf] = [join(folder, 'report.dcm'), join(folder, 'report.pdf')];
  await writeFile(file, await fileOf(person, study));

  const unpacked = await runDcmtk('dcm2pdf', file, pdf);
  const checked = spawnSync('dciodvfy', [file]);

  expect(unpacked).toMatchObject({ status: 0 });
  const printed = await person.request({ method: 'GET', url: `/api/reports/${id}/pdf` });
  // dcm2pdf does not remove the padding byte that makes the length even.
  expect((await readFile(pdf)).subarray(0, printed.rawPayload.length).equals(printed.rawPayload)).toBe(true);
  // Prints nothing when dciodvfy is not installed.
  expect(checked.stderr?.toString() ?? '').not.toMatch(/^Error/m);
});

test('stores signed reports automatically if the organization wants it, and again after an addendum', async () => {
  const person = await world.signIn();
  await world.owner
    .updateTable('tenants')
    .set({ is_report_stored_as_dicom: true })
    .where('id', '=', person.tenant.id)
    .execute();
  await storeAs(person, image());
  const { data } = await person.send(studies.list);
  const studyId = orNotFound(data.content[0], 'study').id;
  const draft = await beginReport(person, studyId, { content: '<p>No acute finding.</p>' });
  const { id } = draft.data;
  work();

  await finalize(person, id);
  await eventually(async () => expect(await documentsOf(person)).toHaveLength(1));
  await delivered(person, id);
  await amend(person, id);
  await eventually(async () => expect(await documentsOf(person)).toHaveLength(2));

  const [first, second] = await documentsOf(person);
  expect(second?.series_instance_uid).toBe(first?.series_instance_uid);
  expect(await delivered(person, id)).toMatchObject({ kind: 'STUDY', state: 'SENT', isOutdated: false });
});

test('also stores an addendum that is signed while the report is being stored', async () => {
  const { person, id } = await prepare();
  await world.owner
    .updateTable('tenants')
    .set({ is_report_stored_as_dicom: true })
    .where('id', '=', person.tenant.id)
    .execute();
  await store(person, id);

  await world.owner.transaction().execute(async (holding) => {
    // Blocks writes to the archive but not reads, so that the delivery does not finish.
    await sql`lock table instances in share mode`.execute(holding);
    work();
    await eventually(async () => {
      const { data } = await person.send(reportDeliveries.list, { params: { id } });
      expect(data[0]?.state).toBe('RUNNING');
    });
    await amend(person, id);
  });

  await eventually(async () => expect(await documentsOf(person)).toHaveLength(2));
  expect(await delivered(person, id)).toMatchObject({ state: 'SENT', isOutdated: false });
});

test('by default no report is stored automatically, and a draft is never stored', async () => {
  const { person, id, study } = await prepare();
  const draft = await beginReport(person, study.id, { content: '<p>Second</p>' });

  const { data } = await person.send(reportDeliveries.list, { params: { id } });
  const refused = await store(person, draft.data.id);

  expect(data).toEqual([]);
  expect(refused).toMatchObject({ code: 409, message: 'Only a finalized report can be sent' });
});

test('refuses to store a report in a deleted study, with a message', async () => {
  const { person, id } = await prepare();
  const { data } = await store(person, id);
  await world.owner.updateTable('studies').set({ deleted_at: '2026-11-20T09:30:00Z' }).execute();
  work();

  const ended = await eventually(async () => {
    const row = await world.owner
      .selectFrom('report_deliveries')
      .select(['state', 'error'])
      .where('id', '=', data.id)
      .executeTakeFirstOrThrow();
    if (row.state !== 'FAILED') throw new Error(row.state);
    return row;
  });

  expect(ended.error).toBe('Report not found');
});

test('notifies the administrators of a failed storage when the signer is deactivated', async () => {
  const { person, id } = await prepare();
  const administrator = await world.signIn('ADMIN', person.tenant);
  const bystander = await world.signIn('RADIOLOGIST', person.tenant);
  await store(person, id);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', person.userId).execute();
  work();

  const { state } = await delivered(administrator, id);

  expect(state).toBe('FAILED');
  expect(await inboxOf(administrator)).toEqual(['A report could not be stored in its study']);
  expect(await inboxOf(bystander)).toEqual([]);
});

test('notifies the requester of a failed storage, even with notifications turned off', async () => {
  const { person, id } = await prepare();
  await person.send(notifications.savePreferences, { body: { unwanted: ['STUDY_STATUS'] } });
  await tamperWith(id);
  await store(person, id);
  work();

  const { state } = await delivered(person, id);

  expect(state).toBe('FAILED');
  expect(await inboxOf(person)).toEqual(['A report could not be stored in its study']);
});

test('notifies the administrators of a failed storage when a visitor requested it', async () => {
  const { person, id } = await prepare();
  const administrator = await world.signIn('ADMIN', person.tenant);
  const visitor = await world.signIn('SUPER_ADMIN');
  await tamperWith(id);
  const headers = { 'x-tenantid': person.tenant.subdomain };
  await visitor.send(reportDeliveries.storeInStudy, { params: { id }, headers });
  work();

  const { state } = await delivered(person, id);

  expect(state).toBe('FAILED');
  expect(await inboxOf(administrator)).toEqual(['A report could not be stored in its study']);
});

test('an unexpected failure of the storage ends with a message and a notification', async () => {
  const { person, id } = await prepare();
  await world.owner
    .updateTable('tenants')
    .set({ time_zone: 'Moon/Tycho' })
    .where('id', '=', person.tenant.id)
    .execute();
  await store(person, id);
  const errors: unknown[] = [];
  onTestFinished(startDeliveries(world.context, world.url, { onError: (error) => errors.push(error), pauses: [0.01] }));

  const ended = await delivered(person, id);

  expect(ended).toMatchObject({ state: 'FAILED', attempts: 2, error: expect.stringMatching(/^The server failed/) });
  expect(errors.map(String)).toEqual([
    expect.stringContaining('could not be created'),
    expect.stringContaining('could not be created'),
  ]);
  expect(await inboxOf(person)).toEqual(['A report could not be stored in its study']);
});
