import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { dashboard, dashboardExport, type DashboardCount } from '@radwork/contract/insight/dashboard';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { workflow } from '@radwork/contract/reading/workflow';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { addChangesToSums } from './update-sums.ts';
import { percentile } from './turnaround-buckets.ts';

const world = await createWorld();
const { finalize, participate, requestReview } = reportSteps(world);
const { newStudy, assign, changeStatus, letTimePass } = workSteps(world);
const { add, communicate, passMinutes } = findingSteps(world);

const period = { from: '2026-01-01', to: '2027-12-31' };
const ask = async (person: Person, query: Record<string, string> = period) => {
  const { status, data } = await person.send(dashboard.read, { query });
  expect(status).toBe(200);
  return data;
};

type ListQuery = Record<string, string | number>;
const listedStudies = async (person: Person, query: ListQuery) =>
  (await person.send(studies.search, { query })).data.totalElements;
const listedReports = async (person: Person, query: ListQuery) =>
  (await person.send(reports.list, { query })).data.totalElements;
const listedFindings = async (person: Person, query: ListQuery) =>
  (await person.send(criticalFindings.list, { query })).data.totalElements;

const arrivedAt = (person: Person, id: string, at: string) =>
  world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('studies').set({ created_at: at }).where('id', '=', id).execute(),
  );

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** Creates an organization in which everything that is counted occurs at least once, in different numbers. */
const practice = async () => {
  const admin = await world.signIn('ADMIN', await world.newTenant({ timeZone: 'Europe/Zurich' }));
  const [reader, other, referrer] = [
    await world.signIn('RADIOLOGIST', admin.tenant),
    await world.signIn('RADIOLOGIST', admin.tenant),
    await world.signIn('REFERRING_PHYSICIAN', admin.tenant),
  ];
  const ids: string[] = [];
  for (const [index, hours] of [1, 2, 5, 30, 31, 80, 90, 100, 200].entries()) {
    const priority = (['STAT', 'URGENT', 'ROUTINE'] as const)[index % 3] ?? 'STAT';
    const id = await newStudy(admin, 'PENDING', { seriesModalities: [index % 4 === 0 ? 'MR' : 'CT', 'SR'], priority });
    await arrivedAt(admin, id, hoursAgo(hours));
    ids.push(id);
  }
  const [first = '', second = '', third = '', fourth = '', fifth = '', sixth = ''] = ids;
  await assign(admin, first, [reader], { dueDate: new Date(Date.now() + 3_600_000).toISOString() });
  await letTimePass(admin, first);
  await assign(admin, second, [reader, other]);
  const { data: mine } = await beginReport(reader, third);
  const { data: othersReport } = await beginReport(other, fourth);
  await requestReview(other, othersReport.id, reader);
  for (const [study, by] of [
    [fifth, reader],
    [sixth, reader],
    [ids[6] ?? '', other],
  ] as const) {
    const { data } = await beginReport(by, study);
    expect((await finalize(by, data.id)).status).toBe(200);
    if (study === sixth) {
      // For a second signed report of the same study, no second turnaround is counted.
      const { data: again } = await beginReport(reader, study);
      expect((await finalize(reader, again.id)).status).toBe(200);
    }
  }
  const open = await add(reader, mine.id, 'CRITICAL');
  await passMinutes(reader, open.id, 10_000);
  await add(reader, mine.id, 'URGENT');
  const communicated = await add(reader, mine.id, 'SIGNIFICANT');
  await communicate(reader, communicated.id, { recipientName: 'Dr Outside', method: 'PHONE', hasReadBack: true });
  // The finding was acknowledged before it was due, and its due time is now in the past.
  await sql`update critical_findings set due_at = now(), acknowledged_at = now() - interval '1 hour' where id = ${communicated.id}`.execute(
    world.owner,
  );
  for (const study of [fifth, third]) await participate(referrer, study, 'REFERRER');
  await changeStatus(admin, ids[8] ?? '', 'CANCELLED');
  return { admin, reader, other, referrer };
};

type People = Awaited<ReturnType<typeof practice>>;
let people: People;

beforeAll(async () => {
  people = await practice();
});

