import { prefetchHeader } from '@radwork/contract/core/endpoint';
import { createHash } from 'node:crypto';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { beginReport, reportSteps, reportText, signature, sortedStatuses } from '#test/report-steps.ts';
import { tamper } from '#test/tamper-with-audit.ts';
import { waitsForLock } from '#test/waits-for-lock.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();
const { begin, save, finalize, requestReview, review, participate, studyStatus, tasks, auditedActions, newStudy } =
  reportSteps(world);

test('the first draft creates a report, changes the study to in progress and is audited', async () => {
  const author = await world.signIn();

  const { study, report } = await begin(author, 'No acute <script>x</script>finding.');

  expect(report).toMatchObject({
    studyId: study.id,
    status: 'DRAFT',
    content: '<p>No acute finding.</p>',
    revision: 1,
    author: { id: author.userId },
    patientName: 'Doe, Jane',
    patientId: expect.stringMatching(/^P-/),
    history: [{ version: 1, status: 'DRAFT', action: 'CREATED', actor: { username: author.username } }],
    rights: { canEdit: true, canRequestReview: true, canFinalize: true, canShare: false },
  });
  expect(await studyStatus(author, study.id)).toBe('IN_PROGRESS');
  expect(await tasks(author)).toEqual([
    { type: 'REPORT_STATUS', display_value: 'DRAFT', user_id: author.userId },
    { type: 'STUDY_STATUS_CHANGE', display_value: 'IN_PROGRESS', user_id: null },
  ]);
  expect(await auditedActions(author)).toEqual(['report.create']);
});

test('every save of a changed text makes a readable version, and a save of an unchanged text makes none', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const changed = await save(author, id, { content: '<p>Pneumothorax.</p>', revision: 1 });
  const same = await save(author, id, { content: '<p>Pneumothorax.</p>', revision: 2 });
  const first = await author.send(reports.version, { params: { id, version: '1' } });

  expect(changed.data).toMatchObject({ revision: 2, content: '<p>Pneumothorax.</p>' });
  expect(same.data.history.map(({ version, action }) => `${version} ${action}`)).toEqual(['2 SAVED', '1 CREATED']);
  expect(first.data).toMatchObject({
    content: reportText,
    contentHash: createHash('sha256').update(reportText).digest('hex'),
  });
});

test('each version stores the critical flag, and a change of the flag alone makes a version', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  const details = { hasCriticalFindings: true, criticalFindingsDetails: 'Tension pneumothorax left' };
  await save(author, id, { content: '<p>Text.</p>', revision: 1, ...details });
  await save(author, id, { content: '<p>Text.</p>', revision: 2, hasCriticalFindings: false });
  await finalize(author, id, { content: '<p>Text.</p>', revision: 3, ...details });

  const versions = await Promise.all(
    ['1', '2', '3', '4'].map((version) => author.send(reports.version, { params: { id, version } })),
  );

  const without = { hasCriticalFindings: false, criticalFindingsDetails: '' };
  expect(versions.map(({ data }) => data)).toMatchObject([without, details, without, details]);
});

test('if a report is created with a critical flag, its first version contains the flag', async () => {
  const author = await world.signIn();
  const study = await newStudy(author);
  const details = { hasCriticalFindings: true, criticalFindingsDetails: 'Tension pneumothorax left' };
  const { data } = await beginReport(author, study.id, details);

  const first = await author.send(reports.version, { params: { id: data.id, version: '1' } });

  expect(first.data).toMatchObject(details);
});

test('the critical flag of a version stored before flags existed is unknown', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  const unknown = { has_critical_findings: null, critical_findings_details: null };
  await world.owner.updateTable('report_versions').set(unknown).where('report_id', '=', id).execute();

  const { data } = await author.send(reports.version, { params: { id, version: '1' } });

  expect(data).toMatchObject({ hasCriticalFindings: null, criticalFindingsDetails: null });
});

test.each(['3', '0', 'x', '99999999999'])('does not find version %s of a report with one version', async (version) => {
  const author = await world.signIn();
  const { id } = await begin(author);

  expect(await author.send(reports.version, { params: { id, version } })).toMatchObject({ status: 404 });
});

