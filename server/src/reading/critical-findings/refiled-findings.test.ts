import { type CriticalFinding, criticalFindings } from '@radwork/contract/reading/critical-findings';
import { notifications } from '@radwork/contract/identity/notifications';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { merge, move, twoRecords, undo } from '#test/merge-steps.ts';
import { reportSteps, reportText } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { documentOf } from '#reading/report-delivery/report-document.ts';
import { escalateFindings } from './escalate.ts';

const world = await createWorld();
const { finalize, participate, tasks, auditedActions } = reportSteps(world);
const { add, communicate, acknowledge, withdraw, board, passMinutes } = findingSteps(world);

const restarted = 'A study with a critical finding was moved to another patient. Communicate the finding again.';

/** Creates a study of Janet with a radiologist's report, and a referring physician who can receive a finding. */
const studyOfJanet = async () => {
  const records = await twoRecords(world);
  const { tenant } = records.person;
  const author = await world.signIn('RADIOLOGIST', tenant);
  const doctor = await world.signIn('REFERRING_PHYSICIAN', tenant);
  const studyId = records.source.studies[0]?.id ?? '';
  await participate(doctor, studyId, 'REFERRER');
  const body = { content: reportText, patientId: records.source.id };
  const { data: report } = await author.send(reports.create, { params: { id: studyId }, body });
  const toJane = () => move(records.person, studyId, records.survivor.id, { confirmedName: 'Doe, Jane' });
  return { ...records, author, doctor, studyId, reportId: report.id, toJane };
};

type Scenario = Awaited<ReturnType<typeof studyOfJanet>>;

const acknowledged = async (
  { author, doctor, reportId }: Scenario,
  severity = 'CRITICAL',
): Promise<CriticalFinding> => {
  const { id } = await add(author, reportId, severity);
  await communicate(author, id, { recipientId: doctor.userId, method: 'PHONE', note: 'Janet Doe' });
  return (await acknowledge(doctor, id)).data;
};

const seenBy = async (person: Person, id: string) => (await person.send(criticalFindings.get, { params: { id } })).data;

const noticesTo = async (person: Person) =>
  (await person.send(notifications.list)).data.content.filter(({ title }) => title === restarted);

test('reopens an acknowledged finding with its full time when its study moves to another patient', async () => {
  const scenario = await studyOfJanet();
  const before = await acknowledged(scenario, 'URGENT');
  await passMinutes(scenario.author, before.id, 10_000);
  const movedAt = Date.now();

  const { status } = await scenario.toJane();

  expect(status).toBe(200);
  const [finding] = await board(scenario.author);
  expect(finding).toMatchObject({
    id: before.id,
    patientName: 'Doe, Jane',
    state: 'OPEN',
    communicatedAt: null,
    acknowledgedAt: null,
    acknowledgedBy: null,
    escalation: null,
  });
  const minutesLeft = (Date.parse(finding?.dueAt ?? '') - movedAt) / 60_000;
  expect(Math.round(minutesLeft)).toBe(24 * 60);
});

test('recipients who acknowledged a finding of the former patient stay on record but cannot do so for the new one', async () => {
  const scenario = await studyOfJanet();
  const before = await acknowledged(scenario);

  await scenario.toJane();

  expect(await seenBy(scenario.doctor, before.id)).toMatchObject({
    canAcknowledge: false,
    communications: [{ recipient: { id: scenario.doctor.userId }, wasReached: true, isOfFormerPatient: true }],
    restarts: [
      {
        at: expect.any(String),
        state: 'ACKNOWLEDGED',
        acknowledgedAt: before.acknowledgedAt,
        acknowledgedBy: { id: scenario.doctor.userId },
      },
    ],
  });
  expect((await acknowledge(scenario.doctor, before.id)).status).toBe(403);
  expect((await tasks(scenario.author)).filter(({ type }) => type === 'CRITICAL_FINDING')).toHaveLength(4);
  expect(await auditedActions(scenario.author)).toContain('critical_finding.restart');
});

test('a recipient who is informed of the new patient can acknowledge the finding again', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  await scenario.toJane();

  await communicate(scenario.author, id, { recipientId: scenario.doctor.userId, method: 'PHONE' });
  const { data } = await acknowledge(scenario.doctor, id);

  expect(data).toMatchObject({ state: 'ACKNOWLEDGED', acknowledgedBy: { id: scenario.doctor.userId } });
  expect(data.communications.map(({ isOfFormerPatient }) => isOfFormerPatient)).toEqual([true, false]);
});

