import { endpoints } from '@radwork/contract/all';
import { auditActions } from '@radwork/contract/audit-actions';
import { audit } from '@radwork/contract/identity/audit';
import type { AuditDeclaration } from '@radwork/contract/core/endpoint';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { allSamples } from '#test/all-samples.ts';
import { addressOf, bodyOf, type Call, contractCalls } from '#test/contract-calls.ts';
import { fillTenant, type FullTenant } from '#test/full-tenant.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const tenant = await fillTenant(world, 'AUDITED');

const lines = new Map<string, AuditDeclaration>(contractCalls.map(({ name, audited }) => [name, audited]));

const isUnaudited = (line: AuditDeclaration | undefined): boolean => typeof line === 'object' && 'because' in line;

/** Returns the action that the contract names. Undefined for a call that is not audited. */
const actionOf = (line: AuditDeclaration | undefined): string | undefined => {
  if (typeof line === 'string') return line;
  return line && 'action' in line ? line.action : undefined;
};

type Entry = {
  action: string;
  address: string;
  study_id: string | null;
  patient_id: string | null;
  user_id: string | null;
};

const entriesAfter = async (
  { tenant: of }: Pick<FullTenant, 'tenant'>,
  id: number,
): Promise<(Entry & { id: number })[]> => {
  await world.context.auditReads.flush();
  return world.inTenant(of, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['id', 'action', 'address', 'study_id', 'patient_id', 'user_id'])
      .where('id', '>', id)
      .orderBy('id')
      .execute(),
  );
};
const lastEntry = async (of: Pick<FullTenant, 'tenant'>) => (await entriesAfter(of, 0)).at(-1)?.id ?? 0;

const from = '203.0.113.9';

/** Calls that write no entry when they change nothing: the data has the requested value, or the queue is empty. */
const mayFindItSo = new Set([
  'POST /api/reading-queue/next',
  'POST /api/reports/:id/link',
  'POST /api/reports/:id/store-in-study',
  'PUT /api/reporting-settings/all',
  'PUT /api/organization',
  'PUT /api/tenants/:id/status',
  'PUT /api/users/:id/status',
]);

/** Makes a call as new users of each type. Returns the audit entries of the first success. */
const callAs = async (call: Call, of: FullTenant) => {
  const url = addressOf(call, of);
  const payload = bodyOf(call);
  for (const type of ['ADMIN', 'RADIOLOGIST', 'SUPER_ADMIN'] as const) {
    const person = await world.signIn(type, of.tenant);
    const before = await lastEntry(of);
    const { statusCode } = await person.request({
      method: call.method,
      url,
      remoteAddress: from,
      ...(payload && { payload }),
    });
    if (statusCode < 400) return { person, entries: await entriesAfter(of, before) };
  }
  return undefined;
};

const jsonEndpoints = new Set<object>(endpoints);

/** Read calls that need no audit entry. Each feature has its own list, so that reviewers can check the list. */
const unwritten = allSamples.flatMap(({ unaudited = [] }) =>
  unaudited.map((endpoint) => (jsonEndpoints.has(endpoint) ? `/api${endpoint.path}` : endpoint.path)),
);

const isUnwritten = ({ name, method }: Call) => method === 'GET' && isUnaudited(lines.get(name));

test('each reading call without an audit entry is on a list, and its answer contains no patient data', async () => {
  const readings = contractCalls.filter(isUnwritten);
  // The name that `fillTenant` gives to its patient.
  const known = new RegExp(`${tenant.patientId}|AUDITED.{1,2}Person`);
  const disclosingCalls: string[] = [];
  const reader = await world.signIn('ADMIN', tenant.tenant);
  for (const call of readings.filter(({ can, name }) => can !== 'public' && name !== 'GET /api/live')) {
    for (const type of ['ADMIN', 'RADIOLOGIST', 'SUPER_ADMIN'] as const) {
      const person = await world.signIn(type, tenant.tenant);
      const { payload } = await person.request({ method: 'GET', url: addressOf(call, tenant) });
      if (known.test(payload)) disclosingCalls.push(call.name);
    }
  }

  expect(readings.map(({ url }) => url).toSorted()).toEqual(unwritten.toSorted());
  expect((await reader.request({ method: 'GET', url: `/api/patients/${tenant.patientId}` })).payload).toMatch(known);
  expect(disclosingCalls).toEqual([]);
});