test('when two users save the same revision, the second gets an error that names the first user', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  await participate(colleague, study.id, 'ASSIGNEE');

  const first = await save(colleague, id, { content: '<p>Effusion.</p>', revision: 1 });
  const second = await save(author, id, { content: '<p>No effusion.</p>', revision: 1 });

  expect(first.status).toBe(200);
  expect(second).toMatchObject({ status: 409, error: 'report.changed' });
  expect(second.message).toMatch(
    new RegExp(`^Dr ${colleague.username} changed the report at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d\\.`),
  );
  expect((await author.send(reports.get, { params: { id } })).data.content).toBe('<p>Effusion.</p>');
});

test('a save without a revision replaces only a text by the same user', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  await participate(colleague, study.id, 'ASSIGNEE');

  const own = await save(author, id, { content: '<p>No effusion.</p>' });
  const others = await save(colleague, id, { content: '<p>Effusion.</p>' });
  const signed = await finalize(colleague, id, { content: '<p>Effusion.</p>' });
  const signedAsItStands = await finalize(colleague, id, { content: '<p>No effusion.</p>' });

  expect(own.status).toBe(200);
  expect([others, signed]).toMatchObject([
    { status: 409, error: 'report.changed' },
    { status: 409, error: 'report.changed' },
  ]);
  expect(signedAsItStands.status).toBe(200);
  expect((await author.send(reports.get, { params: { id } })).data.content).toBe('<p>No effusion.</p>');
});

test('only one of two simultaneous saves of a report succeeds', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const answers = await Promise.all([1, 2].map((n) => save(author, id, { content: `<p>${n}</p>`, revision: 1 })));

  expect(sortedStatuses(answers)).toEqual([200, 409]);
});

test('refuses to request a review of a text that changes at the same moment', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);

  const requested = await author.inScope(async ({ db }) => {
    const later = { content: '<p>Later.</p>', revision: sql<number>`revision + 1` };
    await db.updateTable('reports').set(later).where('id', '=', id).execute();
    const answer = requestReview(author, id, reviewer);
    await waitsForLock(world);
    return { answer };
  });

  expect(await requested.answer).toMatchObject({ status: 409, error: 'report.changed' });
  expect((await author.send(reports.get, { params: { id } })).data).toMatchObject({ status: 'DRAFT', revision: 2 });
});

test.each([
  ['an empty text', '', 'Report content is required'],
  ['an empty paragraph', '<p> &nbsp;\u200b</p>', 'Report content is required'],
  ['more than 10,000 characters', `<p>${'a'.repeat(10_001)}</p>`, 'The report is longer than 10,000 characters'],
])('refuses a report with %s and gives the message of the form', async (_, content, message) => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const answer = await save(author, id, { content });

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'content', message }] });
});

test('accepts a report of 10,000 visible characters with any amount of markup', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const answer = await save(author, id, { content: `<p><strong>${'é'.repeat(5000)}</strong>${'b'.repeat(5000)}</p>` });

  expect(answer.status).toBe(200);
});

test('requires details for a critical flag', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);

  const bare = await save(author, id, { content: reportText, hasCriticalFindings: true });
  const full = await save(author, id, {
    content: reportText,
    hasCriticalFindings: true,
    criticalFindingsDetails: 'Tension',
  });

  expect(bare).toMatchObject({ status: 422, message: 'Critical findings details are required' });
  expect(full.data).toMatchObject({ hasCriticalFindings: true, criticalFindingsDetails: 'Tension', revision: 2 });
});

test('a study has only one open report, and another can begin when it is finalized', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);
  const again = () => beginReport(author, study.id);

  const beside = await again();
  await finalize(author, id);
  const after = await again();

  expect(beside).toMatchObject({
    status: 409,
    message: `This study already has an open report, by Dr ${author.username}`,
    errors: [{ field: 'reportId', message: id }],
  });
  expect(after).toMatchObject({ status: 200, data: { status: 'DRAFT' } });
  expect((await author.send(reports.ofStudy, { params: { id: study.id } })).data.report?.id).toBe(after.data.id);
  expect(await studyStatus(author, study.id)).toBe('COMPLETED');
});

test('users who may read drafts see the signed report next to a newer draft until the draft is signed', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author, '<p>Signed words.</p>');
  const readReports = async () => (await colleague.send(reports.ofStudy, { params: { id: study.id } })).data;
  await finalize(author, id, { content: '<p>Signed words.</p>' });
  const alone = await readReports();

  const newer = await beginReport(author, study.id);
  const beside = await readReports();
  await finalize(author, newer.data.id);
  const after = await readReports();

  expect(alone.report?.id).toBe(id);
  expect(alone.standing).toBeUndefined();
  expect(beside.report).toMatchObject({ id: newer.data.id, status: 'DRAFT' });
  expect(beside.standing).toMatchObject({ id, status: 'FINALIZED', content: '<p>Signed words.</p>' });
  expect(after.report?.id).toBe(newer.data.id);
  expect(after.standing).toBeUndefined();
});

