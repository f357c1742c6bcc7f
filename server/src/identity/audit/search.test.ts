import type { Permission, UserType } from '@radwork/contract/core/access';
import { audit as endpoints, auditExport, auditSearch, type AuditEntry } from '@radwork/contract/identity/audit';
import { chat } from '@radwork/contract/reading/chat';
import { patients } from '@radwork/contract/imaging/patients';
import { studies } from '@radwork/contract/imaging/studies';
import type { AuditEvent, Bundle } from 'fhir/r4';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sealAudit } from '#core/audit/audit-chain.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { faultsOf } from '#test/fhir-server.ts';
import { createWorld, type Person } from '#test/world.ts';
import { list } from './search-entries.ts';

const world = await createWorld();

type EntryOverrides = Partial<{
  action: string;
  entity: 'study' | 'report';
  entityId: string;
  studyId: string;
  patientId: string;
  outcome: 'SUCCESS' | 'FAILURE';
  detail: Record<string, string>;
}>;

const write = (
  person: Person,
  { action = 'study.view', entity = 'study', ...subject }: EntryOverrides = {},
  address = '127.0.0.1',
) =>
  world.context.scopes.inTenant({ ...person.session, address }, (scope) =>
    audit(scope, action, { entity, ...subject }),
  );

const search = async (person: Person, query: Record<string, string | number> = {}): Promise<AuditEntry[]> => {
  const { code, data } = await person.send(endpoints.list, {
    query: { size: 200, ...query },
    headers: { 'x-poll': '1' },
  });
  expect(code).toBe(200);
  return data.content.filter(({ entity }) => entity !== 'audit');
};
const actions = async (person: Person, query: Record<string, string | number>) =>
  (await search(person, query)).map(({ action }) => action);

test('finds audit entries by each field and by several fields together, newest first', async () => {
  const [person, studyId, patientId, reportId] = [await world.signIn('ADMIN'), newId(), newId(), newId()];
  const colleague = await world.signIn('RADIOLOGIST', person.tenant);
  await write(person, { studyId, entityId: studyId });
  await write(person, { action: 'report.view', entity: 'report', entityId: reportId, studyId, patientId });
  await write(colleague, { action: 'study.update', outcome: 'FAILURE' }, '203.0.113.5');

  const all = ['study.update', 'report.view', 'study.view'];
  expect(await actions(person, {})).toEqual(all);
  expect(await actions(person, { user: colleague.userId })).toEqual(['study.update']);
  expect(await actions(person, { user: colleague.username })).toEqual(['study.update']);
  expect(await actions(person, { action: 'report.view' })).toEqual(['report.view']);
  expect(await actions(person, { entity: 'report' })).toEqual(['report.view']);
  expect(await actions(person, { entityId: reportId })).toEqual(['report.view']);
  expect(await actions(person, { entity: 'study', entityId: studyId })).toEqual(['study.view']);
  expect(await actions(person, { study: studyId })).toEqual(['report.view', 'study.view']);
  expect(await actions(person, { patient: patientId })).toEqual(['report.view']);
  expect(await actions(person, { outcome: 'FAILURE' })).toEqual(['study.update']);
  expect(await actions(person, { ip: '203.0.113.5', user: colleague.userId })).toEqual(['study.update']);
  expect(await actions(person, { ip: '203.0.113.5', outcome: 'SUCCESS' })).toEqual([]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await actions(person, { from: today, to: today })).toEqual(all);
  expect(await actions(person, { from: '2020-01-01', to: '2020-12-31' })).toEqual([]);
});

test('a range of days is in the time zone of the tenant and includes both days, on every page', async () => {
  const person = await world.signIn('ADMIN', await world.newTenant({ timeZone: 'Pacific/Auckland' }));
  // In Auckland, clocks go back in the night to 5 April 2026. This day begins at 11:00 UTC on 4 April and lasts 25
  // hours.
  const moments = [
    '2026-04-04T10:59:59.999999Z',
    '2026-04-04T11:00:00Z',
    '2026-04-05T11:59:59.999999Z',
    '2026-04-05T12:00:00Z',
  ];
  for (const [index, moment] of moments.entries()) {
    await sql`insert into audit_entries (tenant_id, created_at, username, action, entity, outcome)
              values (${person.tenant.id}, ${moment}, 'x', ${`study.${index}`}, 'study', 'SUCCESS')`.execute(
      world.owner,
    );
  }
  const day = '2026-04-05';
  const readAll = async (query: Record<string, string>) => {
    const actionNames: string[] = [];
    for (let before: string | null = ''; before !== null;) {
      const cursor: string = before;
      const { data } = await person.send(endpoints.list, {
        query: { ...query, size: 1, ...(cursor && { before: cursor }) },
      });
      actionNames.push(...data.content.map(({ action }) => action));
      before = data.older;
    }
    return actionNames;
  };

  expect(await actions(person, { from: day, to: day })).toEqual(['study.2', 'study.1']);
  expect(await readAll({ from: day, to: day })).toEqual(['study.2', 'study.1']);
  expect(await readAll({ to: day })).toEqual(['study.2', 'study.1', 'study.0']);
  expect((await actions(person, { from: day })).filter((action) => /\d$/.test(action))).toEqual([
    'study.3',
    'study.2',
    'study.1',
  ]);
});

