import { membersOnly } from '@radwork/contract/core/access';
import { criticalFindingExport, criticalFindings } from '@radwork/contract/reading/critical-findings';
import { notifications } from '@radwork/contract/identity/notifications';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findingSteps } from '#test/finding-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { openFindingsOf } from './finding-rows.ts';

const world = await createWorld();
const { begin, finalize, participate, tasks, auditedActions } = reportSteps(world);
const { add, communicate, acknowledge, withdraw, board } = findingSteps(world);

const team = async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await begin(author);
  await participate(referrer, study.id, 'REFERRER');
  return { author, referrer, study, reportId: id };
};

/** Returns the time `minutes` ago. Sets all studies of the tenant to an earlier date. */
const minutesAgo = async ({ tenant }: Person, minutes: number): Promise<string> => {
  const created = { created_at: '2026-01-01T00:00:00Z' };
  await world.owner.updateTable('studies').set(created).where('tenant_id', '=', tenant.id).execute();
  return new Date(Date.now() - minutes * 60_000).toISOString();
};

const inbox = async (person: Person) => {
  const { data } = await person.send(notifications.list);
  return data.content.map(({ title, message, link }) => ({ title, message, link }));
};

test.each([
  ['CRITICAL', 'CRITICAL', 60],
  ['URGENT', 'URGENT', 24 * 60],
  ['high', 'URGENT', 24 * 60],
  ['SIGNIFICANT', 'SIGNIFICANT', 7 * 24 * 60],
  ['MEDIUM', 'SIGNIFICANT', 7 * 24 * 60],
  ['LOW', 'SIGNIFICANT', 7 * 24 * 60],
])(
  'a finding recorded as %s has severity %s and is due %i minutes after it was found',
  async (findingText, severity, minutes) => {
    const { author, reportId } = await team();

    const finding = await add(author, reportId, findingText);

    const clock = (Date.parse(finding.dueAt) - Date.parse(finding.identifiedDateTime)) / 60_000;
    expect(finding).toMatchObject({ severity, state: 'OPEN', identifiedBy: { id: author.userId } });
    expect(clock).toBe(minutes);
  },
);

test('the time limits for findings are those of the tenant', async () => {
  const { author, reportId } = await team();
  const clocks = { critical_minutes: 15, urgent_minutes: 200, significant_minutes: 3000 };
  await world.owner.updateTable('tenants').set(clocks).where('id', '=', author.tenant.id).execute();
  const minutesFor = async (severity: string) => {
    const { dueAt, identifiedDateTime } = await add(author, reportId, severity);
    return (Date.parse(dueAt) - Date.parse(identifiedDateTime)) / 60_000;
  };

  const minutes = [await minutesFor('CRITICAL'), await minutesFor('URGENT'), await minutesFor('SIGNIFICANT')];

  expect(minutes).toEqual([15, 200, 3000]);
});

test('shows a finding as open, communicated and then acknowledged by a notified user, with all details', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);
  const toldAt = await minutesAgo(author, 20);

  const response = await communicate(author, id, {
    recipientId: referrer.userId,
    method: 'PHONE',
    hasReadBack: true,
    toldAt,
    note: 'Goes to theatre',
  });
  const again = await acknowledge(referrer, id);

  expect(response.data).toMatchObject({
    state: 'COMMUNICATED',
    communicatedAt: toldAt,
    canAcknowledge: false,
    communications: [
      {
        recipient: { id: referrer.userId },
        recipientName: `Dr ${referrer.username}`,
        method: 'PHONE',
        wasReached: true,
        hasReadBack: true,
        toldBy: { id: author.userId },
        note: 'Goes to theatre',
      },
    ],
  });
  expect(again.data).toMatchObject({
    state: 'ACKNOWLEDGED',
    acknowledgedBy: { id: referrer.userId },
    acknowledgedAt: expect.any(String),
  });
  expect((await tasks(author)).filter(({ type }) => type === 'CRITICAL_FINDING')).toHaveLength(3);
  const acts = (await auditedActions(author)).filter((action) => action !== 'critical_finding.view');
  expect(acts.filter((action) => action.startsWith('critical_finding.'))).toEqual([
    'critical_finding.communicate',
    'critical_finding.acknowledge',
  ]);
  const [notice] = await inbox(referrer);
  expect(notice).toEqual({
    title: 'A critical finding was communicated to you. Acknowledge it.',
    message: 'CT',
    link: `/critical-findings?findingId=${id}`,
  });
});