test('refuses to record a communication dated before the move', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  const { studyId, author } = scenario;
  const longAgo = { created_at: '2026-01-01T00:00:00Z' };
  await world.owner.updateTable('studies').set(longAgo).where('id', '=', studyId).execute();
  await scenario.toJane();
  const toldAt = new Date(Date.now() - 5 * 60_000).toISOString();

  const answer = await communicate(author, id, { recipientName: 'Ward 3', method: 'PHONE', toldAt });

  const message = 'The study belonged to another patient at that time. Communicate the finding for this patient.';
  expect(answer).toMatchObject({ status: 422, message });
  expect((await seenBy(author, id)).state).toBe('OPEN');
});

test('refuses a communication from a screen that still showed the former patient', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  const { author, doctor } = scenario;
  const seenRestarts = (await seenBy(author, id)).restarts.length;
  await scenario.toJane();
  const toldAt = new Date().toISOString().replace(/:\d\d\.\d+Z/, ':00Z');
  const communication = { recipientId: doctor.userId, method: 'PHONE' };

  const unseen = [await communicate(author, id, { ...communication, toldAt, restarts: seenRestarts })];
  unseen.push(await communicate(author, id, { ...communication, restarts: seenRestarts }));
  const stillOpen = await seenBy(author, id);
  const again = await communicate(author, id, { ...communication, restarts: stillOpen.restarts.length });

  const message = expect.stringContaining('The finding now belongs to Doe, Jane. Nothing was recorded');
  expect(unseen).toMatchObject(unseen.map(() => ({ status: 409, error: 'critical_finding.refiled', message })));
  expect([stillOpen.state, stillOpen.communications.length]).toEqual(['OPEN', 1]);
  expect(again).toMatchObject({ status: 200, data: { state: 'COMMUNICATED' } });
});

test('refuses a withdrawal by a user who has not seen the new patient', async () => {
  const scenario = await studyOfJanet();
  const { id, restarts } = await add(scenario.author, scenario.reportId);
  const give = (seenRestarts: number) =>
    scenario.author.send(criticalFindings.withdraw, {
      params: { id },
      body: { reason: 'Not hers', restarts: seenRestarts },
    });
  await scenario.toJane();

  const unseen = await give(restarts.length);
  const { state, restarts: now } = await seenBy(scenario.author, id);
  const withdrawal = await give(now.length);

  const message = expect.stringContaining('The finding now belongs to Doe, Jane. Nothing was withdrawn');
  expect(unseen).toMatchObject({ status: 409, error: 'critical_finding.refiled', message });
  expect([state, withdrawal.status]).toEqual(['OPEN', 200]);
});

test('a printed report lists only recipients who were informed about the patient named in the report', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  await finalize(scenario.author, scenario.reportId, { content: reportText });
  const onPaper = async () => {
    const { findings } = await scenario.author.inScope((scope) => documentOf(scope, scenario.reportId));
    return findings.flatMap(({ communications }) => communications.map(({ recipient }) => recipient));
  };
  const before = await onPaper();

  await scenario.toJane();
  const moved = await onPaper();
  await communicate(scenario.author, id, { recipientName: 'Ward 3', method: 'PHONE' });

  expect(before).toEqual([`Dr ${scenario.doctor.username}`]);
  expect(moved).toEqual([]);
  expect(await onPaper()).toEqual(['Ward 3']);
});

test('notifies all participants and on-call users of the reopened finding without naming the patient', async () => {
  const scenario = await studyOfJanet();
  const { tenant } = scenario.person;
  const [finder, signer, unreached, onCall, bystander] = [
    await world.signIn('RADIOLOGIST', tenant),
    await world.signIn('RADIOLOGIST', tenant),
    await world.signIn('RADIOLOGIST', tenant),
    await world.signIn('RADIOLOGIST', tenant),
    await world.signIn('RADIOLOGIST', tenant),
  ];
  const body = { onCall: [onCall.userId, scenario.person.userId], lead: [] };
  await scenario.person.send(criticalFindings.saveContacts, { body });
  const { id } = await acknowledged({ ...scenario, author: finder });
  await communicate(finder, id, { recipientId: unreached.userId, method: 'PHONE', wasReached: false });
  await participate(signer, scenario.studyId, 'ASSIGNEE');
  const signed = await finalize(signer, scenario.reportId, { content: reportText, revision: 1 });
  // After this, the signer is connected to the study only by the signature.
  await world.owner.deleteFrom('study_participants').where('user_id', '=', signer.userId).execute();

  await scenario.toJane();

  expect(signed.status).toBe(200);
  for (const person of [scenario.author, finder, signer, scenario.doctor, unreached, onCall, scenario.person]) {
    const [notice] = await noticesTo(person);
    expect(notice).toMatchObject({ type: 'CRITICAL_FINDING', link: `/critical-findings?findingId=${id}` });
    expect(`${notice?.title} ${notice?.message}`).not.toMatch(/jane|doe|mass|pneumothorax/i);
  }
  expect(await noticesTo(bystander)).toEqual([]);
});