test('a user name finds all entries of that user, also under other names, and those of a visitor with that name', async () => {
  const [person, visitor] = [await world.signIn('ADMIN'), newId()];
  const patSession = { ...person.session, username: 'pat' };
  const as = (session: Person['session'], action: string) =>
    world.context.scopes.inTenant(session, (scope) => audit(scope, action, { entity: 'study' }));
  await as(patSession, 'study.view');
  await as({ ...patSession, userId: visitor, userType: 'SUPER_ADMIN' }, 'study.update');
  await as({ ...patSession, username: 'patricia' }, 'study.delete');
  await as({ ...patSession, userId: newId(), username: 'somebody' }, 'study.purge');
  await world.owner.updateTable('users').set({ username: 'pat' }).where('id', '=', person.userId).execute();

  const all = ['study.delete', 'study.update', 'study.view'];
  expect(await actions(person, { user: 'pat' })).toEqual(all);
  expect(await actions(person, { user: 'pat', size: 1 })).toEqual(all.slice(0, 1));
  expect(await actions(person, { user: 'pat', outcome: 'SUCCESS', action: 'study.update' })).toEqual(['study.update']);
  expect(await actions(person, { user: visitor })).toEqual(['study.update']);
  expect(await actions(person, { user: person.userId })).toEqual(['study.delete', 'study.view']);
  expect(await actions(person, { user: 'patricia' })).toEqual(['study.delete']);
  expect(await actions(person, { user: 'nobody' })).toEqual([]);
});

test('a search for a name pages through the entries of both users who have it', async () => {
  const [person, visitor] = [await world.signIn('ADMIN'), newId()];
  const { username } = person.session;
  for (let one = 0; one < 6; one += 1) {
    const session = { ...person.session, ...(one % 2 === 1 && { userId: visitor }) };
    await world.context.scopes.inTenant(session, (scope) =>
      audit(scope, 'study.view', { entity: 'study', detail: { one } }),
    );
  }
  const details: unknown[] = [];
  for (let before: string | null = ''; before !== null;) {
    const cursor: string = before;
    const query = { user: username, action: 'study.view', size: 2, ...(cursor && { before: cursor }) };
    const { data } = await person.send(endpoints.list, { query, headers: { 'x-poll': '1' } });
    details.push(...data.content.map(({ detail }) => detail['one']));
    before = data.older;
  }

  expect(details).toEqual([5, 4, 3, 2, 1, 0]);
});

test('refuses reversed days and page numbers above the limit with a message', async () => {
  const person = await world.signIn('ADMIN');

  const days = await person.send(endpoints.list, { query: { from: '2026-02-01', to: '2026-01-01' } });
  const deep = await person.send(endpoints.list, { query: { page: 400, size: 25 } });

  expect(days).toMatchObject({ status: 400, message: 'From date must not be after to date' });
  expect(deep).toMatchObject({ status: 400, message: expect.stringContaining('Page numbers end at 10,000') });
});

test('pages contain every entry once even while newer entries arrive', async () => {
  const person = await world.signIn('ADMIN');
  for (let one = 0; one < 7; one += 1) await write(person, { detail: { one: String(one) } });

  const numbers: string[] = [];
  for (let before: string | null = ''; before !== null;) {
    const headers = { 'x-poll': '1' };
    const cursor: string = before;
    const { data } = await person.send(endpoints.list, {
      query: { size: 3, ...(cursor && { before: cursor }) },
      headers,
    });
    numbers.push(...data.content.flatMap(({ detail }) => ('one' in detail ? [String(detail['one'])] : [])));
    before = data.older;
    await write(person, { action: 'chat.send' });
  }

  expect(numbers).toEqual(['6', '5', '4', '3', '2', '1', '0']);
});

