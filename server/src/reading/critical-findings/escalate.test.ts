import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { notifications } from '@radwork/contract/identity/notifications';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { kyselyOn, openServingPool } from '#core/database/database.ts';
import { openScopes } from '../../extensions.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { limitToNewGroup } from '#test/limited-user.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { escalateFindings } from './escalate.ts';

const world = await createWorld();
const { begin, participate, tasks } = reportSteps(world);
const { add, communicate, withdraw, passMinutes } = findingSteps(world);
const { scopes } = world.context;

const fail = (error: unknown) => {
  throw error;
};

const look = () => escalateFindings(scopes, fail);

const titles = {
  reader: 'A critical finding is not communicated and almost due',
  onCall: 'A critical finding is due and not communicated',
  lead: 'A critical finding is overdue and not communicated',
};

/** Returns the titles of the escalation notifications of a user, earliest first. */
const escalationTitles = async (person: Person): Promise<string[]> => {
  const { data } = await person.send(notifications.list, { query: { size: 100 } });
  const ladder: string[] = Object.values(titles);
  return data.content
    .map(({ title }) => title)
    .filter((title) => ladder.includes(title))
    .toReversed();
};

/** Creates a practice with one finding that is due in an hour. */
const practice = async () => {
  const reader = await world.signIn();
  const join = (type: Parameters<typeof world.signIn>[0]) => world.signIn(type, reader.tenant);
  const [admin, onCall, lead] = [await join('ADMIN'), await join('RADIOLOGIST'), await join('RADIOLOGIST')];
  const { study, id: reportId } = await begin(reader);
  const finding = await add(reader, reportId);
  return { reader, admin, onCall, lead, study, reportId, finding };
};

const choose = (admin: Person, onCall: Person[], lead: Person[]) =>
  admin.send(criticalFindings.saveContacts, {
    body: { onCall: onCall.map(({ userId }) => userId), lead: lead.map(({ userId }) => userId) },
  });

test('notifies reader, on-call user and lead in turn, each a third of the time limit later', async () => {
  const { reader, admin, onCall, lead, study, finding } = await practice();
  const assignee = await world.signIn('RADIOLOGIST', reader.tenant);
  await participate(assignee, study.id, 'ASSIGNEE');
  await choose(admin, [onCall], [lead]);
  const after = async (minutes: number) => {
    await passMinutes(reader, finding.id, minutes);
    await look();
    return Promise.all([reader, assignee, onCall, lead, admin].map(escalationTitles));
  };

  const steps = [await after(39), await after(2), await after(18), await after(2), await after(18), await after(2)];

  const { reader: first, onCall: second, lead: third } = titles;
  expect(steps).toEqual([
    [[], [], [], [], []],
    [[first], [first], [], [], []],
    [[first], [first], [], [], []],
    [[first], [first], [second], [], []],
    [[first], [first], [second], [], []],
    [[first], [first], [second], [third], []],
  ]);
  const { data } = await reader.send(criticalFindings.get, { params: { id: finding.id } });
  expect(data.escalation).toBe('LEAD');
});

test("reminds the report's author of a finding that a colleague recorded", async () => {
  const { reader, lead: colleague, study, reportId } = await practice();
  await participate(colleague, study.id, 'ASSIGNEE');
  const { id } = await add(colleague, reportId);

  await passMinutes(reader, id, 41);
  await look();

  expect([await escalationTitles(reader), await escalationTitles(colleague)]).toEqual([
    [titles.reader],
    [titles.reader],
  ]);
});

test('notifies the administrators when there are no active escalation contacts', async () => {
  const { reader, admin, onCall, lead, finding } = await practice();
  await choose(admin, [onCall], []);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', onCall.userId).execute();

  await passMinutes(reader, finding.id, 24 * 60);
  await look();

  expect(await escalationTitles(admin)).toEqual([titles.onCall, titles.lead]);
  expect(await escalationTitles(lead)).toEqual([]);
});

test('if the reader is not active, on-call users get the reminder and the notice of withdrawal', async () => {
  const { reader, admin, onCall, lead, study, finding } = await practice();
  await choose(admin, [onCall], []);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', reader.userId).execute();

  await passMinutes(lead, finding.id, 41);
  await look();

  expect(await escalationTitles(onCall)).toEqual([titles.reader]);
  const { data: history } = await lead.send(workflow.history, { params: { id: study.id } });
  expect(history.content[0]?.details).toBe('Not communicated. No active reader. On-call reminded');
  await withdraw(lead, finding.id);
  const { data } = await onCall.send(notifications.list, { query: { size: 1 } });
  expect(data.content[0]?.title).toBe(
    'A critical finding that was communicated to you was withdrawn. Read the reason.',
  );
});