test('only one of three simultaneous requests to begin a report succeeds', async () => {
  const author = await world.signIn();
  const study = await newStudy(author);

  const answers = await Promise.all([1, 2, 3].map(() => beginReport(author, study.id)));

  expect(sortedStatuses(answers)).toEqual([200, 409, 409]);
});

test('the response for a study without a report says whether the caller may begin a report', async () => {
  const author = await world.signIn();
  const other = await world.signIn('RADIOLOGIST', author.tenant);
  const study = await newStudy(author);
  await participate(author, study.id, 'ASSIGNEE');

  const mine = await author.send(reports.ofStudy, { params: { id: study.id } });
  const othersView = await other.send(reports.ofStudy, { params: { id: study.id } });
  const refused = await beginReport(other, study.id);

  const patient = { id: study.patientId, patientName: 'Doe, Jane', patientId: expect.stringMatching(/^P-/) };
  expect(mine.data).toEqual({ report: null, patient, canCreate: true, reasons: [], readingBy: null });
  expect(othersView.data).toEqual({
    report: null,
    patient,
    canCreate: false,
    reasons: ['This study is assigned to another radiologist'],
    readingBy: null,
  });
  expect(refused).toMatchObject({ status: 403, message: 'This study is assigned to another radiologist' });
});

test.each([
  ['no signature', undefined, 'Signature is required'],
  [
    'an HTML page as the signature',
    `data:image/png;base64,${btoa('<html>')}`,
    'The signature must be a PNG or SVG image',
  ],
  [
    'a signature image that is too large',
    `${signature.replace(/=*$/, '')}${'A'.repeat(275_000)}`,
    'The signature is larger than 200 KB',
  ],
])('refuses to sign a report with %s', async (_, signatureData, message) => {
  const author = await world.signIn();
  const { id } = await begin(author);

  expect(await finalize(author, id, { signatureData })).toMatchObject({ status: 422, message });
});

test('a colleague who is neither author nor assignee can read a draft but not change it', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { id } = await begin(author);

  const read = await colleague.send(reports.get, { params: { id } });
  const answers = [
    await save(colleague, id, { content: '<p>Mine.</p>' }),
    await requestReview(colleague, id, author),
    await finalize(colleague, id),
  ];

  expect(read.data).toMatchObject({ content: reportText, rights: { canEdit: false, canFinalize: false } });
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test.each([
  [{ severity: 'CRITICAL' }, 'Finding description is required'],
  [{ finding: ' ', severity: 'CRITICAL' }, 'Finding description is required'],
  [{ finding: 'Bleeding' }, 'Severity is required'],
  [{ finding: 'Bleeding', severity: 'dire' }, 'Severity is required'],
])('refuses a critical finding with %o: %s', async (body, message) => {
  const author = await world.signIn();
  const { id } = await begin(author);

  expect(await author.send(reports.addCriticalFinding, { params: { id }, body })).toMatchObject({
    status: 422,
    message,
  });
});

test('a referring physician sees finalized reports of their own studies, without review notes and versions', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author, '<p>First thoughts.</p>');
  const foreign = await begin(author);
  await finalize(author, foreign.id);
  await participate(referrer, study.id, 'REFERRER');

  const draft = await referrer.send(reports.get, { params: { id } });
  const before = await referrer.send(reports.ofStudy, { params: { id: study.id } });
  await requestReview(author, id, reviewer);
  await review(reviewer, id, { approved: true, comments: 'Not bad for a Monday' });
  await finalize(author, id, { content: '<p>First thoughts.</p>' });
  const final = await referrer.send(reports.get, { params: { id } });
  const reportPage = await referrer.send(reports.list);

  expect(draft.status).toBe(404);
  expect(before.data).toMatchObject({ report: null, canCreate: false });
  expect(final.data).toMatchObject({
    content: '<p>First thoughts.</p>',
    reviewComments: '',
    reviewNotes: '',
    linkHash: null,
  });
  expect(final.data.history).toMatchObject([{ action: 'FINALIZED', comment: '' }]);
  expect(await referrer.send(reports.version, { params: { id, version: '1' } })).toMatchObject({ status: 404 });
  expect(reportPage.data.content.map((row) => row.id)).toEqual([id]);
  expect(await referrer.send(reports.get, { params: { id: foreign.id } })).toMatchObject({ status: 404 });
});