describe.for(['read', 'added up'])('dashboard figures that are %s', (how) => {
  beforeAll(async () => {
    if (how === 'added up') await people.admin.inScope(addChangesToSums);
  });

  test.for(['admin', 'reader', 'other', 'referrer'] as const)(
    'every dashboard number for %s equals the length of the list that it opens',
    async (who) => {
      const person = people[who];
      const { tiles, volume, turnaround, workload, critical, ages } = await ask(person);
      const expectCount = async (count: DashboardCount | null | undefined, countListed: () => Promise<number>) => {
        const expected = count ? { ...count, total: await countListed(), isMore: false } : count;
        expect(count).toEqual(expected);
      };
      for (const [count, query] of [
        [tiles?.unread, { stage: 'UNREAD' }],
        [tiles?.inProgress, { status: 'IN_PROGRESS' }],
        [tiles?.overdue, { stage: 'OVERDUE' }],
      ] as const) {
        await expectCount(orNotFound(count, 'number'), () => listedStudies(person, query));
        await expectCount(count?.mine, () => listedStudies(person, { ...query, view: 'MINE' }));
      }
      await expectCount(tiles?.unassigned, () => listedStudies(person, { view: 'UNASSIGNED' }));
      await expectCount(tiles?.myDrafts, () => listedReports(person, { view: 'MINE', status: 'DRAFT' }));
      await expectCount(tiles?.toReview, () => listedReports(person, { view: 'TO_REVIEW' }));
      await expectCount(tiles?.openCritical, () => listedFindings(person, {}));
      await expectCount(tiles?.myStudies, () => listedStudies(person, {}));
      await expectCount(tiles?.reportsReady, () => listedReports(person, { view: 'FINALIZED' }));
      for (const { age, ...count } of ages ?? []) await expectCount(count, () => listedStudies(person, { age }));
      const { columns = [], modalities = [] } = volume ?? {};
      for (const { modality, total } of modalities) {
        const query = { mainModality: modality, arrivedFrom: period.from, arrivedTo: period.to };
        expect(total).toBe(await listedStudies(person, query));
      }
      for (const { from, to, counts } of columns) {
        for (const [mainModality, total] of Object.entries(counts)) {
          expect(total).toBe(await listedStudies(person, { mainModality, arrivedFrom: from, arrivedTo: to }));
        }
      }
      const signed = { signedFrom: period.from, signedTo: period.to };
      for (const { priority, count } of turnaround ?? []) {
        expect(count).toBe(await listedReports(person, { ...signed, priority, isFirst: 'true' }));
      }
      for (const { reader, signed: count, assigned } of workload ?? []) {
        expect(count).toBe(await listedReports(person, { ...signed, signedBy: reader.id }));
        expect(assigned).toBe(await listedStudies(person, { assigneeId: reader.id }));
      }
      for (const { severity, unsettled } of critical?.bySeverity ?? []) {
        expect(unsettled).toBe(await listedFindings(person, { severity }));
      }
      const due = { dueFrom: period.from, dueTo: period.to };
      expect(critical?.due).toBe(await listedFindings(person, { ...due, timeliness: 'EITHER' }));
      expect(critical?.inTime).toBe(await listedFindings(person, { ...due, timeliness: 'IN_TIME' }));
      expect((critical?.due ?? 0) - (critical?.inTime ?? 0)).toBe(
        await listedFindings(person, { ...due, timeliness: 'LATE' }),
      );
    },
  );

  test('an administrator sees all dashboard figures', async () => {
    const { admin, reader, other } = people;
    const { tiles, volume, turnaround, workload, critical, ages } = await ask(admin);

    expect(tiles).toMatchObject({
      unread: { total: 3, mine: null },
      inProgress: { total: 2 },
      overdue: { total: 1 },
      unassigned: { total: 3 },
      myDrafts: null,
      toReview: null,
      openCritical: { total: 2 },
      myStudies: null,
      hasStudies: true,
    });
    expect(volume?.modalities).toEqual([
      { modality: 'CT', total: 6 },
      { modality: 'MR', total: 3 },
    ]);
    expect(turnaround?.map(({ priority, count }) => [priority, count])).toEqual([
      ['STAT', 1],
      ['URGENT', 1],
      ['ROUTINE', 1],
    ]);
    // These reports were signed just now, and their studies arrived 31, 80 and 90 hours ago.
    for (const [index, hours] of [90, 31, 80].entries()) {
      expect(Math.abs((turnaround?.[index]?.p50Minutes ?? 0) / (hours * 60) - 1)).toBeLessThan(0.055);
    }
    expect(workload?.map(({ reader: { id }, signed, assigned }) => [id, signed, assigned])).toEqual([
      [reader.userId, 3, 2],
      [other.userId, 1, 1],
    ]);
    expect(critical).toMatchObject({
      bySeverity: [{ unsettled: 1 }, { unsettled: 1 }, { unsettled: 0, nextDueAt: null }],
      due: 2,
      inTime: 1,
    });
    expect(ages?.map(({ total }) => total)).toEqual([2, 1, 1, 1, 0]);
  });

  test('a radiologist sees their own work first, and no workload of other users', async () => {
    const { tiles, workload } = await ask(people.reader);

    expect(tiles).toMatchObject({
      unread: { total: 3, mine: { total: 2 } },
      overdue: { total: 1, mine: { total: 1 } },
      myDrafts: { total: 1 },
      toReview: { total: 1 },
      myStudies: null,
    });
    expect(workload).toBeNull();
  });

  test('a referring physician sees figures of their own studies only', async () => {
    const { tiles, volume, turnaround, workload, critical, ages } = await ask(people.referrer);

    expect(tiles).toMatchObject({
      unread: { total: 0, mine: null },
      inProgress: { total: 1 },
      unassigned: null,
      myDrafts: null,
      toReview: null,
      openCritical: { total: 2 },
      myStudies: { total: 2 },
      reportsReady: { total: 1 },
    });
    expect(volume?.modalities.reduce((sum, { total }) => sum + total, 0)).toBe(2);
    expect(turnaround?.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(workload).toBeNull();
    expect(critical?.due).toBe(2);
    expect(ages?.reduce((sum, { total }) => sum + total, 0)).toBe(1);
  });
});

test('the figure of a day equals its list, even if clocks change at midnight, from studies and from sums', async () => {
  const admin = await world.signIn('ADMIN', await world.newTenant({ timeZone: 'Asia/Beirut' }));
  // In this time zone, 29 March 2026 begins at 01:00, and on 24 October the hour before midnight occurs twice.
  const moments = [
    '2026-03-28T21:59:59.999Z',
    '2026-03-28T22:00:00Z',
    '2026-03-29T20:59:59.999Z',
    '2026-03-29T21:00:00Z',
    '2026-10-24T20:30:00Z',
    '2026-10-24T21:30:00Z',
    '2026-10-24T22:00:00Z',
  ];
  for (const moment of moments) await arrivedAt(admin, await newStudy(admin), moment);
  const expected = { '2026-03-28': 1, '2026-03-29': 2, '2026-03-30': 1, '2026-10-24': 2, '2026-10-25': 1 };

  for (const how of ['read', 'added up']) {
    if (how === 'added up') await admin.inScope(addChangesToSums);
    for (const [day, count] of Object.entries(expected)) {
      const { volume } = await ask(admin, { from: day, to: day });
      const total = volume?.modalities.reduce((sum, one) => sum + one.total, 0);
      const listedCount = await listedStudies(admin, { arrivedFrom: day, arrivedTo: day });
      expect([day, how, total, listedCount]).toEqual([day, how, count, count]);
    }
  }
});

test('a canceled assignment and a deleted study no longer count as assigned', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const [remaining, relieved, deleted] = [await newStudy(admin), await newStudy(admin), await newStudy(admin)];
  for (const study of [remaining, relieved, deleted]) await assign(admin, study, [reader]);
  await admin.inScope(async ({ db }) => {
    await db.updateTable('study_assignments').set({ status: 'CANCELLED' }).where('study_id', '=', relieved).execute();
    await db.updateTable('studies').set({ deleted_at: new Date().toISOString() }).where('id', '=', deleted).execute();
  });

  const { workload } = await ask(admin);

  expect(workload?.map(({ assigned }) => assigned)).toEqual([1]);
  expect(await listedStudies(admin, { assigneeId: reader.userId })).toBe(1);
});

