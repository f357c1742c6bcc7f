import { canMove } from '@radwork/contract/core/moves';
import { studies } from '@radwork/contract/imaging/studies';
import { studyMoves, studyStatuses } from '@radwork/contract/imaging/study-status';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { beginReport, reportSteps, sortedStatuses } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { newStudy, read, changeStatus, assign, unassign, events, notificationsTo, audited, letTimePass } =
  workSteps(world);
const { begin, finalize, participate } = reportSteps(world);

const pairs = studyStatuses.flatMap((from) => studyStatuses.map((to) => ({ from, to })));

test('users can change the status of a study only as the status table allows', async () => {
  const person = await world.signIn();

  const answers = new Map<string, number>();
  for (const { from, to } of pairs) {
    const { status } = await changeStatus(person, await newStudy(person, from), to);
    answers.set(`${from}->${to}`, status);
  }

  expect(answers).toEqual(
    new Map(pairs.map(({ from, to }) => [`${from}->${to}`, canMove(studyMoves, from, to) ? 200 : 409])),
  );
});

test.each(studyStatuses)('a study that is %s offers the status changes of the status table', async (status) => {
  const person = await world.signIn();

  const { data } = await read(person, await newStudy(person, status));

  expect(data).toMatchObject({ status, moves: studyMoves[status], assignments: [], revision: 1 });
});

test('records a status change once, with comment and user', async () => {
  const person = await world.signIn();
  const id = await newStudy(person);

  const { data } = await changeStatus(person, id, 'IN_PROGRESS', { comments: 'Reading now' });

  expect(data).toMatchObject({ status: 'IN_PROGRESS', revision: 2, moves: ['COMPLETED', 'CANCELLED'] });
  const history = await person.send(workflow.history, { params: { id } });
  expect(history.data.content).toEqual([
    {
      id: expect.any(String),
      type: 'STUDY_STATUS_CHANGE',
      typeDescription: 'Study status',
      timestamp: expect.any(String),
      displayValue: 'IN_PROGRESS',
      details: 'Reading now',
      user: { username: person.username },
    },
  ]);
  expect(await audited(person, 'study.status')).toEqual([
    { username: person.username, study_id: id, detail: { from: 'PENDING', to: 'IN_PROGRESS' } },
  ]);
});

test('a refused status change names the current status', async () => {
  const person = await world.signIn();
  const id = await newStudy(person, 'COMPLETED');

  const refused = await changeStatus(person, id, 'IN_PROGRESS');

  expect(refused).toMatchObject({
    status: 409,
    error: 'study.state',
    message: 'The study is now Completed and cannot become In progress',
  });
  expect(await events(person, id)).toEqual([]);
});

test('of two simultaneous status changes, one succeeds, and the error of the other names the new status', async () => {
  const [one, id] = await world.signIn().then(async (person) => [person, await newStudy(person)] as const);
  const other = await world.signIn('RADIOLOGIST', one.tenant);
  const { revision } = (await read(one, id)).data;

  const answers = await Promise.all([
    changeStatus(one, id, 'CANCELLED', { revision }),
    changeStatus(other, id, 'IN_PROGRESS', { revision }),
  ]);

  expect(sortedStatuses(answers)).toEqual([200, 409]);
  const now = (await read(one, id)).data.status === 'CANCELLED' ? 'Canceled' : 'In progress';
  // If the study is now in progress, it may still be canceled, so the call was refused because of its revision. If it
  // is canceled, its status cannot change.
  expect(answers.find(({ status }) => status === 409)?.message).toMatch(new RegExp(`is now ${now}`, 'u'));
  expect(await events(one, id)).toHaveLength(1);
});

test('applies simultaneous identical status changes once', async () => {
  const person = await world.signIn();
  const id = await newStudy(person, 'IN_PROGRESS');

  const answers = await Promise.all(Array.from({ length: 5 }, () => changeStatus(person, id, 'COMPLETED')));

  expect(sortedStatuses(answers)).toEqual([200, 409, 409, 409, 409]);
  expect(await events(person, id)).toEqual([`STUDY_STATUS_CHANGE COMPLETED by ${person.username}`]);
});

test('refuses a status change from an outdated status, even if the table allows it from the current status', async () => {
  const person = await world.signIn();
  const id = await newStudy(person);
  await changeStatus(person, id, 'IN_PROGRESS');

  const refused = await changeStatus(person, id, 'CANCELLED', { revision: 1 });

  expect(refused).toMatchObject({
    status: 409,
    error: 'study.changed',
    message: 'Another user changed the study. It is now In progress.',
  });
});

