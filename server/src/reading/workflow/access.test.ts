import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { sortedStatuses } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, changeStatus, assign, unassign, takeAccess, complete, events, notificationsTo, audited, read } =
  workSteps(world);

/** Creates a referring physician with an assigned study. */
const practice = async () => {
  const assigner = await world.signIn('ADMIN');
  const physician = await world.signIn('REFERRING_PHYSICIAN', assigner.tenant);
  const id = await newStudy(assigner);
  await assign(assigner, id, [physician]);
  const statusOfStudy = async () => (await physician.send(studies.get, { params: { id } })).status;
  return { assigner, physician, id, sight: statusOfStudy };
};

type Practice = Awaited<ReturnType<typeof practice>>;

test.each<[string, (setup: Practice) => Promise<unknown>]>([
  ['the referring physician completed the assignment', ({ physician, id }) => complete(physician, id, physician)],
  ['the study was canceled', ({ assigner, id }) => changeStatus(assigner, id, 'CANCELLED')],
])("a user who may assign can remove a referring physician's access to a study after %s", async (_, end) => {
  const setup = await practice();
  const { assigner, physician, id, sight: statusOfStudy } = setup;
  await end(setup);
  const before = (await read(assigner, id)).data.assignments;
  const seenBefore = await statusOfStudy();

  const { status, data } = await takeAccess(assigner, id, physician);

  expect([seenBefore, status, await statusOfStudy()]).toEqual([200, 200, 404]);
  expect(before.map(({ keepsAccess }) => keepsAccess)).toEqual([true]);
  expect(data.assignments.map(({ keepsAccess }) => keepsAccess)).toEqual([false]);
  expect((await events(assigner, id))[0]).toBe(`STUDY_ASSIGNMENT CANCELLED by ${assigner.username}`);
  expect(await audited(assigner, 'study.takeAccess')).toMatchObject([{ detail: { assignee: physician.userId } }]);
  expect((await notificationsTo(physician))[0]?.title).toBe('You are no longer assigned to a study');
});

test('before completion of an assignment, a call to remove access is refused; after it, a call to unassign is', async () => {
  const { assigner, physician, id, sight: statusOfStudy } = await practice();

  const tooEarly = await takeAccess(assigner, id, physician);
  await complete(physician, id, physician);
  const tooLate = await unassign(assigner, id, physician);

  const { username } = physician;
  expect(tooEarly).toMatchObject({ status: 409, message: `The study is now assigned to ${username}` });
  expect(tooLate).toMatchObject({ status: 409, message: `The assignment of ${username} is already completed` });
  expect(await statusOfStudy()).toBe(200);
});

test('only one of two simultaneous calls removes the access, and the other is refused', async () => {
  const { assigner, physician, id } = await practice();
  await complete(physician, id, physician);

  const answers = await Promise.all([1, 2].map(() => takeAccess(assigner, id, physician)));

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toBe(
    `Access to the study was already revoked from ${physician.username}`,
  );
});

test('only users who may assign studies can remove access', async () => {
  const { physician, id, sight: statusOfStudy } = await practice();
  await complete(physician, id, physician);

  expect(await takeAccess(physician, id, physician)).toMatchObject({ status: 403 });
  expect(await statusOfStudy()).toBe(200);
});

test('a user keeps access through completed work after a later assignment is removed', async () => {
  const { assigner, physician, id, sight: statusOfStudy } = await practice();
  await complete(physician, id, physician);
  await assign(assigner, id, [physician]);

  const { data } = await unassign(assigner, id, physician);
  const afterRemoval = await statusOfStudy();
  await takeAccess(assigner, id, physician);
  const afterTaking = await statusOfStudy();
  await assign(assigner, id, [physician]);
  await unassign(assigner, id, physician);

  expect(data.assignments.map(({ status, keepsAccess }) => [status, keepsAccess])).toEqual([
    ['CANCELLED', true],
    ['COMPLETED', false],
  ]);
  expect([afterRemoval, afterTaking, await statusOfStudy()]).toEqual([200, 404, 404]);
});

test('a reinstated study is not returned to a user who lost access while it was canceled', async () => {
  const { assigner, physician, id, sight: statusOfStudy } = await practice();
  const chief: Person = await world.signIn('SUPER_ADMIN', assigner.tenant);
  await changeStatus(assigner, id, 'CANCELLED');
  await takeAccess(assigner, id, physician);

  const { data } = await chief.send(workflow.reinstate, { params: { id }, body: { reason: 'Mistake' } });

  expect(data).toMatchObject({ status: 'PENDING', assignments: [{ status: 'CANCELLED' }] });
  expect(await statusOfStudy()).toBe(404);
});
