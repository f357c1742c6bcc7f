import { bulkChanges } from '@radwork/contract/reading/bulk-changes';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { listeningTo, receiveEvents } from '#test/listen-live.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const listen = listeningTo(world);
const { newStudy, assign, changeStatus, events, notificationsTo, audited } = workSteps(world);

const rowOf = async (person: Person, id: string) => (await person.send(studies.get, { params: { id } })).data;

const fewStudies = (person: Person, count: number) =>
  Promise.all(Array.from({ length: count }, () => newStudy(person)));

test('assigns several studies in one act: each has its history, and the assignee gets one notification', async () => {
  const assigner = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', assigner.tenant);
  const ids = await fewStudies(assigner, 3);
  const atReader = await listen(reader);

  const { data } = await assigner.send(bulkChanges.assign, { body: { studyIds: ids, userIds: [reader.userId] } });

  expect(data).toEqual(ids.map((studyId) => ({ studyId, outcome: 'CHANGED', reason: '', before: '' })));
  expect(await rowOf(reader, ids[0] ?? '')).toMatchObject({ status: 'ASSIGNED', assignees: [{ id: reader.userId }] });
  expect(await events(assigner, ids[1] ?? '')).toEqual([
    'STUDY_STATUS_CHANGE ASSIGNED by system',
    `STUDY_ASSIGNMENT ACTIVE by ${assigner.username}`,
  ]);
  expect(await audited(assigner, 'study.assign')).toHaveLength(3);
  expect(await notificationsTo(reader)).toEqual([
    {
      type: 'ASSIGNMENT',
      title: '3 studies were assigned to you',
      message: 'Open the list of your studies',
      link: '/studies?view=MINE',
    },
  ]);
  const kinds = (await receiveEvents(atReader, 2)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['notifications', 'studies']);
});

test('a study that cannot change is refused, and the others change', async () => {
  const assigner = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', assigner.tenant);
  const stranger = await world.signIn('ADMIN');
  const [open, taken, done, foreign, missing] = [
    await newStudy(assigner),
    await newStudy(assigner),
    await newStudy(assigner, 'COMPLETED'),
    await newStudy(stranger),
    newId(),
  ];
  await assign(assigner, taken, [reader]);
  const studyIds = [done, open, foreign, taken, missing];

  const { data } = await assigner.send(bulkChanges.assign, { body: { studyIds, userIds: [reader.userId] } });

  expect(data.map(({ outcome, reason }) => `${outcome} ${reason}`.trim())).toEqual([
    'REFUSED The study is Completed. No user can be assigned to it.',
    'CHANGED',
    'REFUSED Study not found',
    `REFUSED The study is already assigned to ${reader.username}. No user was assigned.`,
    'REFUSED Study not found',
  ]);
  expect((await rowOf(assigner, open)).assignees).toHaveLength(1);
});

test('a dry run tells what would change and writes nothing', async () => {
  const assigner = await world.signIn('ADMIN');
  const id = await newStudy(assigner);
  const body = { studyIds: [id], isDryRun: true };

  const priority = await assigner.send(bulkChanges.prioritize, { body: { ...body, priority: 'STAT' } });
  const status = await assigner.send(bulkChanges.changeStatus, { body: { ...body, newStatus: 'CANCELLED' } });
  const assigned = await assigner.send(bulkChanges.assign, {
    body: { ...body, userIds: [(await aReader(assigner)).userId] },
  });

  for (const { data } of [priority, status, assigned]) expect(data).toMatchObject([{ outcome: 'CHANGED' }]);
  expect(await rowOf(assigner, id)).toMatchObject({
    priority: 'ROUTINE',
    status: 'PENDING',
    assignees: [],
    revision: 1,
  });
  expect(await events(assigner, id)).toEqual([]);
});

const aReader = (person: Person) => world.signIn('RADIOLOGIST', person.tenant);

test('the outcome of an assignment can be undone: assignment, access and status go back', async () => {
  const assigner = await world.signIn('ADMIN');
  const reader = await aReader(assigner);
  const studyIds = await fewStudies(assigner, 2);
  const body = { studyIds, userIds: [reader.userId] };
  await assigner.send(bulkChanges.assign, { body });

  const { data } = await assigner.send(bulkChanges.unassign, { body });
  const again = await assigner.send(bulkChanges.unassign, { body });

  expect(data.map(({ outcome }) => outcome)).toEqual(['CHANGED', 'CHANGED']);
  expect(again.data.map(({ outcome }) => outcome)).toEqual(['UNCHANGED', 'UNCHANGED']);
  expect(await rowOf(assigner, studyIds[0] ?? '')).toMatchObject({ status: 'PENDING', assignees: [] });
  expect((await notificationsTo(reader))[0]).toMatchObject({ title: 'You are no longer assigned to 2 studies' });
});

test('an undo leaves what another user has assigned', async () => {
  const assigner = await world.signIn('ADMIN');
  const colleague = await world.signIn('ADMIN', assigner.tenant);
  const reader = await aReader(assigner);
  const studyIds = await fewStudies(assigner, 1);
  const body = { studyIds, userIds: [reader.userId] };
  await colleague.send(bulkChanges.assign, { body });

  const { data } = await assigner.send(bulkChanges.unassign, { body: { ...body, isUndo: true } });

  expect(data.map(({ outcome }) => outcome)).toEqual(['UNCHANGED']);
  expect((await rowOf(assigner, studyIds[0] ?? '')).assignees).toHaveLength(1);
});