test.each([
  ['a missing value', {}],
  ['an unknown status', { newStatus: 'LOST' }],
])('refuses %s as a new status', async (_, query) => {
  const person = await world.signIn();

  const refused = await person.send(workflow.changeStatus, { params: { id: await newStudy(person) }, query });

  expect(refused).toMatchObject({ status: 400, message: 'Please select a new status' });
});

test('refuses comments longer than the limit', async () => {
  const person = await world.signIn();

  const refused = await changeStatus(person, await newStudy(person), 'IN_PROGRESS', { comments: 'x'.repeat(2001) });

  expect(refused).toMatchObject({ status: 400, message: 'Comments are longer than 2,000 characters' });
});

test('a referring physician sees the status and the reason why they cannot change it', async () => {
  const physician = await world.signIn('REFERRING_PHYSICIAN');
  const id = await newStudy(physician);
  await participate(physician, id, 'REFERRER');

  const { data } = await read(physician, id);
  const refused = await changeStatus(physician, id, 'CANCELLED');

  expect(data.moves).toEqual([]);
  expect(data.refusals).toMatchObject({
    status: 'You do not have permission to change the status of studies',
    assigning: 'You do not have permission to assign studies',
  });
  expect(refused.status).toBe(403);
});

test('a referring physician cannot find studies of other physicians', async () => {
  const physician = await world.signIn('REFERRING_PHYSICIAN');

  expect(await read(physician, await newStudy(physician))).toMatchObject({ status: 404, error: 'study.not_found' });
});

test('a super administrator who visits another organization can only view the status', async () => {
  const member = await world.signIn();
  const visitor = await world.signIn('SUPER_ADMIN');
  const id = await newStudy(member, 'PENDING');
  const headers = { 'x-tenantid': member.tenant.subdomain };

  const visitorsView = await visitor.send(workflow.read, { params: { id }, headers });
  const moved = await visitor.send(workflow.changeStatus, {
    params: { id },
    query: { newStatus: 'CANCELLED' },
    headers,
  });
  const body = { userIds: [member.userId] };
  const assigned = await visitor.send(workflow.assign, { params: { id }, body, headers });

  expect(visitorsView.data).toMatchObject({
    moves: [],
    refusals: { status: 'Only members of this organization can do this' },
  });
  expect([moved.status, assigned.status]).toEqual([403, 403]);
});

test('a status change notifies all users involved except its author, and does not name the patient', async () => {
  const person = await world.signIn();
  const reader = await world.signIn('RADIOLOGIST', person.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const id = await newStudy(person, 'IN_PROGRESS', { description: 'Chest', modality: 'CT' });
  await assign(person, id, [reader, person]);
  await participate(referrer, id, 'REFERRER');

  await changeStatus(person, id, 'COMPLETED');

  const notice = {
    type: 'STUDY_STATUS',
    title: 'One of your studies is now Completed',
    message: 'CT · Chest',
    link: `/studies/${id}`,
  };
  expect((await notificationsTo(reader))[0]).toEqual(notice);
  expect(await notificationsTo(referrer)).toEqual([notice]);
  expect((await notificationsTo(person)).some(({ type }) => type === 'STUDY_STATUS')).toBe(false);
});

test('a status change caused by a report is attributed to the system with its cause, and users are notified', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id: reportId } = await begin(author);
  await participate(referrer, study.id, 'REFERRER');

  await finalize(author, reportId);

  const { data } = await author.send(workflow.history, { params: { id: study.id } });
  expect(data.content[0]).toMatchObject({
    type: 'STUDY_STATUS_CHANGE',
    displayValue: 'COMPLETED',
    details: 'The report was finalized',
    user: { username: 'system' },
  });
  expect(await notificationsTo(referrer)).toMatchObject([{ title: 'One of your studies is now Completed' }]);
});

test('only a super administrator can reinstate a canceled study, and only with a reason', async () => {
  const chief = await world.signIn('SUPER_ADMIN');
  const admin = await world.signIn('ADMIN', chief.tenant);
  const id = await newStudy(chief, 'CANCELLED');
  const bring = (person: typeof chief, study: string, reason = 'Wrong study') =>
    person.send(workflow.reinstate, { params: { id: study }, body: { reason } });

  const unexplained = await bring(chief, id, ' ');
  const other = await bring(admin, id);
  const pending = await bring(chief, await newStudy(chief));
  const { data } = await bring(chief, id);

  expect(unexplained).toMatchObject({ status: 422, message: 'Reason is required' });
  expect(other.status).toBe(403);
  expect(pending).toMatchObject({
    status: 409,
    message: 'The study is Pending. Only canceled studies can be reinstated.',
  });
  expect(data.status).toBe('PENDING');
  expect(await audited(chief, 'study.reinstate')).toHaveLength(1);
  const history = await chief.send(workflow.history, { params: { id } });
  expect(history.data.content[0]?.details).toBe('Reinstated: Wrong study');
});