test('refuses the dashboard to a patient', async () => {
  const patient = await world.signIn('PATIENT', people.admin.tenant);

  expect((await patient.send(dashboard.read)).status).toBe(403);
});

test('another tenant has its own dashboard figures', async () => {
  const stranger = await world.signIn('ADMIN');

  const { tiles, volume, workload } = await ask(stranger);

  expect(tiles).toMatchObject({ unread: { total: 0 }, hasStudies: false });
  expect(volume?.modalities).toEqual([]);
  expect(workload).toEqual([]);
});

test('if a tenant shows referring physicians all studies, they see all figures', async () => {
  const admin = await world.signIn('ADMIN');
  const referrer = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);
  await newStudy(admin);
  expect((await ask(referrer)).volume?.modalities).toEqual([]);
  await world.owner
    .updateTable('tenants')
    .set({ do_referrers_see_all: true })
    .where('id', '=', admin.tenant.id)
    .execute();
  const later = await world.signIn('REFERRING_PHYSICIAN', admin.tenant);

  expect((await ask(later)).volume?.modalities).toEqual([{ modality: 'CT', total: 1 }]);
});

test("the default period is the last thirty days in the tenant's time zone; a year is shown in weeks", async () => {
  const { from, to, timeZone, volume } = await ask(people.admin, {});
  const today = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(new Date());

  expect(timeZone).toBe('Europe/Zurich');
  expect(to).toBe(today);
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
  expect(volume).toMatchObject({ step: 'DAY' });
  expect(volume?.columns).toHaveLength(30);
  expect(await ask(people.admin, { days: '7' })).toMatchObject({ to: today, volume: { columns: { length: 7 } } });
  const year = await ask(people.admin, { from: '2026-01-01', to: '2026-12-31' });
  expect(year.volume).toMatchObject({ step: 'WEEK' });
  expect(year.volume?.columns[0]).toMatchObject({ from: '2026-01-01', to: '2026-01-04' });
  expect(year.volume?.columns.at(-1)).toMatchObject({ from: '2026-12-28', to: '2026-12-31' });
});

