import { reports } from '@radwork/contract/reading/reports';
import { reportViews } from '@radwork/contract/reading/report-list';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, requestReview, review, participate } = reportSteps(world);

const idsIn = async (person: Person, query: Record<string, string | number>) => {
  const { data } = await person.send(reports.list, { query });
  return data.content.map(({ id }) => id);
};

/** A radiologist's draft, a report in review, one sent back and one signed. */
const manyReports = async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const draft = await begin(author);
  const pending = await begin(author);
  await requestReview(author, pending.id, reviewer);
  const sentBack = await begin(author);
  await requestReview(author, sentBack.id, reviewer);
  await review(reviewer, sentBack.id, { approved: false, comments: 'Side?' });
  const signed = await begin(author);
  await finalize(author, signed.id);
  return { author, reviewer, draft: draft.id, pending: pending.id, sentBack: sentBack.id, signed: signed.id };
};

test('the tabs list own reports, reports to review, reports to revise, finalized reports and all reports', async () => {
  const { author, reviewer, draft, pending, sentBack, signed } = await manyReports();

  const viewResults = await Promise.all(reportViews.map((view) => idsIn(author, { view })));
  const seenByReviewer = await Promise.all(reportViews.map((view) => idsIn(reviewer, { view })));

  const all = [signed, sentBack, pending, draft];
  expect(viewResults).toEqual([all, [], [sentBack], [signed], all]);
  expect(seenByReviewer).toEqual([[], [pending], [], [signed], all]);
});

test('both the author and an assignee of the study find a report to revise', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const { study, id } = await begin(author);
  await participate(colleague, study.id, 'ASSIGNEE');
  await requestReview(author, id, reviewer);
  await review(reviewer, id, { approved: false, comments: 'Side?' });

  expect(await idsIn(colleague, { view: 'REVISION_REQUIRED' })).toEqual([id]);
});

test('every tab shows the number of its reports', async () => {
  const { author, reviewer } = await manyReports();

  const own = await author.send(reports.views);
  const reviewers = await reviewer.send(reports.views);

  const totals = (counts: typeof own.data) => reportViews.map((view) => counts[view].total);
  expect(totals(own.data)).toEqual([4, 0, 1, 1, 4]);
  expect(totals(reviewers.data)).toEqual([0, 1, 0, 1, 4]);
});

test('finds reports by the filters and search words for studies', async () => {
  const author = await world.signIn();
  const studyWithReport = async (study: Parameters<typeof addStudy>[1]) => {
    const { id } = await world.inTenant(author.tenant, (scope) => addStudy(scope, study));
    const { data } = await beginReport(author, id, { content: '<p>x</p>' });
    return data.id;
  };
  const ct = await studyWithReport({
    patient: { patient_name: 'Miller^Anna' },
    modality: 'CT',
    accession_number: 'ACC-77',
    study_date: '2026-11-01T10:00:00',
  });
  const mr = await studyWithReport({
    patient: { patient_name: 'Okafor^Ben' },
    modality: 'MR',
    accession_number: 'ACC-78',
    study_date: '2026-11-10T10:00:00',
  });

  const queries = [
    { query: 'miller, ANNA' },
    { query: 'acc-78' },
    { modality: 'MR' },
    { startDate: '2026-11-02' },
    { endDate: '2026-11-01' },
    { query: 'nobody' },
    { sort: 'patientName,asc' },
    { sort: 'studyDate,desc' },
  ];

  const results = await Promise.all(queries.map((query) => idsIn(author, query)));
  expect(results).toEqual([[ct], [mr], [mr], [mr], [ct], [], [ct, mr], [mr, ct]]);
});

