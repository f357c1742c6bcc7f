import { groups } from '@radwork/contract/identity/groups';
import { type AssignmentRuleForm, assignmentRules } from '@radwork/contract/reading/assignment-rules';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { setStatus } from '#identity/users/change-user.ts';
import { announceArrivals } from '#imaging/study-arrivals/announce-arrivals.ts';
import { addGroup, joinGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';
import { assignByRules } from './assign-by-rules.ts';

const world = await createWorld();
const { assign, complete, unassign, events, notificationsTo, audited, read, ...steps } = workSteps(world);

/** Creates a study of today. Rules leave old studies. */
const newStudy = (person: Person, overrides: Parameters<typeof steps.newStudy>[2] = {}) =>
  steps.newStudy(person, 'PENDING', { study_date: new Date().toISOString().slice(0, 19), ...overrides });

const noConditions = { modalities: [], bodyParts: [], sites: [], priorities: [], shift: null };

const rule = (changes: Partial<AssignmentRuleForm> = {}): AssignmentRuleForm => ({
  name: 'CT head at night',
  isActive: true,
  conditions: noConditions,
  assignee: { kind: 'USER', id: null },
  mostOpen: null,
  ...changes,
});

const toUser = ({ userId }: Person) => ({ kind: 'USER' as const, id: userId });

/** Creates an administrator and two readers. */
const practice = async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const colleague = await world.signIn('RADIOLOGIST', admin.tenant);
  return { admin, reader, colleague, tenant: admin.tenant };
};

const save = async (admin: Person, ...rules: (AssignmentRuleForm & { id?: string })[]) => {
  const { data } = await admin.send(assignmentRules.read);
  return admin.send(assignmentRules.save, { body: { revision: data.revision, rules } });
};

/** Lets a study arrive, as the server announces it. */
const arrive = (tenant: Tenant, id: string) =>
  world.context.scopes.inTenant(systemSession(tenant.id), (scope) => assignByRules(scope, id));

const arriving = async (person: Person, overrides: Parameters<typeof newStudy>[1] = {}) => {
  const id = await newStudy(person, overrides);
  await arrive(person.tenant, id);
  return id;
};

const assigneesOf = async (person: Person, id: string) => {
  const { data } = await read(person, id);
  const active = ({ status }: { status: string }) => status === 'ACTIVE';
  return [
    ...data.assignments.filter(active).map(({ user }) => user.id),
    ...data.groupAssignments.filter(active).map(({ group }) => group.id),
  ];
};

test('the first rule that matches assigns an arriving study, and history, audit log and assignee name the rule', async () => {
  const { admin, reader, colleague } = await practice();
  const { data } = await save(
    admin,
    rule({ name: 'MR', conditions: { ...noConditions, modalities: ['MR'] }, assignee: toUser(colleague) }),
    rule({ conditions: { ...noConditions, modalities: ['CT'], bodyParts: ['CHEST'] }, assignee: toUser(reader) }),
    rule({ name: 'Rest', assignee: toUser(colleague) }),
  );

  const id = await arriving(admin);

  const history = await admin.send(workflow.history, { params: { id } });
  expect(history.data.content.map(({ details, user }) => `${details} by ${user.username}`)).toEqual([
    'The study was assigned by system',
    `Assigned to Dr ${reader.username} (${reader.username}) by the rule “CT head at night” by system`,
  ]);
  expect(await audited(admin, 'study.assign')).toMatchObject([
    { username: 'system', study_id: id, detail: { assignee: reader.userId, rule: data.rules[1]?.id } },
  ]);
  expect((await notificationsTo(reader)).map(({ title }) => title)).toEqual(['A study was assigned to you']);
  const work = await read(admin, id);
  expect(work.data).toMatchObject({
    status: 'ASSIGNED',
    assignments: [{ status: 'ACTIVE', assignedBy: { username: 'system', name: 'Rule “CT head at night”' } }],
  });
});