test('a recipient outside the organization acknowledges a finding only by a read-back', async () => {
  const { author, reportId } = await team();
  const [first, second] = [await add(author, reportId), await add(author, reportId)];
  const outside = { recipientName: 'Dr Okafor, ward 3', method: 'PHONE' };

  const silent = await communicate(author, first.id, outside);
  const repeated = await communicate(author, second.id, { ...outside, hasReadBack: true });

  expect(silent.data).toMatchObject({ state: 'COMMUNICATED', acknowledgedAt: null });
  expect(repeated.data).toMatchObject({ state: 'ACKNOWLEDGED', acknowledgedBy: null });
  expect(repeated.data.communications).toMatchObject([{ recipient: null, recipientName: 'Dr Okafor, ward 3' }]);
});

test('later communications do not change the user and time of an acknowledgement', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);
  const toldAt = await minutesAgo(author, 20);
  await communicate(author, id, {
    recipientId: referrer.userId,
    method: 'PHONE',
    toldAt,
  });
  const { data: confirmed } = await acknowledge(referrer, id);

  const { data: later } = await communicate(author, id, { recipientName: 'Ward 3', method: 'PHONE' });
  const again = await acknowledge(referrer, id);

  expect(later).toMatchObject({
    state: 'ACKNOWLEDGED',
    communicatedAt: toldAt,
    acknowledgedAt: confirmed.acknowledgedAt,
    acknowledgedBy: { id: referrer.userId },
  });
  expect(later.communications).toHaveLength(2);
  expect(again).toMatchObject({ status: 409, message: 'The finding is already Acknowledged' });
});

test('a failed attempt to communicate is recorded, and the clock continues', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);

  const { data } = await communicate(author, id, { recipientId: referrer.userId, method: 'PHONE', wasReached: false });

  expect(data).toMatchObject({ state: 'OPEN', communicatedAt: null, communications: [{ wasReached: false }] });
  expect((await acknowledge(referrer, id)).status).toBe(403);
  expect((await inbox(referrer)).map(({ title }) => title)).not.toContain(
    'A critical finding was communicated to you. Acknowledge it.',
  );
});

test.each([
  [{ method: 'PHONE' }, 'Recipient is required'],
  [{ recipientName: 'Dr Okafor' }, 'Method is required'],
  [{ recipientName: 'Dr Okafor', method: 'PIGEON' }, 'Method is required'],
  [{ recipientId: '00000000-0000-7000-8000-000000000000', method: 'PHONE' }, 'Recipient is required'],
  [
    { recipientName: 'Dr Okafor', method: 'PHONE', toldAt: '2126-01-01T00:00:00Z' },
    'The time must not be in the future',
  ],
  [
    { recipientName: 'Dr Okafor', method: 'PHONE', wasReached: false, hasReadBack: true },
    'Read-back requires that the recipient was reached',
  ],
])('refuses a communication of a finding with %o: %s', async (body, message) => {
  const { author, reportId } = await team();
  const { id } = await add(author, reportId);

  expect(await communicate(author, id, body)).toMatchObject({ status: 422, message });
  expect((await board(author))[0]?.communications).toEqual([]);
});