test('without on-call users, notifies the administrators of the reopened finding', async () => {
  const scenario = await studyOfJanet();
  const admin = await world.signIn('ADMIN', scenario.person.tenant);
  await acknowledged(scenario);

  await scenario.toJane();

  expect(await noticesTo(admin)).toHaveLength(1);
});

test('an open finding keeps its due time when its study moves', async () => {
  const scenario = await studyOfJanet();
  const { id } = await add(scenario.author, scenario.reportId);
  await communicate(scenario.author, id, { recipientId: scenario.doctor.userId, method: 'PHONE', wasReached: false });
  await passMinutes(scenario.author, id, 55);
  const before = await seenBy(scenario.author, id);

  await scenario.toJane();

  const after = await seenBy(scenario.author, id);
  expect(after).toMatchObject({ state: 'OPEN', dueAt: before.dueAt, patientName: 'Doe, Jane' });
  expect(after.communications).toMatchObject([{ isOfFormerPatient: true }]);
  expect(await noticesTo(scenario.doctor)).toHaveLength(1);
});

test('the escalation starts again for the new patient', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  await scenario.toJane();
  await passMinutes(scenario.author, id, 81);

  await escalateFindings(world.context.scopes, (error) => {
    throw error;
  });

  expect((await seenBy(scenario.author, id)).escalation).toBe('LEAD');
});

test('a withdrawn finding remains withdrawn after a move', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  await withdraw(scenario.author, id);

  await scenario.toJane();

  expect(await seenBy(scenario.author, id)).toMatchObject({ state: 'WITHDRAWN', restarts: [] });
  expect(await noticesTo(scenario.author)).toEqual([]);
});

test('undoing the move reopens the finding once more, and the records for both patients remain', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);
  const { data: moved } = await scenario.toJane();
  await communicate(scenario.author, id, { recipientId: scenario.doctor.userId, method: 'PHONE' });
  await acknowledge(scenario.doctor, id);

  const undone = await undo(scenario.person, scenario.survivor.id, moved.id);

  expect(undone.status).toBe(200);
  const finding = await seenBy(scenario.author, id);
  expect(finding).toMatchObject({ patientName: 'Doe, Janet', state: 'OPEN', acknowledgedAt: null });
  expect(finding.restarts.map(({ state }) => state)).toEqual(['ACKNOWLEDGED', 'ACKNOWLEDGED']);
  expect(finding.communications.map(({ isOfFormerPatient }) => isOfFormerPatient)).toEqual([true, true]);
});

test('a merge does not change an acknowledged finding; undoing the merge reopens it', async () => {
  const scenario = await studyOfJanet();
  const { id } = await acknowledged(scenario);

  const { data: merged } = await merge(scenario);
  const whileOne = await seenBy(scenario.author, id);
  await undo(scenario.person, scenario.survivor.id, merged.id);

  expect(whileOne).toMatchObject({ state: 'ACKNOWLEDGED', restarts: [] });
  expect(await seenBy(scenario.author, id)).toMatchObject({ state: 'OPEN', restarts: [{ state: 'ACKNOWLEDGED' }] });
  expect(await noticesTo(scenario.doctor)).toHaveLength(1);
});

test("the server's database role cannot overwrite or delete the records of a former patient", async () => {
  const scenario = await studyOfJanet();
  await acknowledged(scenario);
  await scenario.toJane();
  const tamper = [`update critical_restarts set state = 'OPEN'`, 'delete from critical_restarts'];

  for (const statement of tamper) {
    const attempt = world.inTenant(scenario.person.tenant, ({ db }) => world.sql.raw(statement).execute(db));
    await expect(attempt).rejects.toThrow('permission denied');
  }
});
