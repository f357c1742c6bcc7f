import { reports } from '@radwork/contract/reading/reports';
import { workflow } from '@radwork/contract/reading/workflow';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { reportSteps } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { newStudy, changeStatus, assign, audited } = workSteps(world);
const { begin, participate, requestReview, review, finalize } = reportSteps(world);

const exported = (person: Person, id: string) =>
  person.request({ method: 'GET', url: `/api/workflow/studies/${id}/history/export` });

/** Adds history entries with the same time. One transaction may do this. */
const fill = (person: Person, studyId: string, count: number) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .insertInto('task_history')
      .values(
        Array.from({ length: count }, (_, number) => ({
          id: newId(),
          study_id: studyId,
          type: 'STUDY_ASSIGNMENT' as const,
          display_value: 'ACTIVE',
          details: `entry ${number}`,
        })),
      )
      .execute(),
  );

test('the history shows ten entries per page, newest first, and each entry once', async () => {
  const person = await world.signIn();
  const id = await newStudy(person);
  await fill(person, id, 24);
  await changeStatus(person, id, 'IN_PROGRESS');
  const ask = (page: number, sort?: string) =>
    person.send(workflow.history, { params: { id }, query: { page, ...(sort && { sort }) } });

  const pages = [await ask(0, 'timestamp,desc'), await ask(1), await ask(2), await ask(3)];

  expect(pages[0]?.data).toMatchObject({ number: 0, size: 10, totalPages: 3, totalElements: 25 });
  expect(pages[0]?.data.content[0]?.displayValue).toBe('IN_PROGRESS');
  const ids = pages.flatMap(({ data }) => data.content.map((entry) => entry.id));
  expect(new Set(ids).size).toBe(25);
  expect(ids).toHaveLength(25);
  expect((await ask(2, 'timestamp,asc')).data.content.at(-1)?.displayValue).toBe('IN_PROGRESS');
});

test('the exported history opens in a spreadsheet and runs nothing there', async () => {
  const person = await world.signIn();
  const id = await newStudy(person, 'PENDING', { accession_number: 'A-1' });
  await changeStatus(person, id, 'IN_PROGRESS', { comments: '=HYPERLINK("https://x.invalid","a")' });
  await changeStatus(person, id, 'CANCELLED', { comments: 'Ægir 山田, "left"\nagain' });

  const { statusCode, headers, payload } = await exported(person, id);

  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toBe('attachment; filename="task-history-A-1.csv"');
  const [head, last, line] = payload.split('\r\n');
  expect(head).toBe('\uFEFF"Time (UTC)","Event","Value","Details","User"');
  expect(last).toContain(',"Ægir 山田, ""left""\nagain",');
  expect(line).toMatch(
    /^"\d{4}-\d\d-\d\dT[\d:.]+Z","Study status","IN_PROGRESS","'=HYPERLINK\(""https:\/\/x.invalid"",""a""\)","/,
  );
  expect(line).toContain(`"${person.username}"`);
});

test('the exported history has every entry once, in the order on the screen', async () => {
  const person = await world.signIn();
  const id = await newStudy(person);
  await fill(person, id, 1203);

  const { payload } = await exported(person, id);

  const lines = payload.trimEnd().split('\r\n').slice(1);
  expect(new Set(lines).size).toBe(1203);
  const first = await person.send(workflow.history, { params: { id } });
  expect(lines[0]).toContain(`"${first.data.content[0]?.details}"`);
});

test('the file name of the exported history contains only safe characters', async () => {
  const person = await world.signIn();
  const id = await newStudy(person, 'PENDING', { accession_number: '../a"b\r\n;ü' });

  const { headers } = await exported(person, id);

  expect(headers['content-disposition']).toBe('attachment; filename="task-history-_a_b_.csv"');
});

test('audits the export of the history', async () => {
  const person = await world.signIn();
  const id = await newStudy(person);

  const { payload } = await exported(person, id);

  expect(payload.split('\r\n')).toHaveLength(2);
  expect(await audited(person, 'study.exportHistory')).toEqual([
    { username: person.username, study_id: id, detail: null },
  ]);
});

test('hides entries about drafts, reviews and findings from users who read only signed reports', async () => {
  const author = await world.signIn();
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);
  const physician = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await begin(author);
  await participate(physician, study.id, 'REFERRER');
  await requestReview(author, id, reviewer);
  await review(reviewer, id, { approved: true, comments: 'Beware of the shadow' });
  const body = { finding: 'Tension pneumothorax', severity: 'CRITICAL' };
  await author.send(reports.addCriticalFinding, { params: { id }, body });
  await finalize(author, id);

  const { data } = await physician.send(workflow.history, { params: { id: study.id } });
  const { payload } = await exported(physician, study.id);

  expect(data.content.map(({ type, displayValue }) => `${type} ${displayValue}`)).toEqual([
    'STUDY_STATUS_CHANGE COMPLETED',
    'REPORT_STATUS FINALIZED',
  ]);
  expect(data.totalElements).toBe(2);
  expect(payload.trimEnd().split('\r\n')).toHaveLength(3);
  expect(payload).not.toMatch(/Beware|Tension|begun/);
  const own = await author.send(workflow.history, { params: { id: study.id } });
  expect(own.data.totalElements).toBe(7);
});

test('the history of a hidden study is not found, on the screen or as a file', async () => {
  const person = await world.signIn();
  const stranger = await world.signIn();
  const physician = await world.signIn('REFERRING_PHYSICIAN', person.tenant);
  const id = await newStudy(person);
  await assign(person, id, [person], { notes: 'secret' });

  for (const other of [stranger, physician]) {
    expect(await other.send(workflow.history, { params: { id } })).toMatchObject({ status: 404 });
    expect((await exported(other, id)).statusCode).toBe(404);
  }
  expect((await exported(person, 'x')).statusCode).toBe(404);
});