test('a body part matches a description that names it', async () => {
  const { admin, reader } = await practice();
  await save(admin, rule({ conditions: { ...noConditions, bodyParts: ['LIVER'] }, assignee: toUser(reader) }));

  const [abdomen, knee] = [
    await arriving(admin, { description: 'CT abdomen' }),
    await arriving(admin, { description: 'CT knee' }),
  ];

  expect([await assigneesOf(admin, abdomen), await assigneesOf(admin, knee)]).toEqual([[reader.userId], []]);
});

test('an imported prior stays unassigned, and a dry run says that it is old', async () => {
  const { admin, reader } = await practice();
  const rules = [rule({ assignee: toUser(reader) })];
  await save(admin, ...rules);

  const prior = await arriving(admin, { study_date: '2016-11-20T09:30:00' });
  const undated = await arriving(admin, { study_date: '0001-01-01T00:00:00' });

  expect([await assigneesOf(admin, prior), await assigneesOf(admin, undated)]).toEqual([[], [reader.userId]]);
  const { data } = await admin.send(assignmentRules.dryRun, { body: { period: 'DAY', rules } });
  expect(data.studies.map(({ id, isOld }) => [id, isOld])).toEqual([
    [undated, false],
    [prior, true],
  ]);
});

test('a study that arrived long ago stays unassigned when it changes', async () => {
  const { admin, reader, tenant } = await practice();
  await save(admin, rule({ assignee: toUser(reader) }));
  const id = await newStudy(admin);
  await world.inTenant(tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ created_at: '2026-01-01T00:00:00Z', study_date: '2026-01-01T00:00:00' })
      .where('id', '=', id)
      .execute(),
  );

  await arrive(tenant, id);

  expect(await assigneesOf(admin, id)).toEqual([]);
});

test('a rule for a group assigns the study to it, and its limited members see the study', async () => {
  const { admin, reader, tenant } = await practice();
  const groupId = await limitToNewGroup(world, reader);
  await save(admin, rule({ assignee: { kind: 'GROUP', id: groupId } }));

  const id = await arriving(admin);

  expect(await assigneesOf(reader, id)).toEqual([groupId]);
  expect((await notificationsTo(reader)).map(({ title }) => title)).toEqual(['A study was assigned to your group']);
  const stored = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('group_assignments').select(['assigned_by', 'assigned_by_rule']).execute(),
  );
  expect(stored).toEqual([{ assigned_by: null, assigned_by_rule: 'CT head at night' }]);
});

test('studies go to the member with the fewest open studies, in turn, until all have the maximum', async () => {
  const { admin, reader, colleague, tenant } = await practice();
  const groupId = await addGroup(world, tenant);
  for (const member of [reader, colleague]) await joinGroup(world, member, groupId);
  await assign(admin, await newStudy(admin), [reader]);
  await save(admin, rule({ assignee: { kind: 'LEAST_LOADED', id: groupId }, mostOpen: 2 }));

  const ids = [await arriving(admin), await arriving(admin), await arriving(admin), await arriving(admin)];

  const chosen = await Promise.all(ids.map((id) => assigneesOf(admin, id)));
  expect(chosen[0]).toEqual([colleague.userId]);
  expect(chosen.slice(1, 3).flat().toSorted()).toEqual([reader.userId, colleague.userId].toSorted());
  expect(chosen[3]).toEqual([]);
});

test('a limited user gets only studies of own groups, and the next rule gets the others', async () => {
  const { admin, reader, colleague, tenant } = await practice();
  const groupId = await limitToNewGroup(world, reader);
  await save(admin, rule({ assignee: toUser(reader) }), rule({ name: 'Rest', assignee: toUser(colleague) }));

  const hidden = await arriving(admin);
  const shown = await newStudy(admin);
  await putInGroups(world, tenant, shown, [groupId]);
  await arrive(tenant, shown);

  expect(await assigneesOf(admin, hidden)).toEqual([colleague.userId]);
  expect(await assigneesOf(admin, shown)).toEqual([reader.userId]);
});

