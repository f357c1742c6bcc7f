import { search } from '@radwork/contract/insight/search';
import { expect, test } from 'vitest';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

const world = await createWorld();
const { participate, finalize } = reportSteps(world);

const studyOf = (
  { tenant }: Person,
  patient_name: string,
  more: { accession_number?: string; description?: string } = {},
) => world.inTenant(tenant, (scope) => addStudy(scope, { ...more, patient: { patient_name } }));

const find = async ({ send }: Person, q: string) => (await send(search.everywhere, { query: { q } })).data;

test('finds patients and studies by a part of the name, and a study by its accession number', async () => {
  const reader = await world.signIn();
  await studyOf(reader, 'Haverkamp^Ines', { accession_number: 'ACC-4711' });
  await studyOf(reader, 'Other^Person');

  const byName = await find(reader, 'verkamp ine');
  const byNumber = await find(reader, 'acc-4711');

  expect(byName.patients.map(({ patientName }) => patientName)).toEqual(['Haverkamp, Ines']);
  expect(byName.studies.map(({ patient }) => patient.patientName)).toEqual(['Haverkamp, Ines']);
  expect(byNumber.studies.map(({ accessionNumber }) => accessionNumber)).toEqual(['ACC-4711']);
  expect(byNumber.patients).toEqual([]);
});

test('finds patients and studies by a name without accents', async () => {
  const reader = await world.signIn();
  await studyOf(reader, 'Núñez^María');

  const { patients, studies } = await find(reader, 'nunez');

  expect(patients.map(({ patientName }) => patientName)).toEqual(['Núñez, María']);
  expect(studies.map(({ patient }) => patient.patientName)).toEqual(['Núñez, María']);
});

test('finds a report by patient, accession number or study, but only for users who may read it', async () => {
  const reader = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const elsewhere = await world.signIn();
  const study = await studyOf(reader, 'Haverkamp^Ines', { accession_number: 'ACC-4711', description: 'Knee left' });
  const { data: report } = await beginReport(reader, study.id);
  const reportIds = async (person: Person, q: string) => (await find(person, q)).reports.map(({ id }) => id);

  expect((await find(reader, 'haver')).reports).toEqual([
    expect.objectContaining({
      id: report.id,
      status: 'DRAFT',
      patientName: 'Haverkamp, Ines',
      accessionNumber: 'ACC-4711',
    }),
  ]);
  expect(await reportIds(reader, 'acc-4711')).toEqual([report.id]);
  expect(await reportIds(reader, 'knee')).toEqual([report.id]);
  expect(await reportIds(elsewhere, 'haver')).toEqual([]);

  await participate(referrer, study.id, 'REFERRER');
  expect(await reportIds(referrer, 'haver'), 'a draft').toEqual([]);
  await finalize(reader, report.id);
  expect(await reportIds(referrer, 'haver'), 'signed').toEqual([report.id]);
});

test('finds no reports for users who may see studies only', async () => {
  const reader = await world.signIn();
  const study = await studyOf(reader, 'Haverkamp^Ines');
  await beginReport(reader, study.id);
  await world.inTenant(reader.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: world.sql`array_remove(permissions, 'report.view')` })
      .execute(),
  );
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);

  const results = await find(colleague, 'haver');

  expect([results.studies.length, results.reports]).toEqual([1, []]);
});

test('finds at most five results of each kind', async () => {
  const reader = await world.signIn();
  for (let count = 0; count < 7; count += 1) await studyOf(reader, `Many^Number ${count}`);

  const { patients, studies } = await find(reader, 'many');

  expect([patients.length, studies.length]).toEqual([5, 5]);
});

test('finds users only for callers who manage users', async () => {
  const [admin, elsewhere] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);

  const results = await find(admin, reader.username);

  expect(results.users.map(({ username }) => username)).toEqual([reader.username]);
  expect((await find(reader, reader.username)).users).toEqual([]);
  expect((await find(elsewhere, reader.username)).users).toEqual([]);
});

