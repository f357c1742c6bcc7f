import { followUpExport, followUps } from '@radwork/contract/reading/follow-ups';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { expect, test } from 'vitest';
import { addGroup, limitToNewGroup, putInGroups } from '#test/limited-user.ts';
import { addStudy } from '#test/stored-study.ts';
import { beginReport, reportSteps, signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { askToReview } from './offer-follow-ups.ts';
import { matchFollowUps } from './match-follow-ups.ts';
import { remindOfFollowUps } from './remind.ts';

const world = await createWorld();
const { auditedActions, finalize, participate } = reportSteps(world);
const { scopes } = world.context;

const text = '<h2>Impression</h2><p>Nodule of 7 mm. Recommend CT chest in 6 months.</p>';

const fail = (error: unknown) => {
  throw error;
};

/** Creates a signed report. */
const signed = async (reader: Person, content = text, study: Parameters<typeof addStudy>[1] = {}) => {
  const stored = await world.inTenant(reader.tenant, (scope) =>
    addStudy(scope, { study_date: '2026-06-01T09:00:00', description: 'CT chest', ...study }),
  );
  const { data } = await beginReport(reader, stored.id, { content });
  const { status } = await finalize(reader, data.id, { content });
  if (status !== 200) throw new Error('The report is signed');
  return { study: stored, reportId: data.id };
};

const list = async (person: Person, query: Record<string, string> = {}) =>
  (await person.send(followUps.list, { query })).data;
const offered = async (person: Person) => (await list(person, { view: 'OFFERED' })).content;
const decide = (person: Person, id: string, body: object) =>
  person.send(followUps.decide, { params: { id }, body: { revision: 1, ...body } });
const history = async (person: Person, id: string) =>
  (await person.send(followUps.get, { params: { id } })).data.history.map(({ event, state }) => `${event} ${state}`);

/** Signs a report and accepts its offer. */
const accepted = async (reader: Person, content?: string, study?: Parameters<typeof addStudy>[1]) => {
  const made = await signed(reader, content, study);
  const [offer] = await offered(reader);
  if (!offer) throw new Error('The report offers an examination');
  await decide(reader, offer.id, { state: 'OPEN' });
  return { ...made, id: offer.id };
};

const arrive = (person: Person, patientId: string, study: Parameters<typeof addStudy>[1]) =>
  world.inTenant(person.tenant, (scope) =>
    addStudy(scope, { patient: { id: patientId }, study_date: '2026-12-02T10:00:00', ...study }),
  );

const rowOf = async (person: Person, id: string) => (await person.send(followUps.get, { params: { id } })).data;

test('a signed report offers the examination that it recommends, and one press accepts it', async () => {
  const reader = await world.signIn();
  const { study, reportId } = await signed(reader);

  const [offer, ...others] = await offered(reader);

  expect(others).toEqual([]);
  expect(offer).toMatchObject({
    modality: 'CT',
    bodyPart: 'CHEST',
    dueFrom: '2026-12-01',
    dueTo: '2026-12-01',
    quote: 'Recommend CT chest in 6 months.',
    state: 'OFFERED',
    reportId,
    studyId: study.id,
    owner: { id: reader.userId },
    canChange: true,
  });
  const open = await decide(reader, offer?.id ?? '', { state: 'OPEN' });
  expect(open.data).toMatchObject({ state: 'OPEN', revision: 2 });
  expect(await history(reader, open.data.id)).toEqual(['ACCEPTED OPEN', 'OFFERED OFFERED']);
  expect(await auditedActions(reader)).toEqual(expect.arrayContaining(['follow_up.offer', 'follow_up.decide']));
});

test('a report without a recommendation offers nothing, and an offer can be dismissed and offered again', async () => {
  const reader = await world.signIn();
  await signed(reader, '<p>No follow-up is recommended.</p>');
  expect(await offered(reader)).toEqual([]);
  await signed(reader);
  const [offer] = await offered(reader);

  await decide(reader, offer?.id ?? '', { state: 'DISMISSED' });
  expect(await offered(reader)).toEqual([]);
  const again = await decide(reader, offer?.id ?? '', { state: 'OFFERED', revision: 2 });

  expect(again.data.state).toBe('OFFERED');
});

test('the referring physician owns a row and may decide, unless the settings name the author', async () => {
  const reader = await world.signIn();
  const admin = await world.signIn('ADMIN', reader.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const stranger = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const study = await world.inTenant(reader.tenant, (scope) => addStudy(scope));
  await participate(referrer, study.id, 'REFERRER');
  const { data } = await beginReport(reader, study.id, { content: text });
  await finalize(reader, data.id, { content: text });
  const [row] = await offered(referrer);

  expect(row?.owner.id).toBe(referrer.userId);
  expect((await decide(referrer, row?.id ?? '', { state: 'OPEN' })).status).toBe(200);
  expect((await decide(stranger, row?.id ?? '', { state: 'LOST', reason: 'x', revision: 2 })).status).toBe(404);
  expect((await decide(admin, row?.id ?? '', { state: 'LOST', reason: 'x', revision: 2 })).status).toBe(403);
  await admin.send(followUps.saveSettings, { body: { owner: 'AUTHOR', remindsAuthor: true, contacts: [] } });
  const other = await world.inTenant(reader.tenant, (scope) => addStudy(scope));
  await participate(referrer, other.id, 'REFERRER');
  const draft = await beginReport(reader, other.id, { content: text });
  await finalize(reader, draft.data.id, { content: text });
  expect((await offered(reader))[0]?.owner.id).toBe(reader.userId);
});

test('a referring physician does not see a row of a draft, and the register lists it only when it is signed', async () => {
  const reader = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const study = await world.inTenant(reader.tenant, (scope) => addStudy(scope));
  await participate(referrer, study.id, 'REFERRER');
  const { data } = await beginReport(reader, study.id, { content: '<p>Nodule.</p>' });
  const added = await reader.send(followUps.add, {
    params: { id: data.id },
    body: { modality: 'MR', bodyPart: 'KNEE', dueFrom: '2026-12-01', dueTo: '2027-01-01' },
  });

  expect(added.data).toMatchObject({ state: 'OPEN', isReportFinal: false });
  expect((await referrer.send(followUps.get, { params: { id: added.data.id } })).status).toBe(404);
  expect((await list(reader)).content).toEqual([]);
  await finalize(reader, data.id, { content: '<p>Nodule.</p>' });
  expect((await list(referrer)).content.map(({ id }) => id)).toEqual([added.data.id]);
});

test('a row closes when the examination arrives, and opens again without that study', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);
  const arrived = await arrive(reader, study.patientId, { description: 'CT chest with contrast' });

  await matchFollowUps(scopes, fail);

  expect(await rowOf(reader, id)).toMatchObject({ state: 'DONE', matchedStudy: { id: arrived.id } });
  const ofArrived = await reader.send(followUps.ofStudy, { params: { id: arrived.id } });
  expect(ofArrived.data.ofPatient.map((row) => row.id)).toEqual([id]);
  const { revision } = await rowOf(reader, id);
  await decide(reader, id, { state: 'OPEN', revision });
  await matchFollowUps(scopes, fail);
  expect(await rowOf(reader, id)).toMatchObject({ state: 'OPEN', matchedStudy: null, candidate: null });
});

