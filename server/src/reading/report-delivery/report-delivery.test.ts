import { createServer } from 'node:http';
import { reportDeliveries } from '@radwork/contract/reading/report-delivery';
import { reports } from '@radwork/contract/reading/reports';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import type { DiagnosticReport, ImagingStudy, Patient, ServiceRequest } from 'fhir/r4';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { deliverySteps } from '#test/delivery-steps.ts';
import { eventually } from '#test/eventually.ts';
import { type FhirFault, startFhirServer } from '#test/fhir-server.ts';
import { reachingThisMachine } from '#test/import-steps.ts';
import { reportSteps, signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { startDeliveries } from './jobs.ts';

const world = await createWorld(reachingThisMachine);
const { begin, finalize, participate, tamperWith } = reportSteps(world);
const { configureFhir, send, deliveries, delivered } = deliverySteps(world);

// If a test left jobs in the queue, they would occupy the worker of the next test.
afterEach(() => world.owner.deleteFrom('jobs').execute());

/** Runs the deliveries of this test world until the test ends. */
const work = (pauses: readonly number[] = []) => {
  const errors: unknown[] = [];
  const stop = startDeliveries(world.context, world.url, { onError: (error) => errors.push(error), pauses });
  onTestFinished(stop);
  return { stop, errors };
};

const startServer = async (options: Parameters<typeof startFhirServer>[0] = {}) => {
  const server = await startFhirServer(options);
  onTestFinished(server.stop);
  return server;
};

/** Creates a signed report, and a FHIR server as its destination. */
const prepare = async (options: Parameters<typeof startFhirServer>[0] = {}, columns: Record<string, string> = {}) => {
  const server = await startServer(options);
  const person = await world.signIn();
  const { id } = await begin(person);
  await finalize(person, id);
  return { server, person, id, config: await configureFhir(person, server.url, columns) };
};

const addTo = async (person: Person, id: string) => {
  const body = { kind: 'ADDENDUM', content: '<p>Compared with the CT of May.</p>' };
  await person.send(reportAddenda.begin, { params: { id }, body });
  const [draft] = await world.inTenant(person.tenant, ({ db }) =>
    db
      .selectFrom('report_addenda')
      .select(['id', 'revision'])
      .where('report_id', '=', id)
      .where('finalized_at', 'is', null)
      .execute(),
  );
  const { id: addendumId, revision } = orNotFound(draft, 'report');
  return person.send(reportAddenda.sign, {
    params: { id, addendumId },
    body: { ...body, revision, signatureData: signature },
  });
};

test('sends a signed report to a FHIR server as five resources and reports its success', async () => {
  const { server, person, id, config } = await prepare();

  const response = await send(person, config, id);
  const waiting = await deliveries(person, id);
  const { errors } = work();
  const sent = await delivered(person, id);

  expect(response).toMatchObject({ code: 200, data: { state: 'QUEUED', destination: 'HOSPITAL', sentAt: null } });
  expect(waiting).toMatchObject([{ state: 'QUEUED', requestedBy: person.session.name }]);
  expect(sent).toMatchObject({ state: 'SENT', attempts: 1, error: '', isOutdated: false });
  expect(sent.resources.map(({ type }) => type)).toEqual([
    'Patient',
    'Practitioner',
    'ServiceRequest',
    'ImagingStudy',
    'DiagnosticReport',
  ]);
  const [report] = await server.all<DiagnosticReport>('DiagnosticReport');
  expect(report).toMatchObject({ status: 'final', conclusion: 'No acute finding.', id: sent.resources[4]?.id });
  expect(
    Buffer.from(report?.presentedForm?.[1]?.data ?? '', 'base64')
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect(errors).toEqual([]);
});

test.each([
  ['in a transaction', true],
  ['resource by resource, for a server without transactions', false],
])(
  'sending a report again after an addendum updates resources without duplicates: %s',
  async (_, knowsTransactions) => {
    const { server, person, id, config } = await prepare({ knowsTransactions });
    work();
    await send(person, config, id);
    const first = await delivered(person, id);
    await addTo(person, id);
    const [outdated] = await deliveries(person, id);

    await send(person, config, id);
    const second = await delivered(person, id);

    expect(outdated).toMatchObject({ state: 'SENT', isOutdated: true });
    expect(second).toMatchObject({ state: 'SENT', isOutdated: false, resources: first.resources });
    const reports = await server.all<DiagnosticReport>('DiagnosticReport');
    expect(reports).toMatchObject([{ status: 'appended', conclusion: expect.stringContaining('CT of May') }]);
    const [patients, studies, requests] = [
      await server.all<Patient>('Patient'),
      await server.all<ImagingStudy>('ImagingStudy'),
      await server.all<ServiceRequest>('ServiceRequest'),
    ];
    expect([patients.length, studies.length, requests.length]).toEqual([1, 1, 1]);
    // Other systems share the records of persons.
    expect(server.asked.filter((path) => /^PUT .*(Patient|Practitioner)/.test(path))).toEqual([]);
    expect(reports[0]?.subject?.reference).toBe(`Patient/${patients[0]?.id}`);
    expect(reports[0]?.imagingStudy?.[0]?.reference).toBe(`ImagingStudy/${studies[0]?.id}`);
  },
);

test('a report sent to two servers has an outcome for each server', async () => {
  const { person, id, config } = await prepare();
  const away = await startServer();
  const other = await configureFhir(person, away.url, { ae_title: 'REGISTRY' });
  const outcomes = (...expected: string[]) =>
    eventually(async () => {
      const states = (await deliveries(person, id)).map(({ destination, state }) => `${destination} ${state}`);
      expect(states.toSorted()).toEqual(expected);
    });
  away.misbehave('answers 401');
  work();

  await send(person, config, id);
  await send(person, other, id);
  await outcomes('HOSPITAL SENT', 'REGISTRY FAILED');
  away.recover();
  await send(person, other, id);

  await outcomes('HOSPITAL SENT', 'REGISTRY SENT');
});

test('reports of one patient share the patient resource, but never with another organization', async () => {
  const { server, person, id, config } = await prepare();
  const [second, stranger] = [await begin(person), await world.signIn()];
  await finalize(person, second.id);
  const othersReport = await begin(stranger);
  await finalize(stranger, othersReport.id);
  await world.owner.updateTable('studies').set({ patient_identifier: 'SAME' }).execute();
  work();

  for (const reportId of [id, second.id]) {
    await send(person, config, reportId);
    await delivered(person, reportId);
  }
  await send(stranger, await configureFhir(stranger, server.url), othersReport.id);
  await delivered(stranger, othersReport.id);

  const [patients, reports] = [
    await server.all<Patient>('Patient'),
    await server.all<DiagnosticReport>('DiagnosticReport'),
  ];
  expect(patients.map(({ identifier }) => identifier?.[0]?.value)).toEqual(['SAME', 'SAME']);
  expect(new Set(patients.map(({ identifier }) => identifier?.[0]?.system)).size).toBe(2);
  expect(reports).toHaveLength(3);
});

test.each([
  ['in a transaction', true],
  ['resource by resource, for a server without transactions', false],
])("sending a report does not change the server's own record of the study: %s", async (_, knowsTransactions) => {
  const { server, person, id, config } = await prepare({ knowsTransactions });
  const { uid } = await world.owner
    .selectFrom('reports')
    .innerJoin('studies', 'studies.id', 'reports.study_id')
    .select('studies.study_instance_uid as uid')
    .where('reports.id', '=', id)
    .executeTakeFirstOrThrow();
  const existingStudy = {
    resourceType: 'ImagingStudy',
    identifier: [{ system: 'urn:dicom:uid', value: `urn:oid:${uid}` }],
    status: 'available',
    subject: { display: 'The record of the hospital' },
    endpoint: [{ display: 'The archive of the hospital' }],
  };
  const headers = { 'content-type': 'application/fhir+json' };
  await fetch(`${server.url}/ImagingStudy`, { method: 'POST', headers, body: JSON.stringify(existingStudy) });
  work();

  await send(person, config, id);
  const first = await delivered(person, id);
  await send(person, config, id);
  const second = await delivered(person, id);

  const imagingStudies = await server.all<ImagingStudy>('ImagingStudy');
  const ours = imagingStudies.filter(({ subject }) => subject.reference?.startsWith('Patient/'));
  expect(second).toMatchObject({ state: 'SENT', resources: first.resources });
  expect(imagingStudies).toHaveLength(2);
  expect(imagingStudies).toContainEqual(expect.objectContaining(existingStudy));
  expect(ours).toMatchObject([
    { id: first.resources[3]?.id, identifier: expect.arrayContaining(existingStudy.identifier) },
  ]);
});

test.each([
  ['NONE', {}, {}],
  [
    'BASIC',
    { username: 'rosa', password: 'pä:ss' },
    { authorization: `Basic ${Buffer.from('rosa:pä:ss').toString('base64')}` },
  ],
  ['BEARER', { token: 'abc' }, { authorization: 'Bearer abc' }],
  ['API', { api_key: 'key', api_secret: 'secret' }, { 'x-api-key': 'key', 'x-api-secret': 'secret' }],
])('signs in to the FHIR server as configured: %s', async (authType, secrets, headers) => {
  const letsIn = (received: object) =>
    Object.entries(headers).every(([name, value]) => Reflect.get(received, name) === value);
  const { person, id, config } = await prepare({ letsIn }, { auth_type: authType });
  const place = (column: string) => ({
    tenantId: person.tenant.id,
    table: 'remote_configurations',
    row: config,
    column,
  });
  const sealed = Object.entries(secrets).map(([column, value]) => [
    column,
    column === 'username' ? value : world.context.vault.seal(value, place(column)),
  ]);
  if (sealed.length > 0) {
    await world.owner
      .updateTable('remote_configurations')
      .set(Object.fromEntries(sealed))
      .where('id', '=', config)
      .execute();
  }
  work();

  await send(person, config, id);

  expect(await delivered(person, id)).toMatchObject({ state: 'SENT', error: '' });
});

test('sends only finalized reports, only to a FHIR server of the organization (C52)', async () => {
  const { server, person, id, config } = await prepare();
  const stranger = await world.signIn();
  const draft = await begin(person);
  const dicomweb = await configureFhir(person, `${server.url}/dicom`, { protocol: 'DICOMWEB' });
  const foreign = await configureFhir(stranger, server.url);

  for (const other of ['', 'x', newId(), dicomweb, foreign]) {
    expect(await send(person, other, id)).toMatchObject({ code: 422, message: 'Please select a configuration' });
  }
  expect(await send(person, config, draft.id)).toMatchObject({
    code: 409,
    message: 'Only a finalized report can be sent',
  });
  expect(await send(person, config, newId())).toMatchObject({ code: 404, message: 'Report not found' });
  expect(await send(person, config, '')).toMatchObject({ code: 404 });
  expect(await send(stranger, foreign, id)).toMatchObject({ code: 404, message: 'Report not found' });
  expect(server.asked).toEqual([]);
});

test('a preliminary report leaves neither to a FHIR server nor to the archive, and is final once signed', async () => {
  const server = await startServer();
  const person = await world.signIn();
  const { id } = await begin(person);
  const config = await configureFhir(person, server.url);
  work();
  await person.send(reports.issuePreliminary, { params: { id }, body: { revision: 1 } });

  const refused = [
    await send(person, config, id),
    await person.send(reportDeliveries.storeInStudy, { params: { id } }),
  ];
  await finalize(person, id, { revision: 2, preliminaryChange: 'Embolism found' });
  await send(person, config, id);
  await delivered(person, id);

  expect(refused.map(({ status, message }) => [status, message])).toEqual(
    Array(2).fill([409, 'Only a finalized report can be sent']),
  );
  const [report] = await server.all<DiagnosticReport>('DiagnosticReport');
  expect(report?.status).toBe('final');
});

test.each([
  ['names', true],
  ['does not name', false],
])('a sent report %s an important change if referring physicians see preliminary reports: %s', async (_, isShown) => {
  const server = await startServer();
  const person = await world.signIn();
  const { id } = await begin(person);
  const config = await configureFhir(person, server.url);
  await world.owner
    .updateTable('tenants')
    .set({ shows_preliminary: isShown })
    .where('id', '=', person.tenant.id)
    .execute();
  work();
  await person.send(reports.issuePreliminary, { params: { id }, body: { revision: 1 } });
  await finalize(person, id, { revision: 2, preliminaryChange: 'Embolism found' });

  await send(person, config, id);
  await delivered(person, id);

  const [report] = await server.all<DiagnosticReport>('DiagnosticReport');
  const html = Buffer.from(report?.presentedForm?.[0]?.data ?? '', 'base64').toString();
  expect(html.includes('Embolism found')).toBe(isShown);
});

test('lists the FHIR servers of the organization, but no other data of their configurations', async () => {
  const { server, person, config } = await prepare();
  await configureFhir(person, `${server.url}/dicom`, { protocol: 'DICOMWEB' });

  const { data } = await person.send(reportDeliveries.destinations);

  expect(data).toEqual([{ id: config, aeTitle: 'HOSPITAL' }]);
});

const refusals: [FhirFault, RegExp][] = [
  ['answers 401', /rejected the credentials \(401\): The token has expired/],
  ['answers 422 with an OperationOutcome', /rejected the report \(422\): The patient is closed {2}?for new reports/],
  ['redirects', /redirects to another address/],
  ['answers HTML', /does not cover every resource of the transaction/],
  ['takes only a part', /does not cover every resource of the transaction/],
];

test.each(refusals)(
  'a refusal by the server gets a message and is not retried: the server %s',
  async (fault, words) => {
    const { server, person, id, config } = await prepare();
    server.misbehave(fault);
    work([0.01, 0.01]);

    await send(person, config, id);
    const failed = await delivered(person, id);

    expect(failed).toMatchObject({ state: 'FAILED', attempts: 1, sentAt: null, nextAttemptAt: null });
    expect(failed.error).toMatch(words);
  },
);

const passing: [FhirFault, RegExp][] = [
  ['answers 500', /returned an error \(500\): The disk is full/],
  ['answers nothing', /did not answer in time/],
  ['cuts the connection', /closed the connection/],
];

test.each(passing)(
  'a temporary fault is retried and then reported, and a user can retry it: the server %s',
  async (fault, words) => {
    const { server, person, id, config } = await prepare();
    server.misbehave(fault);
    work([0.01]);

    await send(person, config, id);
    const failed = await delivered(person, id);
    server.recover();
    await person.send(reportDeliveries.retry, { params: { id, deliveryId: failed.id } });
    const sent = await delivered(person, id);

    expect(failed.error).toMatch(words);
    expect(failed).toMatchObject({ state: 'FAILED', attempts: 2 });
    expect(sent).toMatchObject({ id: failed.id, state: 'SENT', attempts: 1, error: '' });
  },
  30_000,
);

test('a server that is available again receives the report automatically', async () => {
  const { server, person, id, config } = await prepare();
  server.misbehave('answers 500');
  let calls = 0;
  server.whenAsked(() => {
    calls += 1;
    if (calls === 3) server.recover();
  });
  work([0.01, 0.01, 0.01]);

  await send(person, config, id);

  expect(await delivered(person, id)).toMatchObject({ state: 'SENT', attempts: 3, error: '' });
  expect(await server.all<DiagnosticReport>('DiagnosticReport')).toHaveLength(1);
});

test('a waiting delivery shows the reason and the time of the next attempt', async () => {
  const { server, person, id, config } = await prepare();
  server.misbehave('answers 500');
  work([600]);

  await send(person, config, id);

  await eventually(async () => {
    const [waiting] = await deliveries(person, id);
    expect(waiting).toMatchObject({ state: 'QUEUED', attempts: 1, error: expect.stringContaining('(500)') });
    expect(new Date(waiting?.nextAttemptAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 500_000);
  });
});

test('a new request sends a waiting report immediately', async () => {
  const { server, person, id, config } = await prepare();
  server.misbehave('answers 500');
  work([3600]);
  await send(person, config, id);
  const waiting = await eventually(async () => {
    const [delivery] = await deliveries(person, id);
    if (!delivery?.nextAttemptAt) throw new Error('It does not wait yet');
    return delivery;
  });
  server.recover();

  await person.send(reportDeliveries.retry, { params: { id, deliveryId: waiting.id } });

  expect(await delivered(person, id)).toMatchObject({ id: waiting.id, state: 'SENT', attempts: 2 });
});

test('simultaneous requests send a report once, and a further request is refused until it is sent', async () => {
  const { server, person, id, config } = await prepare();
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(person, config, id)));
  const meanwhile = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
  server.whenAsked(() => {
    void send(person, config, id).then(meanwhile.resolve);
  });
  server.misbehave('answers nothing');

  work();
  const refused = await meanwhile.promise;
  await delivered(person, id);

  expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  expect(refused).toMatchObject({
    code: 409,
    message: expect.stringContaining('A delivery to HOSPITAL is in progress'),
  });
  expect(server.asked.filter((path) => path.startsWith('POST'))).toHaveLength(1);
}, 30_000);

test('reports that a configuration is missing, or that the sender has no permission', async () => {
  const { person, id, config } = await prepare();
  const other = await prepare();
  await send(person, config, id);
  await world.owner.deleteFrom('remote_configurations').where('id', '=', config).execute();
  await send(other.person, other.config, other.id);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', other.person.userId).execute();
  const colleague = await world.signIn('ADMIN', other.person.tenant);
  work();

  const [gone, dismissed] = [await delivered(person, id), await delivered(colleague, other.id)];

  expect(gone).toMatchObject({ state: 'FAILED', error: 'The FHIR server is no longer configured' });
  expect(dismissed).toMatchObject({
    state: 'FAILED',
    error: 'The user who requested this delivery can no longer send reports',
  });
  expect(other.server.asked).toEqual([]);
});

test('refuses to send a text that no longer matches its signed hash, with a message', async () => {
  const { server, person, id, config } = await prepare();
  await tamperWith(id);
  work();

  await send(person, config, id);

  expect(await delivered(person, id)).toMatchObject({
    state: 'FAILED',
    error: 'The stored text differs from the signed text. It was not sent. Contact your administrator.',
  });
  expect(await server.all('DiagnosticReport')).toEqual([]);
});

/** The message of a server is cut at 500 letters. The beginning of a secret could remain at the cut. */
test.each([
  ['a token', 0, { auth_type: 'BEARER' }, { token: 'TOP-SECRET-TOKEN' }, /TOP-S/],
  ['a truncated token', 470, { auth_type: 'BEARER' }, { token: 'TOP-SECRET-TOKEN' }, /TOP-S/],
  ['a password', 0, { auth_type: 'BASIC', username: 'radwork' }, { password: 'correct horse' }, /correct|cmFkd2/],
  ['a truncated password', 470, { auth_type: 'BASIC', username: 'radwork' }, { password: 'correct horse' }, /cmFkd2/],
])('hides credentials that a server quotes: %s', async (_, filled, columns, secrets, secret) => {
  const headersSeen: string[] = [];
  const server = createServer(({ headers }, response) => {
    headersSeen.push(JSON.stringify(headers));
    const diagnostics = `${'x'.repeat(filled)} Rejected ${headers.authorization} ${JSON.stringify(secrets)}`;
    response.writeHead(400, { 'content-type': 'application/fhir+json' });
    response.end(JSON.stringify({ resourceType: 'OperationOutcome', issue: [{ diagnostics }] }));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/fhir`;
  const person = await world.signIn();
  const { id } = await begin(person);
  await finalize(person, id);
  const config = await configureFhir(person, url, columns, secrets);
  work();

  await send(person, config, id);

  const { error } = await delivered(person, id);
  expect(error).toContain('[hidden]');
  expect(error).not.toMatch(secret);
  expect(headersSeen.join()).toMatch(/authorization/);
});

test('notifies the requester of a failed delivery and audits every delivery', async () => {
  const { server, person, id, config } = await prepare();
  server.misbehave('answers 401');
  work();

  await send(person, config, id);
  await delivered(person, id);

  const { notices, audited } = await world.inTenant(person.tenant, async ({ db }) => ({
    notices: await db
      .selectFrom('notifications')
      .select(['title', 'user_id'])
      .where('title', 'like', '%sent%')
      .execute(),
    audited: await db
      .selectFrom('audit_entries')
      .select(['action', 'outcome'])
      .where('action', 'like', 'report.sen%')
      .orderBy('id')
      .execute(),
  }));
  expect(notices).toEqual([{ title: 'A report could not be sent', user_id: person.userId }]);
  expect(audited).toEqual([
    { action: 'report.send', outcome: 'SUCCESS' },
    { action: 'report.sent', outcome: 'FAILURE' },
  ]);
});

test('a referring physician gets the PDF of signed reports of their own studies only', async () => {
  const { person, id } = await prepare();
  const draft = await begin(person);
  const physician = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const stranger = await world.signIn();
  const pdfOf = (who: Person, reportId: string) => who.request({ method: 'GET', url: `/api/reports/${reportId}/pdf` });
  const { study_id } = await world.owner
    .selectFrom('reports')
    .select('study_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

  const before = await pdfOf(physician, id);
  await participate(physician, study_id, 'REFERRER');
  await participate(physician, draft.study.id, 'REFERRER');
  const [signed, unsigned, foreign] = [
    await pdfOf(physician, id),
    await pdfOf(physician, draft.id),
    await pdfOf(stranger, id),
  ];

  expect([before, signed, unsigned, foreign].map(({ statusCode }) => statusCode)).toEqual([404, 200, 404, 404]);
  expect(signed.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(signed.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'inline; filename="report.pdf"',
    'cache-control': 'private, no-store',
  });
});

test('a server that does not answer gets one report at a time and does not delay other servers', async () => {
  const { server: dead, person, id, config } = await prepare();
  const alive = await startServer();
  const second = await begin(person);
  await finalize(person, second.id);
  dead.misbehave('answers nothing');
  const arrived = Promise.withResolvers<void>();
  dead.whenAsked(arrived.resolve);

  await send(person, config, id);
  await send(person, config, second.id);
  work();
  await arrived.promise;
  await send(person, await configureFhir(person, alive.url, { ae_title: 'CLINIC' }), id);

  const stateOf = async (reportId: string, destination: string) =>
    (await deliveries(person, reportId)).find((delivery) => delivery.destination === destination)?.state;
  await eventually(async () => expect(await stateOf(id, 'CLINIC')).toBe('SENT'));
  expect(await stateOf(id, 'HOSPITAL')).toBe('RUNNING');
  expect(await stateOf(second.id, 'HOSPITAL')).toBe('QUEUED');
});