test('refuses a communication dated before the arrival of the study or a day before the finding', async () => {
  const { author, reportId } = await team();
  const { id } = await add(author, reportId);
  const outside = { recipientName: 'Dr Okafor', method: 'PHONE' };
  const beforeStudy = new Date(Date.now() - 3 * 60_000).toISOString();

  const answers = [
    await communicate(author, id, { ...outside, toldAt: '1990-01-01T00:00:00Z' }),
    await communicate(author, id, { ...outside, toldAt: beforeStudy }),
    await communicate(author, id, { ...outside, toldAt: await minutesAgo(author, 24 * 60 + 1) }),
    await communicate(author, id, { ...outside, toldAt: await minutesAgo(author, 23 * 60) }),
  ];

  const message = 'Choose a time after the study arrived, at most 1 day before the finding was recorded';
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 200]);
  expect(answers.slice(0, 3)).toMatchObject([{ message }, { message }, { message }]);
  expect(answers[3]?.data.communications).toHaveLength(1);
});

test('a user without access to the study cannot be a recipient and sees no finding', async () => {
  const { author, study, reportId } = await team();
  const stranger = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { id } = await add(author, reportId);

  const { data: offered } = await author.send(criticalFindings.recipients, { params: { id } });
  const response = await communicate(author, id, { recipientId: stranger.userId, method: 'PHONE' });

  expect(offered.map((user) => user.id)).not.toContain(stranger.userId);
  expect(response.status).toBe(422);
  expect(await board(stranger)).toEqual([]);
  expect((await stranger.send(criticalFindings.get, { params: { id } })).status).toBe(404);
  expect((await stranger.send(criticalFindings.ofStudy, { params: { id: study.id } })).status).toBe(404);
});

test('a visitor from another organization sees a finding but can neither communicate nor withdraw it', async () => {
  const { author, reportId } = await team();
  const visitor = await world.signIn('SUPER_ADMIN');
  // In their own organization, the visitor may manage findings.
  await world.owner
    .updateTable('roles')
    .set({ permissions: sql`array_append(permissions, 'critical.manage')` })
    .where('tenant_id', '=', visitor.tenant.id)
    .where('built_in_for', '=', 'SUPER_ADMIN')
    .execute();
  const { id } = await add(author, reportId);
  const visit = { params: { id }, headers: { 'x-tenantid': author.tenant.subdomain } };

  const seen = await visitor.send(criticalFindings.get, visit);
  const refused = [
    await visitor.send(criticalFindings.communicate, { ...visit, body: { recipientName: 'x', method: 'PHONE' } }),
    await visitor.send(criticalFindings.withdraw, { ...visit, body: { reason: 'x' } }),
  ];

  expect(seen.data).toMatchObject({ id, canCommunicate: false, canWithdraw: false });
  expect(refused).toMatchObject(refused.map(() => ({ status: 403, message: membersOnly() })));
});

test('offers the care team first as recipients, and shows them a finding before the report is signed', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);

  const { data } = await author.send(criticalFindings.recipients, { params: { id } });

  expect(data[0]).toMatchObject({ id: referrer.userId, isConcerned: true });
  expect(data.map((user) => user.id)).not.toContain(author.userId);
  expect(await board(referrer)).toMatchObject([{ id, canCommunicate: false, canWithdraw: false }]);
});

test('offers the ordering physician first as a recipient too, and offers no deactivated user', async () => {
  const { author, study, reportId } = await team();
  const [orderer, gone] = [
    await world.signIn('REFERRING_PHYSICIAN', author.tenant),
    await world.signIn('RADIOLOGIST', author.tenant),
  ];
  await world.inTenant(author.tenant, ({ db }) =>
    db
      .insertInto('study_participants')
      .values({ study_id: study.id, user_id: orderer.userId, role: 'ORDERER' })
      .execute(),
  );
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', gone.userId).execute();
  const { id } = await add(author, reportId);

  const { data } = await author.send(criticalFindings.recipients, { params: { id } });
  const response = await communicate(author, id, { recipientId: gone.userId, method: 'PHONE' });

  expect(data.find((user) => user.id === orderer.userId)?.isConcerned).toBe(true);
  expect(data.map((user) => user.id)).not.toContain(gone.userId);
  expect(response).toMatchObject({ status: 422, message: 'Recipient is required' });
});