test('audits each call that reads patient data, with patient and address', async () => {
  const readings = contractCalls.filter(
    ({ name, method, can }) => method === 'GET' && can !== 'public' && !isUnaudited(lines.get(name)),
  );
  const faults: string[] = [];
  let answered = 0;
  for (const call of readings) {
    const line = lines.get(call.name);
    const auditAction = actionOf(line);
    const done = await callAs(call, tenant);
    if (!done) continue;
    answered += 1;
    const { person, entries } = done;
    // Images have one audit entry for each study and session within five minutes, so a retrieval may write no entry.
    if (auditAction === 'study.retrieve' && entries.length === 0) continue;
    const entry = entries.find(({ action, user_id }) => action === auditAction && user_id === person.userId);
    if (!entry)
      faults.push(`${call.name}: ${auditAction} is not there, but ${entries.map(({ action }) => action).join()}`);
    else if (entry.address !== from) faults.push(`${call.name}: from ${entry.address}`);
    const isAboutOne = typeof line === 'string' ? /^(study|report)\.(view|print)/.test(line) : hasPatient(line);
    if (entry && isAboutOne && entry.patient_id !== tenant.patientId)
      faults.push(`${call.name}: of ${entry.patient_id}`);
  }

  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(50);
});

const hasPatient = (line: AuditDeclaration | undefined): boolean =>
  typeof line === 'object' &&
  'about' in line &&
  line.about !== undefined &&
  !['import_job', 'remote_configuration', 'stored_file'].includes(line.about);

test('audits each change with its user and the action in the table', async () => {
  const own = await fillTenant(world, 'CHANGED');
  const faults: string[] = [];
  let answered = 0;
  const changes = contractCalls.filter(({ name, method, can }) => {
    return method !== 'GET' && can !== 'public' && typeof lines.get(name) === 'string' && !name.includes('/auth/');
  });
  for (const call of changes) {
    const auditAction = actionOf(lines.get(call.name));
    const done = await callAs(call, own);
    if (!done || (done.entries.length === 0 && mayFindItSo.has(call.name))) continue;
    answered += 1;
    const noun = auditAction?.split('.')[0];
    const { entries, person } = done;
    if (entries.some(({ action, user_id }) => action.split('.')[0] === noun && user_id === person.userId)) continue;
    faults.push(`${call.name}: ${auditAction} is not there, but ${entries.map(({ action }) => action).join()}`);
  }

  expect(faults).toEqual([]);
  expect(answered).toBeGreaterThan(20);
});

const searched = async (person: Person, isPoll = false) => {
  const before = await lastEntry(person);
  const headers = { ...(isPoll && { 'x-poll': '1' }) };
  await person.send(studies.list, { query: { searchQuery: 'SECRETNAME', size: 10 }, headers });
  return entriesAfter(person, before);
};

test('audits a search once, with the names of its filters but not their values, and does not audit polling', async () => {
  const person = await world.signIn('RADIOLOGIST');

  const [first] = await searched(person);
  expect(first?.action).toBe('study.search');
  expect(await searched(person, true)).toEqual([]);
  const { rows } = await person.inScope(async ({ db }) => ({
    rows: await db.selectFrom('audit_entries').selectAll().execute(),
  }));
  expect(JSON.stringify(rows)).not.toContain('SECRETNAME');
  expect(rows.at(-1)?.detail).toEqual({ filters: 'searchQuery size' });
});