test('the shift is judged by the clock of the organization', async () => {
  const { admin, reader, tenant } = await practice();
  const now = new Date();
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Pacific/Kiritimati' });
  const from = `${hour.format(now)}:00`;
  // 26 hours apart, so the hours differ by two.
  const elsewhere = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'Etc/GMT+12' });
  const to = `${elsewhere.format(now)}:00`;
  const days: (1 | 2 | 3 | 4 | 5 | 6 | 7)[] = [1, 2, 3, 4, 5, 6, 7];
  const zone = (timeZone: string) =>
    world.owner.updateTable('tenants').set({ time_zone: timeZone }).where('id', '=', tenant.id).execute();
  await zone('Pacific/Kiritimati');
  // From the hour of Kiritimati to the hour of Baker Island, which is 22 hours long and ends where Baker Island is.
  await save(admin, rule({ conditions: { ...noConditions, shift: { days, from, to } }, assignee: toUser(reader) }));

  const within = await arriving(admin);
  await zone('Etc/GMT+12');
  const outside = await arriving(admin);

  expect([await assigneesOf(admin, within), await assigneesOf(admin, outside)]).toEqual([[reader.userId], []]);
});

test.each<[string, (setup: Awaited<ReturnType<typeof practice>>, id: string) => Promise<unknown>]>([
  ['a user has assigned', ({ admin, colleague }, id) => assign(admin, id, [colleague])],
  [
    'a user has unassigned',
    async ({ admin, colleague }, id) => {
      await assign(admin, id, [colleague]);
      await unassign(admin, id, colleague);
    },
  ],
  [
    'a user is reading',
    ({ tenant, colleague }, id) =>
      world.inTenant(tenant, ({ db }) =>
        db
          .insertInto('reading_locks')
          .values({ study_id: id, user_id: colleague.userId, username: 'x', name: 'x' })
          .execute(),
      ),
  ],
  [
    'has another status',
    ({ tenant }, id) =>
      world.inTenant(tenant, ({ db }) =>
        db.updateTable('studies').set({ status: 'IN_PROGRESS' }).where('id', '=', id).execute(),
      ),
  ],
  [
    'has no images yet',
    ({ tenant }, id) =>
      world.inTenant(tenant, ({ db }) =>
        db.updateTable('studies').set({ instance_count: 0 }).where('id', '=', id).execute(),
      ),
  ],
])('a rule leaves a study that %s', async (_, happen) => {
  const setup = await practice();
  const { admin, reader, tenant } = setup;
  await save(admin, rule({ assignee: toUser(reader) }));
  const id = await newStudy(admin);
  await happen(setup, id);

  await arrive(tenant, id);

  expect(await assigneesOf(admin, id)).not.toContain(reader.userId);
});

test('a study goes to another reader when its reader leaves, but only if a rule had assigned it', async () => {
  const { admin, reader, colleague, tenant } = await practice();
  const otherAdmin = await world.signIn('ADMIN', tenant);
  const groupId = await addGroup(world, tenant);
  await joinGroup(world, reader, groupId);
  await save(admin, rule({ assignee: { kind: 'LEAST_LOADED', id: groupId } }));
  const byRule = await arriving(admin);
  const byUser = await newStudy(admin);
  await assign(admin, byUser, [reader]);
  await joinGroup(world, colleague, groupId);

  await admin.inScope((scope) => setStatus(scope, world.context, reader.userId, false));
  const before = await assigneesOf(admin, byRule);
  await announceArrivals(world.context.scopes, 0, (error) => {
    throw error;
  });

  expect([before, await assigneesOf(admin, byRule), await assigneesOf(admin, byUser)]).toEqual([
    [],
    [colleague.userId],
    [],
  ]);
  expect((await notificationsTo(otherAdmin)).map(({ message }) => message)).toContain(
    '1 study that a rule assigned to this user is no longer assigned',
  );
});