test('a finding disappears from the board with its deleted study and returns with it', async () => {
  const { author, study, reportId } = await team();
  const { id } = await add(author, reportId);
  const setDeleted = (deleted_at: string | null) =>
    world.owner.updateTable('studies').set({ deleted_at }).where('id', '=', study.id).execute();

  await setDeleted('2026-11-21T10:00:00Z');
  const without = await board(author);
  const response = await author.send(criticalFindings.get, { params: { id } });
  await setDeleted(null);

  expect(without).toEqual([]);
  expect(response.status).toBe(404);
  expect(await board(author)).toHaveLength(1);
});

test('a mistaken finding is withdrawn with a reason, stays readable and no longer marks the study', async () => {
  const { author, study, reportId } = await team();
  const { id } = await add(author, reportId);

  const bare = await withdraw(author, id, ' ');
  const { data } = await withdraw(author, id, 'Skin fold');

  expect(bare).toMatchObject({ status: 422, message: 'Reason is required' });
  expect(data).toMatchObject({
    state: 'WITHDRAWN',
    withdrawnReason: 'Skin fold',
    withdrawnBy: { id: author.userId },
    finding: 'Tension pneumothorax',
    canCommunicate: false,
  });
  expect(await board(author)).toEqual([]);
  expect((await author.send(criticalFindings.ofStudy, { params: { id: study.id } })).data).toHaveLength(1);
  const { data: report } = await author.send(reports.get, { params: { id: reportId } });
  expect(report).toMatchObject({ hasCriticalFindings: false, criticalFindings: [], criticalResults: [] });
});

test('refuses to communicate, acknowledge or withdraw a withdrawn finding, with 409 and its state', async () => {
  const { author, referrer, reportId } = await team();
  const { id } = await add(author, reportId);
  await communicate(author, id, { recipientId: referrer.userId, method: 'PHONE' });
  await withdraw(author, id);

  const answers = [
    await communicate(author, id, { recipientName: 'x', method: 'PHONE' }),
    await acknowledge(referrer, id),
    await withdraw(author, id),
  ];

  expect(answers).toMatchObject(answers.map(() => ({ status: 409, message: 'The finding is already Withdrawn' })));
});

test('if a communication and a withdrawal arrive simultaneously, the finding is withdrawn', async () => {
  const { author, reportId } = await team();
  const { id } = await add(author, reportId);

  const [communication, withdrawn] = await Promise.all([
    communicate(author, id, { recipientName: 'x', method: 'PHONE' }),
    withdraw(author, id),
  ]);

  const { data } = await author.send(criticalFindings.get, { params: { id } });
  expect(withdrawn.status).toBe(200);
  expect([200, 409]).toContain(communication.status);
  expect(data.state).toBe('WITHDRAWN');
  expect(data.communications).toHaveLength(communication.status === 200 ? 1 : 0);
});

test('the board sorts findings by time left and filters them by severity and state', async () => {
  const { author, reportId } = await team();
  const week = await add(author, reportId, 'SIGNIFICANT');
  const hour = await add(author, reportId, 'CRITICAL');
  const day = await add(author, reportId, 'URGENT');
  const communicated = await add(author, reportId, 'CRITICAL');
  await communicate(author, communicated.id, { recipientName: 'x', method: 'PHONE' });

  const ids = async (query = {}) => (await board(author, query)).map(({ id }) => id);

  expect(await ids()).toEqual([hour.id, day.id, week.id, communicated.id]);
  expect(await ids({ severity: 'CRITICAL' })).toEqual([hour.id, communicated.id]);
  expect(await ids({ state: 'COMMUNICATED' })).toEqual([communicated.id]);
  expect(await ids({ size: 2, page: 1 })).toEqual([week.id, communicated.id]);
  const { data } = await author.send(criticalFindings.list, { query: { severity: 'CRITICAL' } });
  expect(data.totalElements).toBe(2);
});

