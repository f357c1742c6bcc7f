import { readingLocks } from '@radwork/contract/reading/reading-locks';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const steps = reportSteps(world);

const store = (person: Person) => world.inTenant(person.tenant, (scope) => addStudy(scope));

test('the audit log of a study lists user, action and time, newest first, for that study only', async () => {
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

test('all viewers of a study see its last five audit entries; users who may read the audit log see all', async () => {
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

test('users who see no drafts see that a report was signed, but no earlier step', async () => {
  const author = await world.signIn('RADIOLOGIST');
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await steps.begin(author);
  await steps.participate(referrer, study.id, 'REFERRER');
  await steps.participate(colleague, study.id, 'ASSIGNEE');
  await author.send(readingLocks.take, { params: { id: study.id }, body: {} });
  await colleague.send(readingLocks.take, {
    params: { id: study.id },
    body: { takeOverFrom: author.username, reason: 'Night shift' },
  });
  await author.send(reports.addCriticalFinding, { params: { id }, body: { finding: 'Mass', severity: 'CRITICAL' } });
  const actionsFor = async (person: Person) => {
    const { data } = await person.send(studies.audit, { params: { id: study.id } });
    // Everyone who may see the study sees the entries of views.
    return data.map(({ action }) => action).filter((action) => action !== 'study.view');
  };

  const ofDraft = await actionsFor(referrer);
  const inside = await actionsFor(colleague);
  await steps.finalize(colleague, id);

  expect(ofDraft).toEqual([]);
  expect(inside).toEqual(['report.addCriticalFinding', 'study.takeOverReading', 'report.create']);
  expect(await actionsFor(referrer)).toEqual(['report.finalize']);
});