test('a study that arrives twice at once is assigned once', async () => {
  const { admin, reader, colleague } = await practice();
  await save(admin, rule({ assignee: toUser(reader) }), rule({ name: 'Rest', assignee: toUser(colleague) }));
  const id = await newStudy(admin);

  await Promise.all([1, 2, 3].map(() => arrive(admin.tenant, id)));

  expect(await assigneesOf(admin, id)).toEqual([reader.userId]);
  expect(await events(admin, id)).toHaveLength(2);
});

test('servers that announce arrivals at the same moment do not exceed the maximum of open studies', async () => {
  const { admin, reader, colleague, tenant } = await practice();
  const groupId = await addGroup(world, tenant);
  for (const member of [reader, colleague]) await joinGroup(world, member, groupId);
  await save(admin, rule({ assignee: { kind: 'LEAST_LOADED', id: groupId }, mostOpen: 2 }));
  for (let count = 0; count < 6; count += 1) {
    const id = await newStudy(admin);
    await putInGroups(world, tenant, id, [groupId]);
  }
  const announce = () =>
    announceArrivals(world.context.scopes, 0, (error) => {
      throw error;
    });

  await Promise.all([1, 2, 3].map(announce));
  await announce();

  const assigned = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('study_assignments').select('user_id').execute(),
  );
  expect(assigned.map(({ user_id }) => user_id).toSorted()).toEqual(
    [reader, colleague].flatMap(({ userId }) => [userId, userId]).toSorted(),
  );
});

test('a study whose readers all have their maximum is assigned when a reader completes a study', async () => {
  const { admin, reader, tenant } = await practice();
  const other = await newStudy(admin);
  await assign(admin, other, [reader]);
  await save(admin, rule({ assignee: toUser(reader), mostOpen: 1 }));
  const id = await arriving(admin);
  const before = await assigneesOf(admin, id);

  await complete(reader, other, reader);
  await world.inTenant(tenant, ({ db }) =>
    db.updateTable('study_arrivals').set({ changed_at: '2026-11-01T00:00:00Z' }).where('study_id', '=', id).execute(),
  );
  await announceArrivals(world.context.scopes, 0, (error) => {
    throw error;
  });

  expect([before, await assigneesOf(admin, id)]).toEqual([[], [reader.userId]]);
});

test('rules are stored in their order, and keep their id', async () => {
  const { admin, reader } = await practice();
  const assignee = toUser(reader);
  const first = await save(admin, rule({ name: 'A', assignee }), rule({ name: 'B', assignee }));
  const [a, b] = first.data.rules;

  const { data } = await save(
    admin,
    { ...rule({ name: 'B2', assignee, isActive: false }), id: b?.id ?? '' },
    rule({ name: 'C', assignee }),
  );

  expect(data.rules.map(({ id, name, isActive }) => [id, name, isActive])).toEqual([
    [b?.id, 'B2', false],
    [expect.any(String), 'C', true],
  ]);
  expect(data.rules.map(({ id }) => id)).not.toContain(a?.id);
  expect(await audited(admin, 'assignment_rule.save')).toMatchObject([
    { detail: { rules: 'A, B', removed: '' } },
    { detail: { rules: 'B2 (off), C', removed: 'A' } },
  ]);
});

test('refuses rules that another administrator has changed meanwhile', async () => {
  const { admin, reader } = await practice();
  const { data } = await admin.send(assignmentRules.read);
  await save(admin, rule({ assignee: toUser(reader) }));

  const refused = await admin.send(assignmentRules.save, { body: { revision: data.revision, rules: [] } });

  expect(refused).toMatchObject({
    status: 409,
    message: 'Another user changed the rules. Nothing was saved. Reload them.',
  });
});

test('refuses rules with an assignee of another organization, and active rules without assignee', async () => {
  const { admin } = await practice();
  const elsewhere = await world.signIn('RADIOLOGIST');

  const answers = [
    await save(admin, rule({ assignee: toUser(elsewhere) })),
    await save(admin, rule({ assignee: { kind: 'GROUP', id: newId() } })),
    await save(admin, rule()),
  ];

  expect(answers.map(({ status, errors }) => [status, errors?.map(({ field }) => field)])).toEqual(
    answers.map(() => [422, ['rules.0.assignee.id']]),
  );
});

