import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, participate, auditedActions } = reportSteps(world);
const { add, communicate, acknowledge } = findingSteps(world);

const team = async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await begin(author);
  await participate(referrer, study.id, 'REFERRER');
  return { author, referrer, study, reportId: id };
};

const acknowledgeInReport = (person: Person, id: string, restarts = 0) =>
  person.send(criticalFindings.acknowledgeInReport, { params: { id }, body: { restarts } });

const clockOf = (id: string) =>
  world.owner
    .selectFrom('critical_findings')
    .select(['state', 'escalate_at', 'acknowledged_at', 'communicated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('a referring physician acknowledges a finding in the signed report, which stops its clock', async () => {
  const { author, referrer, study, reportId } = await team();
  const { id } = await add(author, reportId);
  await finalize(author, reportId);

  const [read] = (await referrer.send(criticalFindings.ofStudy, { params: { id: study.id } })).data;
  const { data } = await acknowledgeInReport(referrer, id);

  expect(read).toMatchObject({ state: 'OPEN', canAcknowledgeInReport: true, canAcknowledge: false });
  expect(data).toMatchObject({
    state: 'ACKNOWLEDGED',
    acknowledgedBy: { id: referrer.userId },
    acknowledgedHow: 'REPORT',
    canAcknowledgeInReport: false,
  });
  expect(await clockOf(id)).toMatchObject({ escalate_at: null, communicated_at: expect.any(String) });
  const { rows } = await world.inTenant(author.tenant, async ({ db }) => ({
    rows: await db.selectFrom('task_history').select('details').where('study_id', '=', study.id).execute(),
  }));
  expect(rows.map(({ details }) => details)).toContain(`Acknowledged by Dr ${referrer.username} in the signed report`);
  expect(await auditedActions(author)).toContain('critical_finding.acknowledge');
});

test('a communicated finding can also be acknowledged in the report, but only once', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);
  await finalize(author, reportId);
  await communicate(author, id, { recipientName: 'Dr Okafor, ward 3', method: 'PHONE' });

  const first = await acknowledgeInReport(referrer, id);
  const second = await acknowledgeInReport(referrer, id);

  expect(first.data).toMatchObject({ state: 'ACKNOWLEDGED', acknowledgedHow: 'REPORT' });
  expect(second).toMatchObject({ status: 409, error: 'critical_finding.state' });
});

test('the record of a finding shows how the finding was acknowledged', async () => {
  const { author, referrer, reportId } = await team();
  const [communicated, outside] = [await add(author, reportId), await add(author, reportId)];
  await communicate(author, communicated.id, { recipientId: referrer.userId, method: 'PHONE' });

  const confirmed = await acknowledge(referrer, communicated.id);
  const repeated = await communicate(author, outside.id, {
    recipientName: 'Ward 3',
    method: 'PHONE',
    hasReadBack: true,
  });

  expect([confirmed.data.acknowledgedHow, repeated.data.acknowledgedHow]).toEqual(['TOLD', 'READ_BACK']);
});

test('refuses an acknowledgement in an unsigned report, by users outside the care team, and by the finder', async () => {
  const { author, referrer, study, reportId } = await team();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const stranger = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { id } = await add(author, reportId);

  const unsigned = await acknowledgeInReport(referrer, id);
  await finalize(author, reportId);
  await participate(author, study.id, 'REFERRER');
  const refused = [await acknowledgeInReport(colleague, id), await acknowledgeInReport(author, id)];
  const unknown = await acknowledgeInReport(stranger, id);

  expect(unsigned.status).toBe(403);
  expect(refused.map(({ status }) => status)).toEqual([403, 403]);
  expect(unknown.status).toBe(404);
  expect((await clockOf(id)).escalate_at).not.toBeNull();
});

test('refuses an acknowledgement when the report has been moved to another patient', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);
  await finalize(author, reportId);
  const { tenant } = author;
  await world.inTenant(tenant, ({ db }) =>
    db.insertInto('critical_restarts').values({ id: crypto.randomUUID(), finding_id: id, state: 'OPEN' }).execute(),
  );

  const refused = await acknowledgeInReport(referrer, id);

  expect(refused).toMatchObject({ status: 409, error: 'critical_finding.refiled' });
  expect(await clockOf(id)).toMatchObject({ state: 'OPEN' });
  expect((await acknowledgeInReport(referrer, id, 1)).data.state).toBe('ACKNOWLEDGED');
});

test('opening a share link or a report never stops the clock of a finding', async () => {
  const { author, referrer, study, reportId } = await team();
  const { id } = await add(author, reportId);
  await finalize(author, reportId);
  const before = await clockOf(id);
  const { data } = await author.send(reportLinks.create, { params: { id: reportId }, body: {} });

  const opened = await world.request({ method: 'GET', url: `/api/portal/report/${data.linkHash}` });
  const withSession = await world.request({
    method: 'GET',
    url: `/api/portal/report/${data.linkHash}`,
    headers: { authorization: `Bearer ${referrer.token}` },
  });
  await referrer.send(reports.ofStudy, { params: { id: study.id } });
  await referrer.send(criticalFindings.get, { params: { id } });
  const anonymous = await world.request({
    method: 'POST',
    url: `/api/critical-findings/${id}/acknowledgement-in-report`,
    payload: { restarts: 0 },
  });

  expect([opened, withSession].map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(anonymous.statusCode).toBe(401);
  expect(await clockOf(id)).toEqual(before);
  expect(before).toMatchObject({ state: 'OPEN', escalate_at: expect.any(String) });
});