test('a reinstated study gets the status that follows from its report and assignments', async () => {
  const chief = await world.signIn('SUPER_ADMIN');
  const reader = await world.signIn('RADIOLOGIST', chief.tenant);
  const report = await begin(reader);
  const assigned = await newStudy(chief);
  await assign(chief, assigned, [reader]);
  await changeStatus(chief, report.study.id, 'CANCELLED');
  await changeStatus(chief, assigned, 'CANCELLED');

  const bring = (id: string) => chief.send(workflow.reinstate, { params: { id }, body: { reason: 'Mistake' } });

  expect((await bring(report.study.id)).data.status).toBe('IN_PROGRESS');
  expect((await bring(assigned)).data.status).toBe('ASSIGNED');
});

test('a reinstated study is not returned to a user who was removed before the cancellation', async () => {
  const chief = await world.signIn('SUPER_ADMIN');
  const assigned = await world.signIn('RADIOLOGIST', chief.tenant);
  const removed = await world.signIn('RADIOLOGIST', chief.tenant);
  const id = await newStudy(chief);
  await assign(chief, id, [assigned, removed]);
  await unassign(chief, id, removed);
  await changeStatus(chief, id, 'CANCELLED');

  const { data } = await chief.send(workflow.reinstate, { params: { id }, body: { reason: 'Mistake' } });

  expect(data.assignments.map(({ user, status }) => [user.id, status])).toEqual([
    [assigned.userId, 'ACTIVE'],
    [removed.userId, 'CANCELLED'],
  ]);
});

test.each([
  ['COMPLETED', 'COMPLETED', 'completed with the study'],
  ['CANCELLED', 'CANCELLED', 'ended because the study was canceled'],
])('a status change to %s ends the assignments of the study, which never become overdue', async (to, ended, words) => {
  const person = await world.signIn();
  const reader = await world.signIn('RADIOLOGIST', person.tenant);
  const id = await newStudy(person, 'IN_PROGRESS');
  await assign(person, id, [reader]);
  await letTimePass(person, id);

  const { data } = await changeStatus(person, id, to);

  expect(data.assignments).toMatchObject([{ status: ended, user: { id: reader.userId } }]);
  const views = await reader.send(studies.views);
  expect([views.data.MINE.total, views.data.OVERDUE.total]).toEqual([0, 0]);
  const history = await person.send(workflow.history, { params: { id } });
  expect(history.data.content[0]).toMatchObject({
    type: 'STUDY_ASSIGNMENT',
    displayValue: ended,
    details: expect.stringContaining(words),
    user: { username: 'system' },
  });
});

test("signing the report completes the signer's assignment", async () => {
  const reader = await world.signIn();
  const { study, id: reportId } = await begin(reader);
  await assign(reader, study.id, [reader]);

  await finalize(reader, reportId);

  const { data } = await read(reader, study.id);
  expect(data).toMatchObject({ status: 'COMPLETED', assignments: [{ status: 'COMPLETED' }] });
});

test('a deleted study shows no assignments and accepts no status changes', async () => {
  const admin = await world.signIn('ADMIN');
  const id = await newStudy(admin);
  await admin.send(studies.remove, { params: { id } });

  expect(await read(admin, id)).toMatchObject({ status: 404 });
  expect(await changeStatus(admin, id, 'CANCELLED')).toMatchObject({ status: 404 });
  expect(await changeStatus(admin, newId(), 'CANCELLED')).toMatchObject({ status: 404 });
});

test('a draft that begins during the cancellation does not reinstate the study', async () => {
  const author = await world.signIn();
  const id = await newStudy(author, 'ASSIGNED');

  const [canceled, draft] = await Promise.all([
    changeStatus(author, id, 'CANCELLED'),
    beginReport(author, id, { content: '<p>Text</p>' }),
  ]);

  expect(canceled.status).toBe(200);
  expect([200, 409]).toContain(draft.status);
  expect((await read(author, id)).data.status).toBe('CANCELLED');
});
