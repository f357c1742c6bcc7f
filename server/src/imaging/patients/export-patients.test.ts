import { byteOrderMark } from '@radwork/contract/core/csv';
import { patientExport } from '@radwork/contract/imaging/patients';
import { expect, test } from 'vitest';
import { limitToNewGroup } from '#test/limited-user.ts';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { exportPatients } from './export-patients.ts';

const world = await createWorld();
const { audited } = workSteps(world);

const exported = async (person: Person, query: Record<string, string> = {}) => {
  const url = `${patientExport.path}?${new URLSearchParams(query)}`;
  const reply = await person.request({ method: 'GET', url });
  return { status: reply.statusCode, type: reply.headers['content-type'], text: reply.body };
};
const add = (person: Person, patient_name: string, more: Parameters<typeof addStudy>[1] = {}) =>
  world.inTenant(person.tenant, (scope) =>
    addStudy(scope, { patient_name, ...more, patient: { patient_name, patient_id: `P-${patient_name}` } }),
  );
const linesOf = (text: string) => text.split('\r\n').slice(1, -1);
const namesIn = (text: string) => linesOf(text).map((line) => line.split(',"')[0]);

test('exports the patients that the list finds, in its order, and audits the number', async () => {
  const reader = await world.signIn();
  await add(reader, 'Beta');
  await add(reader, 'Alpha');
  await add(reader, 'Gamma');

  const { status, type, text } = await exported(reader, { sort: 'patientName,desc', searchQuery: 'a', gender: '' });

  expect({ status, type }).toEqual({ status: 200, type: 'text/csv; charset=utf-8' });
  expect(text.startsWith(`${byteOrderMark}"Patient Name","Patient ID","ID issuer"`)).toBe(true);
  expect(namesIn(text)).toEqual(['"Gamma"', '"Beta"', '"Alpha"']);
  expect(linesOf(text)[0]).toContain('"P-Gamma"');
  expect(await audited(reader, 'patient.exportList')).toMatchObject([
    { username: reader.username, detail: { patients: 3 } },
  ]);
});

test('a limited user exports only patients of own groups, and another organization none of them', async () => {
  const reader = await world.signIn();
  const limited = await world.signIn('RADIOLOGIST', reader.tenant);
  const groupId = await limitToNewGroup(world, limited);
  await add(reader, 'Shown', { group_ids: [groupId] });
  await add(reader, 'Hidden');

  expect(namesIn((await exported(limited)).text)).toEqual(['"Shown"']);
  expect(namesIn((await exported(await world.signIn())).text)).toEqual([]);
});

test('a formula in the name of a patient does not run in a spreadsheet', async () => {
  const reader = await world.signIn();
  await add(reader, '+1+1');

  expect(namesIn((await exported(reader)).text)).toEqual([`"'+1+1"`]);
});

test('an export that ends at the limit says so in its last line', async () => {
  const reader = await world.signIn();
  for (const name of ['A', 'B', 'C']) await add(reader, name);
  const sent: string[] = [];
  const reply = {
    type: () => reply,
    header: () => reply,
    send: async (lines: AsyncIterable<string>) => {
      for await (const line of lines) sent.push(line);
    },
  };

  const call = { request: { query: {} }, reply, session: reader.session };
  await exportPatients(world.context.scopes, call as never, 2);

  expect(linesOf(sent.join('')).at(-1)).toBe(
    '"This export ends at 2 patients. More patients match. Choose more filters."',
  );
  expect(linesOf(sent.join(''))).toHaveLength(3);
});

test.each([
  ['a filter that is not valid', 'RADIOLOGIST', { minAge: '50', maxAge: '40' }, 400],
  ['a referring physician', 'REFERRING_PHYSICIAN', {}, 403],
] as const)('refuses %s', async (_, userType, query, status) => {
  expect((await exported(await world.signIn(userType), query)).status).toBe(status);
});