test('a request for a report of another tenant gets the same answer as for a report that does not exist', async () => {
  const author = await world.signIn();
  const stranger = await world.signIn();
  const { study, id } = await begin(author);
  const calls = (reportId: string, studyId: string) =>
    Promise.all([
      stranger.send(reports.get, { params: { id: reportId } }),
      stranger.send(reports.ofStudy, { params: { id: studyId } }),
      stranger.send(reports.create, {
        params: { id: studyId },
        body: { content: reportText, patientId: study.patientId },
      }),
      save(stranger, reportId, { content: reportText }),
      finalize(stranger, reportId),
      stranger.send(reports.addCriticalFinding, {
        params: { id: reportId },
        body: { finding: 'x', severity: 'URGENT' },
      }),
      stranger.send(reportLinks.create, { params: { id: reportId }, body: {} }),
    ]);

  const realAnswers = await calls(id, study.id);
  const nobodys = await calls(newId(), newId());

  const words = (answers: typeof realAnswers) =>
    answers.map(({ status, error, message }) => ({ status, error, message }));
  expect(words(realAnswers)).toEqual(words(nobodys));
  expect(realAnswers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
});

test('the reports of a deleted study are not found', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);

  await world.inTenant(author.tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ deleted_at: sql`now()` })
      .where('id', '=', study.id)
      .execute(),
  );

  expect(await author.send(reports.get, { params: { id } })).toMatchObject({ status: 404 });
  expect((await author.send(reports.list)).data.totalElements).toBe(0);
});

test('lists reports by state, newest first, page by page', async () => {
  const author = await world.signIn();
  const first = await begin(author);
  const second = await begin(author);
  const third = await begin(author);
  await finalize(author, second.id);

  const drafts = await author.send(reports.list, { query: { status: 'DRAFT', size: 1 } });
  const all = await author.send(reports.list, { query: { sort: 'createdAt,asc' } });

  expect(drafts.data).toMatchObject({ totalElements: 2, totalPages: 2, content: [{ id: third.id }] });
  expect(all.data.content.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
});

test('audits repeated readings of the same report text once', async () => {
  const author = await world.signIn();
  const { study, id } = await begin(author);
  const read = () => author.send(reports.ofStudy, { params: { id: study.id } });

  await read();
  await author.send(reports.get, { params: { id } });
  await read();

  expect(await auditedActions(author)).toEqual(['report.create', 'report.view']);
});

test('audits a report that is loaded in advance in its own words, and reading it afterwards', async () => {
  const author = await world.signIn();
  const { study } = await begin(author);
  const params = { id: study.id };

  await author.send(reports.ofStudy, { params, headers: { [prefetchHeader]: '1' } });
  await author.send(reports.ofStudy, { params });

  expect(await auditedActions(author)).toEqual(['report.create', 'report.prefetch', 'report.view']);
});

test('audits a reading again for a new text, another user, another IP address or a later time', async () => {
  const author = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  const read = (person = author) => person.send(reports.ofStudy, { params: { id: study.id } });
  const readings = async () => (await auditedActions(author)).filter((action) => action === 'report.view').length;

  await read();
  await save(author, id, { content: '<p>More</p>', revision: 1 });
  await read();
  expect(await readings()).toBe(2);
  await read(colleague);
  expect(await readings()).toBe(3);
  const url = `/api${reports.ofStudy.path.replace(':id', study.id)}`;
  await author.request({ method: 'GET', url, remoteAddress: '10.0.0.2' });
  expect(await readings()).toBe(4);
  await tamper(world, sql`update audit_entries set created_at = created_at - interval '6 minutes'`);
  await read();
  expect(await readings()).toBe(5);
});

test('accepts a report with images that is larger than the limit for other requests', async () => {
  const author = await world.signIn();
  const { id } = await begin(author);
  const picture = `<img src="${signature.replace(/=*$/, '')}${'A'.repeat(3_000_000)}">`;

  expect((await save(author, id, { content: `${reportText}${picture}` })).status).toBe(200);
});