test('the board is exported as CSV in its order with its filters, without findings that the caller does not see', async () => {
  const { author, referrer, reportId } = await team();
  await add(author, reportId, 'SIGNIFICANT', 'Nodule');
  await add(author, reportId, 'CRITICAL', '=1+1');
  const exportedBy = async (person: Person, query = '') => {
    const reply = await person.request({ method: 'GET', url: `${criticalFindingExport.path}?${query}` });
    return reply.statusCode === 200 ? reply.body.split('\r\n').slice(1, -1) : reply.statusCode;
  };

  expect(await exportedBy(author)).toEqual([
    expect.stringContaining(`"'=1+1","Critical: within minutes","Not communicated"`),
    expect.stringContaining('"Nodule"'),
  ]);
  expect(await exportedBy(author, 'severity=SIGNIFICANT&state=')).toHaveLength(1);
  expect(await exportedBy(await world.signIn())).toEqual([]);
  expect(await exportedBy(referrer)).toBe(403);
  expect(await auditedActions(author)).toContain('critical_finding.exportList');
});

test("the server's own database role cannot overwrite or delete a finding", async () => {
  const { author, reportId } = await team();
  const { id } = await add(author, reportId);
  await communicate(author, id, { recipientName: 'x', method: 'PHONE' });
  const forbidden = [
    sql`update critical_findings set finding = 'other'`,
    sql`update critical_findings set severity = 'SIGNIFICANT', due_at = now() + interval '1 year'`,
    sql`delete from critical_findings`,
    sql`update critical_communications set was_reached = true`,
    sql`delete from critical_communications`,
  ];

  for (const statement of forbidden) {
    await expect(world.inTenant(author.tenant, ({ db }) => statement.execute(db))).rejects.toThrow('permission denied');
  }
});

test('a finding can be recorded and communicated after signing, and the signed text stays the same', async () => {
  const { author, reportId } = await team();
  const signed = await finalize(author, reportId);
  const { id } = await add(author, reportId);

  const { data } = await communicate(author, id, { recipientName: 'Dr Okafor', method: 'PHONE' });

  const { data: report } = await author.send(reports.get, { params: { id: reportId } });
  expect(data.state).toBe('COMMUNICATED');
  expect(report.contentHash).toBe(signed.data.contentHash);
});

test('warns the signer about findings that were not communicated', async () => {
  const { author, study, reportId } = await team();
  const open = await add(author, reportId);
  const communicated = await add(author, reportId);
  await communicate(author, communicated.id, { recipientName: 'x', method: 'PHONE' });

  const facts = await author.inScope((scope) => openFindingsOf(scope, study.id));

  expect(facts).toEqual([
    { id: open.id, finding: 'Tension pneumothorax', severity: 'CRITICAL', dueAt: expect.any(String) },
  ]);
});

test('an administrator chooses escalation contacts only among users of the organization', async () => {
  const { author, referrer } = await team();
  const admin = await world.signIn('ADMIN', author.tenant);
  const elsewhere = await world.signIn();
  const save = (body: object, person = admin) => person.send(criticalFindings.saveContacts, { body });

  const saved = await save({ onCall: [author.userId, author.userId], lead: [admin.userId] });
  const refused = [
    await save({ onCall: [referrer.userId], lead: [] }),
    await save({ onCall: [], lead: [elsewhere.userId] }),
    await save({ onCall: [], lead: [] }, author),
  ];

  expect(saved.data).toMatchObject({ onCall: [{ id: author.userId }], lead: [{ id: admin.userId }] });
  expect(saved.data.candidates.map(({ id }) => id).toSorted()).toEqual([author.userId, admin.userId].toSorted());
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 403]);
  expect((await admin.send(criticalFindings.contacts)).data).toEqual(saved.data);
});

