import { createHash } from 'node:crypto';
import { reports } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { reportSteps, signature, sortedStatuses } from '#test/report-steps.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, save, finalize, requestReview, review, studyStatus, tasks, auditedActions } = reportSteps(world);

test('finalizing signs the text, completes the study and prevents all further changes of the report', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);

  const { data } = await finalize(author, id, { content: '<p>Final.</p>', revision: 1 });

  expect(data).toMatchObject({
    status: 'FINALIZED',
    content: '<p>Final.</p>',
    contentHash: createHash('sha256').update('<p>Final.</p>').digest('hex'),
    finalizedBy: { id: author.userId },
    signatureData: signature,
    history: [{ action: 'FINALIZED' }, { action: 'CREATED' }],
    rights: { canEdit: false, canFinalize: false, canShare: true },
  });
  expect(await studyStatus(author, study.id)).toBe('COMPLETED');
  expect((await tasks(author)).map(({ type, display_value }) => `${type} ${display_value}`)).toEqual([
    'REPORT_STATUS DRAFT',
    'STUDY_STATUS_CHANGE IN_PROGRESS',
    'REPORT_STATUS FINALIZED',
    'STUDY_STATUS_CHANGE COMPLETED',
  ]);
  expect(await auditedActions(author)).toEqual(['report.create', 'report.finalize']);
});

test.each([
  ['a text', { content: '<p> </p>' }, 'Report content is required'],
  ['the details of its critical findings', { hasCriticalFindings: true }, 'Critical findings details are required'],
])('refuses to sign a report without %s', async (_, body, message) => {
  const author = await world.signIn();
  const { id } = await begin(author);

  expect(await finalize(author, id, body)).toMatchObject({ status: 422, message });
  expect((await author.send(reports.get, { params: { id } })).data.status).toBe('DRAFT');
});

test('a report and its row in a list contain the study and the time of creation', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);
  const ofStudy = { modality: 'MR', accession_number: 'ACC-77', study_date: '2026-11-01T10:00:00' };
  await author.inScope(({ db }) => db.updateTable('studies').set(ofStudy).where('id', '=', study.id).execute());

  const { data } = await author.send(reports.get, { params: { id } });
  const { data: reportPage } = await author.send(reports.list);

  const facts = { modality: 'MR', accessionNumber: 'ACC-77', studyDate: '2026-11-01T10:00:00' };
  expect(data).toMatchObject({ ...facts, createdAt: data.history[0]?.at });
  expect(reportPage.content).toMatchObject([{ ...facts, createdAt: data.createdAt }]);
});

test('a report is finalized only once, and a later attempt gets an error with its state', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const answers = await Promise.all([1, 2, 3].map(() => finalize(author, id)));

  expect(sortedStatuses(answers)).toEqual([200, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.message).toBe('The report is Finalized and cannot be finalized');
});

test('refuses a signature if another user cancels the study at the same moment', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);

  const signed = await author.inScope(async (scope) => {
    await studyToChange(scope, study.id);
    const answer = finalize(author, id);
    await waitsForLock(world);
    await scope.db.updateTable('studies').set({ status: 'CANCELLED' }).where('id', '=', study.id).execute();
    return { answer };
  });

  expect(await signed.answer).toMatchObject({ status: 409, message: 'The study is canceled' });
  expect((await author.send(reports.get, { params: { id } })).data.status).toBe('DRAFT');
});