test('returns the requested dashboard parts, and refuses unknown parts and invalid periods', async () => {
  const { tiles, ages, volume } = await ask(people.admin, { parts: 'tiles,ages' });

  expect([tiles !== undefined, ages !== undefined, volume]).toEqual([true, true, undefined]);
  for (const query of [
    { parts: 'tiles,everything' },
    { from: '2026-02-02', to: '2026-02-01' },
    { from: '1900-01-01' },
    { from: 'May' },
  ]) {
    expect((await people.admin.send(dashboard.read, { query })).status).toBe(400);
  }
});

test('the CSV export contains all figures and no formula, and is audited', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await world.inTenant(admin.tenant, ({ db }) =>
    db.updateTable('users').set({ name: '=HYPERLINK("x")' }).where('id', '=', reader.userId).execute(),
  );
  const study = await newStudy(admin);
  await reader.send(workflow.read, { params: { id: study } });
  await assign(admin, study, [reader]);

  const { statusCode, headers, body } = await admin.request({
    method: 'GET',
    url: dashboardExport.path,
    query: period,
  });

  expect(statusCode).toBe(200);
  expect(headers['content-disposition']).toBe('attachment; filename="dashboard-2026-01-01-2027-12-31.csv"');
  expect(body).toContain('"Unread","now","1","",""');
  expect(body).toContain('"Assigned now","\'=HYPERLINK(""x"")","1","2026-01-01","2027-12-31"');
  const audited = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('user_id').where('action', '=', 'dashboard.export').execute(),
  );
  expect(audited).toEqual([{ user_id: admin.userId }]);
  const wrong = await admin.request({ method: 'GET', url: dashboardExport.path, query: { from: 'May' } });
  expect(wrong.statusCode).toBe(400);
});

test('an estimated percentile differs by at most 5 % from the exact one', () => {
  const minutes = Array.from({ length: 1000 }, (_, index) => 3 + index * 2.7);
  const totals = new Map<number, number>();
  for (const minute of minutes) {
    const bucket = Math.floor(Math.log(minute) / Math.log(1.1));
    totals.set(bucket, (totals.get(bucket) ?? 0) + 1);
  }
  const buckets = [...totals].map(([bucket, total]) => ({ bucket, total }));
  for (const part of [0.1, 0.5, 0.9, 1]) {
    const exact = minutes[Math.ceil(part * 1000) - 1] ?? 0;
    expect(Math.abs((percentile(buckets, part) ?? 0) / exact - 1)).toBeLessThan(0.05);
  }
  expect(percentile([], 0.5)).toBeNull();
});