test('finds a report even if a name search matches too many studies, and then marks the total as inexact', async () => {
  const author = await world.signIn();
  const oldest = { modality: 'CT', study_date: '2001-02-03T04:05:06' };
  const { id, patientId } = await world.inTenant(author.tenant, (scope) => addStudy(scope, oldest));
  const { data } = await beginReport(author, id, { content: '<p>x</p>' });
  await sql`
    insert into studies (tenant_id, id, patient_id, patient_name, study_instance_uid, study_date, modality, modalities)
    select ${sql.lit(author.tenant.id)}, gen_random_uuid(), ${patientId}, patient_name, '1.2.3.' || n, date '2020-01-01' + n % 999, 'CT', '{CT}'
    from generate_series(1, 2001) n, patients where patients.id = ${patientId}`.execute(world.owner);

  const queries = [{ modality: 'CT' }, { query: data.patientName }, { startDate: '2001-01-01' }];
  const answers = await Promise.all(queries.map((query) => author.send(reports.list, { query })));

  expect(answers.map((answer) => answer.data.content.map((report) => report.id))).toEqual([
    [data.id],
    [data.id],
    [data.id],
  ]);
  expect(answers[0]?.data).toMatchObject({ isTotalExact: false, totalElements: 1 });
});

test('filters reports by author, reviewer, status and critical findings', async () => {
  const { author, reviewer, draft, pending, sentBack, signed } = await manyReports();
  const others = await begin(reviewer);
  await reviewer.send(reports.addCriticalFinding, {
    params: { id: draft },
    body: { finding: 'x', severity: 'URGENT' },
  });

  const queries = [
    { authorId: reviewer.userId },
    { reviewerId: reviewer.userId },
    { status: 'DRAFT' },
    { critical: 'true' },
    { critical: 'false', authorId: author.userId },
  ];

  const results = await Promise.all(queries.map((query) => idsIn(author, query)));
  expect(results).toEqual([[others.id], [sentBack, pending], [others.id, draft], [draft], [signed, sentBack, pending]]);
});

test('each page continues where the previous page ended', async () => {
  const { author, draft, pending, sentBack, signed } = await manyReports();

  const pages = await Promise.all([0, 1, 2].map((page) => idsIn(author, { page, size: 3 })));

  expect(pages).toEqual([[signed, sentBack, pending], [draft], []]);
});

test.each([
  [{ startDate: 'yesterday' }, 'Use a date such as 2026-11-21 or 20261101-20261121'],
  [{ startDate: '2026-11-02', endDate: '2026-11-01' }, 'From date must not be after to date'],
  [{ sort: 'content,asc' }, 'Sort by one of createdAt, studyDate, patientName, then asc or desc'],
  [{ authorId: 'me' }, 'Choose an author'],
  [{ critical: 'perhaps' }, 'Use true or false'],
])('refuses the filter %o with a message', async (query, message) => {
  const author = await world.signIn();

  expect(await author.send(reports.list, { query })).toMatchObject({ status: 400, message });
});

test('a referring physician can page through the reports that they may see, in every sort order', async () => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const ownReports = new Set<string>();
  for (let number = 0; number < 15; number += 1) {
    const { study, id } = await begin(author);
    await finalize(author, id);
    if (number % 4 === 3) continue;
    ownReports.add(id);
    await participate(referrer, study.id, 'REFERRER');
    if (number % 5 === 0) await participate(referrer, study.id, 'ASSIGNEE');
  }
  for (const sort of ['createdAt,desc', 'createdAt,asc', 'studyDate,desc', 'patientName,asc']) {
    const ofAll = (await idsIn(author, { sort, size: 50 })).filter((id) => ownReports.has(id));
    const pages = [await idsIn(referrer, { sort, size: 10 }), await idsIn(referrer, { sort, size: 10, page: 1 })];
    expect(pages).toEqual([ofAll.slice(0, 10), ofAll.slice(10)]);
  }
});

test('every tab and filter shows a referring physician only finalized reports of their own studies', async () => {
  const { author, signed, draft } = await manyReports();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const studyOf = async (id: string) => (await author.send(reports.get, { params: { id } })).data.studyId;
  await participate(referrer, await studyOf(signed), 'REFERRER');
  await participate(referrer, await studyOf(draft), 'REFERRER');

  const { data: counts } = await referrer.send(reports.views);

  expect(await idsIn(referrer, {})).toEqual([signed]);
  expect(await idsIn(referrer, { status: 'DRAFT' })).toEqual([]);
  expect(reportViews.map((view) => counts[view].total)).toEqual([0, 0, 0, 1, 1]);
});