test('an order schedules a row, and its images close it', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);
  const order = await arrive(reader, study.patientId, { description: 'CT chest', instance_count: 0 });

  await matchFollowUps(scopes, fail);
  expect(await rowOf(reader, id)).toMatchObject({ state: 'SCHEDULED', matchedStudy: { id: order.id } });
  await world.owner
    .updateTable('studies')
    .set({ instance_count: 4, updated_at: world.sql`now()` })
    .where('id', '=', order.id)
    .execute();
  await matchFollowUps(scopes, fail);

  expect(await rowOf(reader, id)).toMatchObject({ state: 'DONE', matchedStudy: { id: order.id } });
});

test('a study that agrees in part is offered, and is not offered again after a user dismissed it', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);
  const early = await arrive(reader, study.patientId, { study_date: '2026-07-01T10:00:00', description: 'CT chest' });
  await matchFollowUps(scopes, fail);

  expect(await rowOf(reader, id)).toMatchObject({ state: 'OPEN', candidate: { id: early.id } });
  const dismissed = await reader.send(followUps.dismissMatch, { params: { id }, body: { studyId: early.id } });
  await matchFollowUps(scopes, fail);

  expect(dismissed.data.candidate).toBeNull();
  expect((await rowOf(reader, id)).candidate).toBeNull();
});