test('does not audit unknown filter names and empty filters', async () => {
  const person = await world.signIn('RADIOLOGIST');
  const before = await lastEntry(person);

  const url = `/dicom-web/studies?PatientID=P-1&AccessionNumber=&${encodeURIComponent('SECRET^NAME')}=1`;
  await person.request({ method: 'GET', url });

  const { rows } = await person.inScope(async ({ db }) => {
    await world.context.auditReads.flush();
    return { rows: await db.selectFrom('audit_entries').select('detail').where('id', '>', before).execute() };
  });
  expect(rows).toEqual([{ detail: { filters: 'PatientID' } }]);
});

test('reads of another patient, search, session or address are audited separately', async () => {
  const person = await world.signIn('ADMIN');
  const form = { patientName: 'Doe, Jane', gender: 'F', dateOfBirth: '1961-04-30' };
  const [first, second] = [
    (await person.send(patients.create, { body: { ...form, patientId: 'P-1' } })).data.id,
    (await person.send(patients.create, { body: { ...form, patientId: 'P-2' } })).data.id,
  ];
  const token = await person.inScope(({ db }) =>
    world.context.sessions.begin(db, person.userId, { address: '203.0.113.1', userAgent: 'another browser' }),
  );
  const before = await lastEntry(person);
  const read = (url: string, remoteAddress = '203.0.113.1') => person.request({ method: 'GET', url, remoteAddress });
  const elsewhere = { authorization: `Bearer ${token}` };
  const studiesOf = (id: string) => `/api/studies/patient/${id}`;

  for (let time = 0; time < 2; time += 1) {
    await read(studiesOf(first));
    await read(studiesOf(second));
    await read(studiesOf(first), '203.0.113.2');
    await world.request({ method: 'GET', url: studiesOf(first), remoteAddress: '203.0.113.1', headers: elsewhere });
    await read('/api/patients?searchQuery=jane');
    await read('/api/patients?searchQuery=john');
  }

  const entries = await entriesAfter(person, before);
  expect(entries.map(({ action, patient_id: id, address }) => [action, id, address])).toEqual([
    ['patient.viewStudies', first, '203.0.113.1'],
    ['patient.viewStudies', second, '203.0.113.1'],
    ['patient.viewStudies', first, '203.0.113.2'],
    ['patient.viewStudies', first, '203.0.113.1'],
    ['patient.search', null, '203.0.113.1'],
    ['patient.search', null, '203.0.113.1'],
  ]);
});

test('audits a refused call with its route but without ids, even if the ids belong to another tenant', async () => {
  const [person, other] = [await world.signIn('REFERRING_PHYSICIAN'), await world.signIn('ADMIN')];

  await person.send(audit.list);
  await person.send(patients.get, { params: { id: tenant.patientId } });
  await person.request({ method: 'GET', url: '/api/patients', headers: { 'x-tenantid': other.tenant.subdomain } });

  const entries = await person.inScope(async ({ db }) => {
    await world.context.auditReads.flush();
    return db.selectFrom('audit_entries').selectAll().orderBy('id').execute();
  });
  expect(entries.map(({ action, outcome, detail }) => ({ action, outcome, detail }))).toEqual([
    { action: 'access.refuse', outcome: 'FAILURE', detail: { route: 'GET /api/audit' } },
    { action: 'access.miss', outcome: 'FAILURE', detail: { route: 'GET /api/patients/:id' } },
    { action: 'access.refuse', outcome: 'FAILURE', detail: { route: 'GET /api/patients' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(tenant.patientId);
});

test('every audit action in the contract has a text for the screen', () => {
  const known = new Set(Object.values(auditActions).flatMap((actions) => Object.keys(actions)));
  const auditedNames = [...lines.values()].flatMap((line) => actionOf(line) ?? []);

  expect(auditedNames.filter((action) => !known.has(action))).toEqual([]);
});