test('restricted users find only visible studies, and patients cannot search', async () => {
  const reader = await world.signIn();
  await studyOf(reader, 'Hidden^Person');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const patient = await world.signIn('PATIENT', reader.tenant);

  const results = await find(referrer, 'hidden');
  const refused = await patient.send(search.everywhere, { query: { q: 'hidden' } });

  expect(results).toEqual({ patients: [], studies: [], reports: [], users: [] });
  expect(refused.status).toBe(403);
});

test('finds the visible studies among many studies with the same name', async () => {
  const reader = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const visibleIds = new Map<string, string>();
  const names = ['Adalia', 'Beatrix', 'Cleopha', 'Dorothy', 'Elisava', 'Florian', 'Gerwina', 'Hedwiga', 'Isadora'];
  for (const [number, name] of [...names, 'Otherwise'].entries()) {
    const { id } = await studyOf(reader, name === 'Otherwise' ? 'Called^Otherwise' : `Alike^${name}`);
    const { data } = await beginReport(reader, id);
    expect((await finalize(reader, data.id)).status).toBe(200);
    if (number % 3 === 0 && name !== 'Otherwise') continue;
    if (name !== 'Otherwise') visibleIds.set(id, data.id);
    await participate(referrer, id, 'REFERRER');
  }

  const many = await find(referrer, 'alike');
  const few = await find(referrer, 'alike elisava');
  const none = await find(referrer, 'alike gerwina');

  expect([many.patients.length, many.studies.length, many.reports.length]).toEqual([5, 5, 5]);
  expect(many.studies.map(({ id }) => id).filter((id) => !visibleIds.has(id))).toEqual([]);
  expect(many.reports.map(({ id }) => id)).toEqual([...visibleIds.values()].toReversed().slice(0, 5));
  expect(many.patients.map(({ patientName }) => patientName)).toEqual(
    ['Beatrix', 'Cleopha', 'Elisava', 'Florian', 'Hedwiga'].map((name) => `Alike, ${name}`),
  );
  expect(few.reports.map(({ id }) => id)).toEqual(few.studies.map(({ id }) => visibleIds.get(id)));
  expect([few.patients.length, few.studies.length, few.reports.length]).toEqual([1, 1, 1]);
  expect(none).toEqual({ patients: [], studies: [], reports: [], users: [] });
});

test('treats pattern characters literally and refuses a search for a single letter', async () => {
  const admin = await world.signIn('ADMIN');

  const everything = await find(admin, '%%');
  const short = await admin.send(search.everywhere, { query: { q: ' a ' } });

  expect(everything).toEqual({ patients: [], studies: [], reports: [], users: [] });
  expect(short).toMatchObject({ status: 400, message: 'Type at least 2 characters' });
});

test('audits searches of a user once a minute, not for every letter', async () => {
  const reader = await world.signIn();

  for (const q of ['ha', 'hav', 'have']) await find(reader, q);

  const entries = await world.inTenant(reader.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['username', 'action']).where('action', '=', 'search.run').execute(),
  );
  expect(entries.length).toBeLessThanOrEqual(2);
  expect(entries[0]).toEqual({ username: reader.username, action: 'search.run' });
});

test('audits a user who searches in two organizations within a minute in both of them', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const visited = await world.newTenant();
  const visiting = { headers: { 'x-tenantid': visited.subdomain } };

  for (const headers of [{}, visiting]) await visitor.send(search.everywhere, { query: { q: 'have' }, ...headers });

  const searches = (tenant: Tenant) =>
    world.inTenant(tenant, ({ db }) =>
      db.selectFrom('audit_entries').select('username').where('action', '=', 'search.run').execute(),
    );
  expect(await searches(visitor.tenant)).toContainEqual({ username: visitor.username });
  expect(await searches(visited)).toContainEqual({ username: visitor.username });
});