test('a study of another patient, an earlier, a canceled or a deleted study closes nothing', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);
  await world.inTenant(reader.tenant, (scope) =>
    addStudy(scope, { study_date: '2026-12-02T10:00:00', description: 'CT chest' }),
  );
  const ct = { description: 'CT chest' };
  await arrive(reader, study.patientId, { ...ct, study_date: '2026-05-01T10:00:00' });
  await arrive(reader, study.patientId, { ...ct, status: 'CANCELLED' });
  await arrive(reader, study.patientId, { ...ct, deleted_at: '2026-12-03T10:00:00Z' });

  await matchFollowUps(scopes, fail);

  expect(await rowOf(reader, id)).toMatchObject({ state: 'OPEN', matchedStudy: null, candidate: null });
});

test('a row opens again when its study is deleted', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);
  const arrived = await arrive(reader, study.patientId, { description: 'CT chest' });
  await matchFollowUps(scopes, fail);
  await world.owner
    .updateTable('studies')
    .set({ deleted_at: world.sql`now()` })
    .where('id', '=', arrived.id)
    .execute();

  await matchFollowUps(scopes, fail);

  expect((await rowOf(reader, id)).state).toBe('OPEN');
  expect((await history(reader, id))[0]).toBe('UNMATCHED OPEN');
});

test('overdue rows come first, and owner, author and contacts are reminded once in 14 days', async () => {
  const reader = await world.signIn();
  const admin = await world.signIn('ADMIN', reader.tenant);
  await admin.send(followUps.saveSettings, {
    body: { owner: 'REFERRER', remindsAuthor: true, contacts: [admin.userId] },
  });
  const later = await accepted(reader, '<p>Recommend MRI of the knee in 2 years.</p>');
  const overdue = await accepted(reader, undefined, { study_date: '2026-01-01T09:00:00' });

  await remindOfFollowUps(scopes, fail);
  await remindOfFollowUps(scopes, fail);

  const page = await list(reader);
  expect(page.content.map(({ id, isOverdue }) => [id, isOverdue])).toEqual([
    [overdue.id, true],
    [later.id, false],
  ]);
  expect(page.overdue).toBe(1);
  const notices = await world.owner
    .selectFrom('notifications')
    .select(['user_id', 'title', 'message', 'link'])
    .where('user_id', 'in', [reader.userId, admin.userId])
    .where('type', '=', 'FOLLOW_UP')
    .execute();
  expect(notices.map(({ user_id }) => user_id).toSorted()).toEqual([reader.userId, admin.userId].toSorted());
  expect(notices[0]).toMatchObject({
    title: 'A recommended examination is overdue',
    message: 'CT chest',
    link: `/follow-ups?followUpId=${overdue.id}`,
  });
});

test('the register is exported as CSV with its filters, without rows that the caller does not see', async () => {
  const reader = await world.signIn();
  const { reportId } = await accepted(reader);
  await signed(reader, text.replace('7 mm', '8 mm'));
  const exportedBy = async (person: Person, query: string) =>
    (await person.request({ method: 'GET', url: `${followUpExport.path}?${query}` })).body.split('\r\n').slice(1, -1);

  const [line, ...others] = await exportedBy(reader, 'view=WAITING&mine=&modality=CT');

  expect(others).toEqual([]);
  expect(line).toContain('"Open"');
  expect(line).toContain('"Recommend CT chest in 6 months."');
  expect(line).toContain(`"${reportId}"`);
  expect(await exportedBy(reader, 'view=OFFERED')).toHaveLength(1);
  expect(await exportedBy(await world.signIn(), 'view=WAITING')).toEqual([]);
  expect(await auditedActions(reader)).toContain('follow_up.exportList');
});