test('two servers that run at the same moment take each escalation step of each finding only once', async () => {
  const { reader, reportId, admin, finding } = await practice();
  const findings = [finding];
  for (let count = 1; count < 12; count += 1) findings.push(await add(reader, reportId));
  for (const { id } of findings) await passMinutes(reader, id, 24 * 60);
  const pools = [openServingPool(world.url, 4), openServingPool(world.url, 4)];
  const servers = pools.map((pool) => openScopes(kyselyOn(pool)));

  await Promise.all([...servers, ...servers, scopes].map((server) => escalateFindings(server, fail)));
  await look();
  await Promise.all(pools.map((pool) => pool.end()));

  const all = await escalationTitles(admin);
  expect(all.filter((title) => title === titles.onCall)).toHaveLength(12);
  expect(all.filter((title) => title === titles.lead)).toHaveLength(12);
  expect((await escalationTitles(reader)).filter((title) => title === titles.reader)).toHaveLength(12);
});

test('a communication ends the escalation, but a failed attempt does not', async () => {
  const { reader, admin, finding } = await practice();
  await communicate(reader, finding.id, { recipientName: 'Ward', method: 'PHONE', wasReached: false });
  await passMinutes(reader, finding.id, 61);
  await look();
  const afterAttempt = await escalationTitles(admin);

  await communicate(reader, finding.id, { recipientName: 'Ward', method: 'PHONE' });
  await passMinutes(reader, finding.id, 24 * 60);
  await look();

  expect(afterAttempt).toEqual([titles.onCall]);
  expect(await escalationTitles(admin)).toEqual([titles.onCall]);
});

test('a withdrawn finding does not escalate, but a finding of a deleted study does and mentions the recycle bin', async () => {
  const { reader, admin, finding } = await practice();
  const binned = await practice();
  await withdraw(reader, finding.id);
  const deleted = { deleted_at: '2026-11-21T10:00:00Z' };
  await world.owner.updateTable('studies').set(deleted).where('id', '=', binned.study.id).execute();
  for (const { reader: of, finding: one } of [{ reader, finding }, binned]) await passMinutes(of, one.id, 61);

  await look();

  expect([await escalationTitles(admin), await escalationTitles(binned.admin)]).toEqual([[], [titles.onCall]]);
  const { data } = await binned.admin.send(notifications.list);
  expect(data.content[0]).toMatchObject({
    message: expect.stringMatching(/\. The study is in the recycle bin$/),
    link: '/studies/deleted',
  });
});

test('a failed notification is retried at the next run and delays no other tenant', async () => {
  const [broken, intact] = [await practice(), await practice()];
  for (const { reader, finding } of [broken, intact]) await passMinutes(reader, finding.id, 61);
  await world.sql`alter table notifications add constraint broken
    check (tenant_id <> ${world.sql.lit(broken.reader.tenant.id)} or type <> 'CRITICAL_FINDING') not valid`.execute(
    world.owner,
  );

  const errors: unknown[] = [];
  await escalateFindings(scopes, (error) => errors.push(error));
  await world.sql`alter table notifications drop constraint broken`.execute(world.owner);
  const titlesMeanwhile = [await escalationTitles(broken.admin), await escalationTitles(intact.admin)];
  await look();

  expect(errors).toMatchObject([{ message: expect.stringContaining('broken') }]);
  expect(titlesMeanwhile).toEqual([[], [titles.onCall]]);
  expect(await escalationTitles(broken.admin)).toEqual([titles.onCall]);
});

test('an escalation notification names neither finding nor patient, and the study history records the step', async () => {
  const { reader, admin, finding } = await practice();
  await passMinutes(reader, finding.id, 61);

  await look();

  const { data } = await admin.send(notifications.list);
  expect(data.content[0]?.link).toBe(`/critical-findings?findingId=${finding.id}`);
  expect(JSON.stringify(data)).not.toContain('pneumothorax');
  // For users who may know of the study, the list adds the name of the patient. The stored row does not contain it.
  expect(`${data.content[0]?.title} ${data.content[0]?.message}`).not.toMatch(/Doe|P-/);
  const rungs = (await tasks(reader)).filter(({ type, user_id }) => type === 'CRITICAL_FINDING' && user_id === null);
  expect(rungs).toHaveLength(2);
});

test('a limited reader who does not see the study is reminded, without the name of the patient', async () => {
  const { reader, study, finding } = await practice();
  const assignee = await world.signIn('RADIOLOGIST', reader.tenant);
  await participate(assignee, study.id, 'ASSIGNEE');
  await limitToNewGroup(world, assignee);

  await passMinutes(reader, finding.id, 41);
  await look();

  const { data } = await assignee.send(notifications.list, { query: { size: 100 } });
  expect(data.content.map(({ title, study: shown }) => [title, shown])).toContainEqual([titles.reader, null]);
});

test('a limited user cannot be a contact, and a contact who became limited is replaced by the administrators', async () => {
  const { reader, admin, onCall, lead, finding } = await practice();
  await choose(admin, [onCall], [lead]);
  await limitToNewGroup(world, onCall);

  await passMinutes(reader, finding.id, 61);
  await look();

  expect([await escalationTitles(onCall), await escalationTitles(admin)]).toEqual([[], [titles.onCall]]);
  const { data } = await admin.send(criticalFindings.contacts);
  expect(data.candidates.map(({ id }) => id)).not.toContain(onCall.userId);
  expect(await choose(admin, [onCall], [lead])).toMatchObject({ status: 422, errors: [{ field: 'onCall' }] });
});