test('a priority is set, tells the earlier one, and is undone only where no user changed it meanwhile', async () => {
  const reader = await world.signIn();
  const [urgent, routine] = [
    await newStudy(reader, 'PENDING', { priority: 'URGENT' }),
    await newStudy(reader, 'PENDING', { priority: 'ROUTINE' }),
  ];
  const studyIds = [urgent, routine];

  const { data } = await reader.send(bulkChanges.prioritize, { body: { studyIds, priority: 'STAT' } });
  await reader.send(bulkChanges.prioritize, { body: { studyIds: [routine], priority: 'URGENT' } });
  const undone = await reader.send(bulkChanges.prioritize, {
    body: { studyIds, priority: 'ROUTINE', onlyFrom: 'STAT' },
  });

  expect(data.map(({ before }) => before)).toEqual(['URGENT', 'ROUTINE']);
  expect(undone.data).toMatchObject([
    { outcome: 'CHANGED', before: 'STAT' },
    { outcome: 'UNCHANGED', reason: 'Another user changed the priority' },
  ]);
  expect(await rowOf(reader, urgent)).toMatchObject({ priority: 'ROUTINE', revision: 3 });
  expect(await audited(reader, 'study.update')).toHaveLength(4);
});

test('a status changes where the state machine allows it, and users who take part are notified once', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await aReader(admin);
  const open = await fewStudies(admin, 2);
  for (const id of open) await assign(admin, id, [reader]);
  const archived = await newStudy(admin, 'ARCHIVED');

  const { data } = await admin.send(bulkChanges.changeStatus, {
    body: { studyIds: [...open, archived], newStatus: 'CANCELLED', comments: 'Scanner fault' },
  });

  expect(data.map(({ outcome, before }) => `${outcome} ${before}`.trim())).toEqual([
    'CHANGED ASSIGNED',
    'CHANGED ASSIGNED',
    'REFUSED',
  ]);
  expect(await rowOf(admin, open[0] ?? '')).toMatchObject({ status: 'CANCELLED', assignees: [] });
  expect((await notificationsTo(reader))[0]).toMatchObject({
    type: 'STUDY_STATUS',
    title: '2 of your studies have a new status',
    message: 'Canceled',
  });
});

test('a status changes only where the study still has the status that the caller saw', async () => {
  const admin = await world.signIn('ADMIN');
  const [unchanged, taken, notAgreed] = [await newStudy(admin), await newStudy(admin), await newStudy(admin)];
  const studyIds = [unchanged, taken, notAgreed];
  await changeStatus(admin, taken, 'IN_PROGRESS');
  const onlyFrom = { [unchanged]: 'PENDING', [taken]: 'PENDING' } as const;

  const { data } = await admin.send(bulkChanges.changeStatus, {
    body: { studyIds, newStatus: 'CANCELLED', onlyFrom },
  });

  expect(data.map(({ outcome, reason }) => `${outcome} ${reason}`.trim())).toEqual([
    'CHANGED',
    'UNCHANGED Another user changed the study',
    'UNCHANGED Another user changed the study',
  ]);
  expect((await rowOf(admin, taken)).status).toBe('IN_PROGRESS');
});

test('a visitor of another organization changes neither assignments nor statuses', async () => {
  const member = await world.signIn();
  const visitor = await world.signIn('SUPER_ADMIN');
  const studyIds = [await newStudy(member)];
  const headers = { 'x-tenantid': member.tenant.subdomain };

  const assigned = await visitor.send(bulkChanges.assign, { body: { studyIds, userIds: [member.userId] }, headers });
  const moved = await visitor.send(bulkChanges.changeStatus, { body: { studyIds, newStatus: 'CANCELLED' }, headers });

  for (const { data } of [assigned, moved]) {
    expect(data).toMatchObject([{ outcome: 'REFUSED', reason: 'Only members of this organization can do this' }]);
  }
});

test('500 studies change in one call', { timeout: 60_000 }, async () => {
  const assigner = await world.signIn('ADMIN');
  const reader = await aReader(assigner);
  const first = await newStudy(assigner);
  await world.sql`
    insert into studies (tenant_id, id, patient_id, study_instance_uid, status, modality, patient_name, patient_identifier)
    select s.tenant_id, gen_random_uuid(), s.patient_id, s.study_instance_uid || '.' || n, 'PENDING', 'CT',
           s.patient_name, s.patient_identifier
    from studies s, generate_series(1, 499) n where s.id = ${first}`.execute(world.owner);
  const { data: found } = await assigner.send(studies.matching, { query: {} });

  const { data } = await assigner.send(bulkChanges.assign, { body: { studyIds: found.ids, userIds: [reader.userId] } });
  const tooMany = await assigner.send(bulkChanges.prioritize, {
    body: { studyIds: [...found.ids, newId()], priority: 'STAT' },
  });

  expect(found).toMatchObject({ isMore: false });
  expect(data.filter(({ outcome }) => outcome === 'CHANGED')).toHaveLength(500);
  expect((await reader.send(studies.views)).data.MINE.total).toBe(500);
  expect(tooMany).toMatchObject({ code: 422, message: 'Choose at most 500 studies' });
});

test('bulk notifications do not count studies that the groups of their reader hide', async () => {
  const assigner = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', assigner.tenant);
  const studyIds = await fewStudies(assigner, 3);
  await assigner.send(bulkChanges.assign, { body: { studyIds, userIds: [reader.userId] } });
  const groupId = await limitToNewGroup(world, reader);
  for (const id of studyIds.slice(1)) await putInGroups(world, assigner.tenant, id, [groupId]);

  await assigner.send(bulkChanges.changeStatus, { body: { studyIds, newStatus: 'IN_PROGRESS', comments: '' } });
  await assigner.send(bulkChanges.unassign, { body: { studyIds, userIds: [reader.userId] } });

  expect((await notificationsTo(reader)).slice(0, 2).map(({ title }) => title)).toEqual([
    'You are no longer assigned to 2 studies',
    '2 of your studies have a new status',
  ]);
});