test('a rule whose group was deleted stays, assigns nothing and says why, and the group names its rules before', async () => {
  const { admin, colleague, tenant } = await practice();
  const groupId = await addGroup(world, tenant);
  await save(admin, rule({ assignee: { kind: 'GROUP', id: groupId } }), rule({ assignee: toUser(colleague) }));
  const before = (await admin.send(groups.list)).data.find(({ id }) => id === groupId);
  await admin.send(groups.remove, { params: { id: groupId } });

  const { data } = await admin.send(assignmentRules.read);
  const id = await arriving(admin);

  expect(before?.ruleCount).toBe(1);
  expect(data.rules.map(({ fault, assigneeName }) => [fault, assigneeName])).toEqual([
    ['DELETED', ''],
    [null, `Dr ${colleague.username}`],
  ]);
  expect(await assigneesOf(admin, id)).toEqual([colleague.userId]);
});

test('a dry run names a rule whose group was deleted, and uses the next rule', async () => {
  const { admin, colleague } = await practice();
  await newStudy(admin);
  const rules = [rule({ assignee: { kind: 'LEAST_LOADED', id: null } }), rule({ assignee: toUser(colleague) })];

  const { data } = await admin.send(assignmentRules.dryRun, { body: { period: 'DAY', rules } });

  expect(data.studies.map(({ rule: place, passed }) => [place, passed])).toEqual([
    [1, [{ rule: 0, cause: 'DELETED' }]],
  ]);
});

test('a dry run judges the studies of the period by unsaved rules, in the order of arrival, and changes nothing', async () => {
  const { admin, reader, tenant } = await practice();
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const old = await newStudy(admin, { created_at: hoursAgo(30) });
  const first = await newStudy(admin, { created_at: hoursAgo(3), description: 'CT head' });
  const second = await newStudy(admin, { created_at: hoursAgo(2), description: 'Chest' });
  const third = await newStudy(admin, { created_at: hoursAgo(1), seriesModalities: ['MR'] });
  const rules = [
    rule({ conditions: { ...noConditions, modalities: ['CT'] }, assignee: toUser(reader), mostOpen: 1 }),
    rule({ isActive: false, assignee: toUser(reader) }),
  ];

  const { data } = await admin.send(assignmentRules.dryRun, { body: { period: 'DAY', rules } });
  const week = await admin.send(assignmentRules.dryRun, { body: { period: 'WEEK', rules } });

  expect(data.arrived).toBe(3);
  expect(data.studies.map(({ arrivedAt: _arrivedAt, ...study }) => study)).toEqual([
    { id: third, description: 'MR', isOld: false, rule: null, assignee: '', passed: [] },
    {
      id: second,
      description: 'CT · Chest',
      isOld: false,
      rule: null,
      assignee: '',
      passed: [{ rule: 0, cause: 'FULL' }],
    },
    { id: first, description: 'CT head', isOld: false, rule: 0, assignee: `Dr ${reader.username}`, passed: [] },
  ]);
  expect(week.data.studies.map(({ id }) => id)).toEqual([third, second, first, old]);
  const assignments = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('study_assignments').selectAll().execute(),
  );
  expect([assignments, await assigneesOf(admin, first), await notificationsTo(reader)]).toEqual([[], [], []]);
});

test('a caller who is limited to groups neither changes rules nor runs them', async () => {
  const { admin, reader, tenant } = await practice();
  await world.inTenant(tenant, (scope) => addStudy(scope));
  await world.owner
    .updateTable('roles')
    .set({ permissions: ['study.view', 'config.manage'] })
    .where('tenant_id', '=', tenant.id)
    .where('built_in_for', '=', 'RADIOLOGIST')
    .execute();
  await limitToNewGroup(world, reader);

  const answers = [
    await save(reader, rule({ assignee: toUser(reader) })),
    await reader.send(assignmentRules.dryRun, { body: { period: 'DAY', rules: [] } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  expect((await admin.send(assignmentRules.read)).data.rules).toEqual([]);
});