test('a search that reads too many entries returns its position, and the next request continues there', async () => {
  const person = await world.signIn('ADMIN');
  await write(person, { action: 'study.purge' }, '192.0.2.1');
  await sql`insert into audit_entries (tenant_id, user_id, username, action, entity, outcome, address)
            select ${person.tenant.id}, ${person.userId}, 'many', 'study.view', 'study', 'SUCCESS', '10.0.0.1'
            from generate_series(1, 5100)`.execute(world.owner);

  const query = { user: person.userId, ip: '192.0.2.1' };
  const first = await person.send(endpoints.list, { query });
  const second = await person.send(endpoints.list, { query: { ...query, before: first.data.older ?? '' } });

  expect(first.data).toMatchObject({ content: [], lookedBackTo: expect.stringMatching(/^\d{4}-/) });
  expect(second.data.content.map(({ action }) => action)).toEqual(['study.purge']);
  expect(second.data.older).toBeNull();
});

test('readers with permission see the names of patient and study, and whether the record was deleted', async () => {
  const person = await world.signIn('ADMIN');
  const form = { patientName: 'Doe, Jane', patientId: 'P-1', gender: 'F', dateOfBirth: '1961-04-30' };
  const { data: patient } = await person.send(patients.create, { body: form });
  await write(person, { patientId: newId(), studyId: newId() });

  const [gone, created] = await search(person);

  expect(created?.patient).toEqual({ id: patient.id, name: 'Doe, Jane', state: 'THERE' });
  expect(gone).toMatchObject({ patient: { name: null, state: 'DELETED' }, study: { name: null, state: 'DELETED' } });
});

test('finds an action on a study by its patient', async () => {
  const person = await world.signIn('ADMIN');
  const form = { patientName: 'Doe, Jane', patientId: 'P-1', gender: 'F', dateOfBirth: '1961-04-30' };
  const { data: patient } = await person.send(patients.create, { body: form });
  const { data: study } = await person.send(studies.create, {
    body: { modality: 'CT', studyDate: '2026-02-03T04:05:00', existingPatientId: patient.id, accessionNumber: 'A-1' },
  });

  await person.send(chat.send, { body: { conversationId: study.id, text: 'Any change?' } });

  expect(await search(person, { patient: patient.id, action: 'chat.send' })).toMatchObject([
    { patient: { name: 'Doe, Jane' }, study: { name: 'A-1' } },
  ]);
});

test('a reader without access to patients or studies sees that a record exists, but no name', async () => {
  const admin = await world.signIn('ADMIN');
  const form = { patientName: 'Doe, Jane', patientId: 'P-1', gender: 'F', dateOfBirth: '1961-04-30' };
  const { data: patient } = await admin.send(patients.create, { body: form });
  const { data: study } = await admin.send(studies.create, {
    body: { modality: 'CT', studyDate: '2026-02-03T04:05:00', existingPatientId: patient.id, accessionNumber: 'A-1' },
  });
  const first = async (session: Person['session']) => {
    const { content } = await world.context.scopes.reading(session, (scope) =>
      list(scope, auditSearch.parse({ study: study.id, action: 'study.create' })),
    );
    return { patient: content[0]?.patient, study: content[0]?.study };
  };
  const as = (userType: UserType, permissions: Permission[]) =>
    first({ ...admin.session, userId: newId(), userType, roles: [{ name: 'Auditor', permissions }] });
  const [of, named] = [{ id: patient.id }, { id: study.id }];

  expect(await first(admin.session)).toEqual({
    patient: { ...of, name: 'Doe, Jane', state: 'THERE' },
    study: { ...named, name: 'A-1', state: 'THERE' },
  });
  expect(await as('ADMIN', ['audit.view'])).toEqual({
    patient: { ...of, name: null, state: 'HIDDEN' },
    study: { ...named, name: null, state: 'HIDDEN' },
  });
  const referrer = await as('REFERRING_PHYSICIAN', ['audit.view', 'study.view', 'patient.view']);
  expect([referrer.patient?.name, referrer.study?.name]).toEqual([null, null]);
  await admin.inScope(({ db }) =>
    db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).where('id', '=', study.id).execute(),
  );
  expect((await first(admin.session)).study).toEqual({ ...named, name: null, state: 'DELETED' });
});

