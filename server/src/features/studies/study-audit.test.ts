import { studies } from '@radwork/contract/studies';
import { expect, test } from 'vitest';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const store = (person: Person) => world.inTenant(person.tenant, (scope) => addStudy(scope));

test('the audit of a study tells who did what and when, the newest first, and of no other study', async () => {
  const person = await world.signIn();
  const [{ id }, other] = [await store(person), await store(person)];
  await person.send(studies.get, { params: { id } });
  await person.send(studies.get, { params: { id: other.id } });
  await person.send(studies.update, { params: { id }, body: { revision: 1, description: 'Knee' } });

  const { data } = await person.send(studies.audit, { params: { id } });

  const { username } = person;
  expect(data).toMatchObject([
    { action: 'study.update', username, outcome: 'SUCCESS' },
    { action: 'study.view', username, outcome: 'SUCCESS' },
  ]);
  expect(Math.abs(Date.parse(data[0]?.timestamp ?? '') - Date.now())).toBeLessThan(3_600_000);
});

test('five entries are for everybody who sees the study, all of them for those who may read the audit', async () => {
  const administrator = await world.signIn('ADMIN');
  const radiologist = await world.signIn('RADIOLOGIST', administrator.tenant);
  const { id } = await store(administrator);
  for (let views = 0; views < 7; views += 1) await administrator.send(studies.get, { params: { id } });

  const ask = (person: Person, query: { size?: number }) => person.send(studies.audit, { params: { id }, query });
  const answers = await Promise.all([
    ask(administrator, {}),
    ask(administrator, { size: 50 }),
    ask(radiologist, { size: 50 }),
  ]);

  expect(answers.map(({ data }) => data.length)).toEqual([5, 7, 5]);
});