test('a correction asks the owner to check the rows, and its text is read too', async () => {
  const reader = await world.signIn();
  const { reportId, id } = await accepted(reader);
  const correction = {
    kind: 'CORRECTION',
    content: '<p>The nodule is 4 mm. MRI of the liver is recommended.</p>',
    passage: 'Nodule of 7 mm.',
    corrects: 0,
  };
  const begun = await reader.send(reportAddenda.begin, { params: { id: reportId }, body: correction });
  const draft = begun.data.addendumDraft;

  const done = await reader.send(reportAddenda.sign, {
    params: { id: reportId, addendumId: draft?.id ?? '' },
    body: { ...correction, signatureData: signature, revision: draft?.revision },
  });

  expect(done.status).toBe(200);
  expect((await list(reader, { view: 'REVIEW' })).content.map((row) => [row.id, row.reviewCause])).toEqual([
    [id, 'CORRECTED'],
  ]);
  expect((await offered(reader)).map(({ modality, bodyPart }) => [modality, bodyPart])).toEqual([['MR', 'LIVER']]);
  const { revision } = await rowOf(reader, id);
  const checked = await reader.send(followUps.review, { params: { id }, body: { revision } });
  expect(checked.data.reviewCause).toBeNull();
});

test('rows of a study that moved to another patient are to be checked', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);

  await world.inTenant(reader.tenant, (scope) => askToReview(scope, [study.id], 'MOVED'));

  expect((await rowOf(reader, id)).reviewCause).toBe('MOVED');
});

test('a row that was opened again by a user who cannot see the closing study is closed only by another study', async () => {
  const reader = await world.signIn();
  const { study, id } = await accepted(reader);
  const arrived = await arrive(reader, study.patientId, { description: 'CT chest' });
  await matchFollowUps(scopes, fail);
  const limited = await world.signIn('RADIOLOGIST', reader.tenant);
  const groupId = await limitToNewGroup(world, limited);
  await putInGroups(world, reader.tenant, study.id, [groupId]);
  await putInGroups(world, reader.tenant, arrived.id, [await addGroup(world, reader.tenant)]);
  const { state, matchedStudy, revision } = await rowOf(limited, id);

  const opened = await decide(limited, id, { state: 'OPEN', revision });

  expect({ state, matchedStudy }).toEqual({ state: 'DONE', matchedStudy: null });
  expect(opened).toMatchObject({ status: 200, data: { state: 'OPEN' } });
  await matchFollowUps(scopes, fail);
  expect(await rowOf(reader, id)).toMatchObject({ state: 'OPEN', matchedStudy: null, candidate: null });

  const later = await arrive(reader, study.patientId, { description: 'CT chest', study_date: '2026-12-04T10:00:00' });
  await matchFollowUps(scopes, fail);

  expect(await rowOf(reader, id)).toMatchObject({ state: 'DONE', matchedStudy: { id: later.id } });
});

test('a decision needs a reason, the current revision and a state that may follow', async () => {
  const reader = await world.signIn();
  const { id } = await accepted(reader);

  expect((await decide(reader, id, { state: 'DECLINED', revision: 2 })).status).toBe(422);
  expect((await decide(reader, id, { state: 'LOST', reason: 'Moved away', revision: 1 })).status).toBe(409);
  expect((await decide(reader, id, { state: 'OFFERED', revision: 2 })).status).toBe(409);
  expect((await decide(reader, id, { state: 'LOST', reason: 'Moved away', revision: 2 })).data).toMatchObject({
    state: 'LOST',
    reason: 'Moved away',
  });
  expect((await list(reader, { view: 'CLOSED' })).content.map((row) => row.id)).toEqual([id]);
});

test('a row refuses an owner who may not see the study, and a study of another patient', async () => {
  const reader = await world.signIn();
  const stranger = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const { id } = await accepted(reader);
  const foreign = await world.inTenant(reader.tenant, (scope) => addStudy(scope));
  const body = { modality: 'CT', bodyPart: 'CHEST', dueFrom: '2026-12-01', dueTo: '2026-12-24', revision: 2 };

  const edit = (ownerId: string) => reader.send(followUps.edit, { params: { id }, body: { ...body, ownerId } });

  expect((await edit(stranger.userId)).status).toBe(422);
  expect((await edit(reader.userId)).data).toMatchObject({ dueTo: '2026-12-24', revision: 3 });
  expect((await decide(reader, id, { state: 'DONE', studyId: foreign.id, revision: 3 })).status).toBe(422);
});