test('only users with permission can open the audit log, and it shows nothing of another tenant', async () => {
  const [ours, other] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  await write(other, { detail: { mark: 'of-theirs' } });

  expect(JSON.stringify(await search(ours, { user: other.userId }))).not.toContain('of-theirs');
  const { payload } = await ours.request({ method: 'GET', url: auditExport.path });
  expect(payload).not.toContain('of-theirs');
  const reader = await world.signIn('RADIOLOGIST', ours.tenant);
  expect((await reader.send(endpoints.list)).status).toBe(403);
  expect((await reader.request({ method: 'GET', url: auditExport.path })).statusCode).toBe(403);
});

test('a CSV export uses the filters, contains no formula and is audited', async () => {
  const person = await world.signIn('ADMIN');
  await write(person, { detail: { fields: '=HYPERLINK("x")' } });
  await write(person, { action: 'report.view', entity: 'report', entityId: '=1+1' });

  const { payload, headers } = await person.request({ method: 'GET', url: `${auditExport.path}?action=report.view` });

  expect(headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d{2}-\d{2}\.csv"$/);
  const [head, row, ...rest] = payload.trim().split('\r\n');
  expect(head).toContain('"Time (UTC)","User","Organization","Action"');
  expect(row).toContain('"Viewed report"');
  expect(head).toContain('"User ID","User type"');
  expect(row).toContain(`"${person.userId}","ADMIN"`);
  expect(row).toContain(`"'=1+1"`);
  expect(rest).toEqual([]);
  const [exported] = (await person.send(endpoints.list, { query: { action: 'audit.export' } })).data.content;
  expect(exported?.detail).toEqual({ format: 'csv', filters: 'action' });
});

test('a FHIR export is a bundle of AuditEvents that are valid by the official definitions', async () => {
  const person = await world.signIn('ADMIN');
  const ids = { studyId: newId(), patientId: newId() };
  await write(person, { ...ids, entityId: ids.studyId, detail: { fields: 'description' } });
  for (const action of ['session.refuse', 'study.store', 'new.kind']) {
    await write(person, { action, outcome: action === 'session.refuse' ? 'FAILURE' : 'SUCCESS' }, '');
  }
  await sealAudit(world.context.scopes);

  const { payload } = await person.request({ method: 'GET', url: `${auditExport.path}?format=fhir` });

  const bundle: Bundle<AuditEvent> = JSON.parse(payload);
  const events = bundle.entry?.flatMap(({ resource }) => resource ?? []) ?? [];
  expect(events.length).toBe(5);
  expect(events.flatMap(faultsOf)).toEqual([]);
  expect(faultsOf(bundle)).toEqual([]);
  const viewed = events.at(-1);
  expect(viewed).toMatchObject({
    action: 'R',
    outcome: '0',
    agent: [
      {
        who: { identifier: { value: person.userId }, display: person.username },
        requestor: true,
        network: { address: '127.0.0.1' },
      },
    ],
  });
  expect(JSON.stringify(viewed)).toContain(ids.patientId);
  expect(events.find(({ subtype }) => subtype?.some(({ code }) => code === 'session.refuse'))?.outcome).toBe('4');
  // The official definitions load slowly on a busy machine.
}, 180_000);

const planOf = async (person: Person, where: string): Promise<string> =>
  person.inScope(async ({ db }) => {
    await sql`set local enable_seqscan = off`.execute(db);
    const { rows } = await sql<Record<string, string>>`
      explain (costs off) select * from audit_entries where ${sql.raw(where)}
      order by created_at desc, id desc limit 20000`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

test.each([
  ['audit_entries_date', 'true'],
  ['audit_entries_user', `user_id = '00000000-0000-4000-8000-000000000001'`],
  ['audit_entries_username', `username = 'many1'`],
  ['audit_entries_action', `action = 'a1'`],
  ['audit_entries_failure', `outcome = 'FAILURE'`],
  ['audit_entries_patient', `patient_id = '00000000-0000-4000-8000-000000000001'`],
])('a search of the audit log reads the index %s in order and does not sort', async (index, where) => {
  const person = await world.signIn('ADMIN');
  await sql`insert into audit_entries (tenant_id, user_id, patient_id, username, action, entity, outcome, address)
            select ${person.tenant.id}, one, one, 'many' || n % 200, 'a' || n % 200, 'study',
                   case when n % 200 = 0 then 'FAILURE' else 'SUCCESS' end, '10.0.0.' || n % 200
            from (select n, ('00000000-0000-4000-8000-' || lpad((n % 200)::text, 12, '0'))::uuid as one
                  from generate_series(1, 20000) n) drawn`.execute(world.owner);
  await sql`analyze audit_entries`.execute(world.owner);

  const plan = await planOf(person, where);

  expect(plan).toContain(index);
  expect(plan).not.toContain('Sort');
});