test("a study list shows the state of the study's most urgent finding, and ignores withdrawn findings", async () => {
  const { author, referrer, reportId } = await team();
  const markOf = async (person: Person) => {
    const { data } = await person.send(studies.list);
    return data.content[0]?.criticalState;
  };
  const marks = [await markOf(author)];
  const [first, second] = [await add(author, reportId), await add(author, reportId, 'URGENT')];
  marks.push(await markOf(author), await markOf(referrer));

  await communicate(author, first.id, { recipientName: 'x', method: 'PHONE', hasReadBack: true });
  await communicate(author, second.id, { recipientName: 'x', method: 'PHONE' });
  marks.push(await markOf(author));
  await withdraw(author, second.id);
  marks.push(await markOf(author));
  await withdraw(author, first.id);

  expect([...marks, await markOf(author)]).toEqual([null, 'OPEN', 'OPEN', 'COMMUNICATED', 'ACKNOWLEDGED', null]);
});

test('signing a flagged report records a finding with a time limit', async () => {
  const { author, study, reportId } = await team();
  const flagged = { hasCriticalFindings: true, criticalFindingsDetails: 'Free air under the diaphragm' };

  await finalize(author, reportId, flagged);

  const { data } = await author.send(criticalFindings.ofStudy, { params: { id: study.id } });
  expect(data).toMatchObject([
    {
      finding: 'Free air under the diaphragm',
      severity: 'CRITICAL',
      state: 'OPEN',
      identifiedBy: { id: author.userId },
      canCommunicate: true,
    },
  ]);
  expect(Date.parse(data[0]?.dueAt ?? '')).toBeGreaterThan(Date.now());
});

test('signing does not record the same finding again unless the earlier record was withdrawn', async () => {
  const [recorded, mistaken] = [await team(), await team()];
  const known = await add(recorded.author, recorded.reportId, 'URGENT');
  const withdrawn = await add(mistaken.author, mistaken.reportId, 'URGENT');
  await withdraw(mistaken.author, withdrawn.id, 'Wrong report');

  const flag = (finding: string) => ({ hasCriticalFindings: true, criticalFindingsDetails: finding });
  await finalize(recorded.author, recorded.reportId, flag(`${known.finding.toUpperCase()}.`));
  await finalize(mistaken.author, mistaken.reportId, flag(withdrawn.finding));

  const findingsOf = async ({ author, study }: typeof recorded) =>
    (await author.send(criticalFindings.ofStudy, { params: { id: study.id } })).data.map(({ id, state }) => [
      id,
      state,
    ]);
  expect(await findingsOf(recorded)).toEqual([[known.id, 'OPEN']]);
  expect(await findingsOf(mistaken)).toEqual([
    [expect.any(String), 'OPEN'],
    [withdrawn.id, 'WITHDRAWN'],
  ]);
});

test('if one finding was recorded, signing still records a different finding flagged in the report', async () => {
  const { author, study, reportId } = await team();
  await add(author, reportId, 'SIGNIFICANT');

  await finalize(author, reportId, { hasCriticalFindings: true, criticalFindingsDetails: 'Free air' });

  const { data } = await author.send(criticalFindings.ofStudy, { params: { id: study.id } });
  expect(data.map(({ severity }) => severity).toSorted()).toEqual(['CRITICAL', 'SIGNIFICANT']);
  expect(data.find(({ severity }) => severity === 'CRITICAL')).toMatchObject({
    finding: 'Free air',
    state: 'OPEN',
  });
});

test('signing a report without a flag records no finding', async () => {
  const { author, study, reportId } = await team();

  await finalize(author, reportId);

  expect((await author.send(criticalFindings.ofStudy, { params: { id: study.id } })).data).toEqual([]);
});