test('the database refuses to change a finalized report', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await finalize(author, id);
  const change = (column: 'content' | 'status', value: string) =>
    author.inScope(({ db }) => sql`update reports set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db));

  const saved = await save(author, id, { content: '<p>Other.</p>' });

  expect(saved).toMatchObject({ status: 409, message: 'The report is Finalized and cannot be edited' });
  await expect(change('content', 'Other')).rejects.toThrow('a finalized report cannot be changed');
  await expect(change('status', 'DRAFT')).rejects.toThrow('a finalized report cannot be changed');
  await expect(author.inScope(({ db }) => db.deleteFrom('reports').execute())).rejects.toThrow('permission denied');
});

test('finalizes a report without a signature if the organization requires none', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await world.owner
    .updateTable('tenants')
    .set({ is_signature_required: false })
    .where('id', '=', author.tenant.id)
    .execute();

  expect((await finalize(author, id, { signatureData: undefined })).data).toMatchObject({
    status: 'FINALIZED',
    signatureData: null,
  });
});

test('a report goes to review, back for revision, to review again, and is finalized when approved', async () => {
  const author = await world.signIn('RADIOLOGIST', await world.newTenant({ isReviewRequired: true }));
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);
  const early = await finalize(author, id);

  const reviewRequest = await requestReview(author, id, reviewer);
  const sentBack = await review(reviewer, id, { approved: false, comments: 'Side?' });
  const revised = await save(author, id, { content: '<p>Left effusion.</p>' });
  await requestReview(author, id, reviewer);
  const approved = await review(reviewer, id, { approved: true, comments: 'Agreed' });
  const final = await finalize(author, id, { content: '<p>Left effusion.</p>' });

  expect(early).toMatchObject({ status: 409, message: expect.stringContaining('must be approved') });
  expect(reviewRequest.data).toMatchObject({
    status: 'PENDING_REVIEW',
    reviewer: { id: reviewer.userId },
    reviewNotes: 'Please look',
    reviewRequestedAt: reviewRequest.data.history[0]?.at,
    reviewCompletedAt: null,
  });
  expect(sentBack.data).toMatchObject({
    status: 'REVISION_REQUIRED',
    reviewComments: 'Side?',
    reviewCompletedAt: sentBack.data.history[0]?.at,
  });
  expect(revised.data).toMatchObject({ status: 'REVISION_REQUIRED', content: '<p>Left effusion.</p>' });
  expect(approved.data).toMatchObject({ status: 'APPROVED', reviewComments: 'Agreed' });
  expect(final.data.history.map(({ action, comment }) => `${action} ${comment}`.trim())).toEqual([
    'FINALIZED',
    'APPROVED Agreed',
    'REVIEW_REQUESTED Please look',
    'SAVED',
    'REVISION_REQUESTED Side?',
    'REVIEW_REQUESTED Please look',
    'CREATED',
  ]);
  const [last, approval] = final.data.history;
  expect(last).toMatchObject({
    at: final.data.finalizedAt,
    actor: { id: author.userId },
    contentHash: final.data.contentHash,
  });
  expect(approval).toMatchObject({ at: approved.data.reviewCompletedAt, actor: { id: reviewer.userId } });
});

test('refuses to sign a text that differs from the approved text', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);
  await requestReview(author, id, reviewer);
  await review(reviewer, id, { approved: true, comments: 'Agreed' });

  const other = await finalize(author, id, { content: '<p>Something else.</p>' });

  expect(other).toMatchObject({ status: 409, message: 'The text differs from the approved text' });
});

test('a review requires comments and a reviewer with the permission to review', async () => {
  const author = await world.signIn();
  const admin = await world.signIn('ADMIN', author.tenant);
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);

  const { data: offered } = await author.send(reports.reviewers, { params: { id } });
  const nobody = await author.send(reports.requestReview, { params: { id }, body: {} });
  const oneself = await requestReview(author, id, author);
  const notADoctor = await requestReview(author, id, admin);
  await requestReview(author, id, reviewer);
  const silent = await review(reviewer, id, { approved: true, comments: ' ' });

  expect(offered).toEqual([{ id: reviewer.userId, username: reviewer.username, name: `Dr ${reviewer.username}` }]);
  for (const refusal of [nobody, oneself, notADoctor]) {
    expect(refusal).toMatchObject({ status: 422, message: 'Please select a reviewer' });
  }
  expect(silent).toMatchObject({ status: 422, message: 'Review comments are required' });
});

test('refuses a reviewer who is deactivated or has no right to review', async () => {
  const author = await world.signIn();
  const [gone, unfit] = [
    await world.signIn('RADIOLOGIST', author.tenant),
    await world.signIn('RADIOLOGIST', author.tenant),
  ];
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', gone.userId).execute();
  await world.owner.deleteFrom('user_roles').where('user_id', '=', unfit.userId).execute();
  const { id } = await begin(author);

  const { data: offered } = await author.send(reports.reviewers, { params: { id } });
  const answers = [await requestReview(author, id, gone), await requestReview(author, id, unfit)];

  expect(offered).toEqual([]);
  for (const answer of answers) expect(answer).toMatchObject({ status: 422, message: 'Please select a reviewer' });
});

test('only the requested reviewer submits the review, and only once', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const other = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);
  await requestReview(author, id, reviewer);
  const approve = (person: Person) => review(person, id, { approved: true, comments: 'Agreed' });

  const answers = [await approve(author), await approve(other), await approve(reviewer), await approve(reviewer)];

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 409]);
});

test('records a critical finding in any state of the report, also after the signature', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  await finalize(author, id);

  const { data } = await author.send(reports.addCriticalFinding, {
    params: { id },
    body: { finding: 'Tension pneumothorax', severity: 'high' },
  });

  expect(data).toMatchObject({
    hasCriticalFindings: true,
    criticalFindings: [
      {
        finding: 'Tension pneumothorax',
        severity: 'URGENT',
        identifiedBy: { id: author.userId },
        identifiedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ],
    criticalResults: [{ finding: 'Tension pneumothorax' }],
  });
  expect((await tasks(author)).at(-1)).toMatchObject({ type: 'CRITICAL_FINDING', display_value: 'URGENT' });
});
