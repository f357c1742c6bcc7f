import { dashboardParts } from '@radwork/contract/insight/dashboard';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { daysAfter, today } from '#core/values/days.ts';
import type { Scope } from '#core/access/scope.ts';
import { countListed } from '#reading/reports/report-list.ts';
import { countStudies } from '#imaging/studies/study-sources.ts';
import { beginReport, reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { type FiguresOfFewStudies, readFiguresOfFewStudies } from './figures-of-few-studies.ts';
import { sumsByBucket, sumsByColumn } from './sums.ts';

const world = await createWorld();
const { finalize, participate } = reportSteps(world);

const timeZone = 'Asia/Tokyo';
const now = today(timeZone);
const period = { from: daysAfter(now, -60), to: daysAfter(now, 1), timeZone };

/** Reads the same figures one by one from the whole period, as for users who may know of many studies. */
const readByPeriod = async (scope: Scope): Promise<FiguresOfFewStudies> => ({
  studies: (await countStudies(scope, {}, 1000)).total,
  reports: (await countListed(scope, { view: 'FINALIZED' })).total,
  arrived: await sumsByColumn(scope, 'ARRIVED', period, 'DAY'),
  turnaround: await sumsByBucket(scope, 'TURNAROUND', period),
});

const inSomeOrder = <T extends object>(rows: readonly T[]) => rows.map((row) => JSON.stringify(row)).toSorted();
const withoutOrder = ({ arrived, turnaround, ...counts }: FiguresOfFewStudies) => ({
  ...counts,
  arrived: inSomeOrder(arrived),
  turnaround: inSomeOrder(turnaround),
});

const sign = async (reader: Person, study: string) => {
  const { data } = await beginReport(reader, study);
  expect((await finalize(reader, data.id)).status).toBe(200);
  return data.id;
};

/**
 * Creates studies around both ends of the days of the period. Some belong to a referring physician, some have two
 * reports or a draft, and some are deleted.
 */
const referrerAmongOthers = async () => {
  const reader = await world.signIn('RADIOLOGIST', await world.newTenant({ timeZone }));
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const before = daysAfter(period.from, -1);
  const moments = [`${before}T14:59:00Z`, `${before}T15:01:00Z`, `${daysAfter(now, -20)}T10:00:00Z`];
  for (let number = 0; number < 24; number += 1) {
    const { id } = await reader.inScope((scope) => addStudy(scope, { seriesModalities: [number % 3 ? 'CT' : 'MR'] }));
    const isTheirs = number % 4 !== 3;
    if (isTheirs) await participate(referrer, id, 'REFERRER');
    if (number % 8 === 0) await participate(referrer, id, 'ASSIGNEE');
    if (number % 3 === 0) await sign(reader, id);
    if (number % 6 === 0) await sign(reader, id);
    if (number % 5 === 1) await beginReport(reader, id);
    await reader.inScope(({ db }) =>
      db
        .updateTable('studies')
        .set({
          created_at: moments[number % moments.length] ?? '',
          priority: number % 2 ? 'STAT' : 'ROUTINE',
          ...(number % 9 === 6 && { deleted_at: sql`now()` }),
        })
        .where('id', '=', id)
        .execute(),
    );
  }
  return { reader, referrer };
};

test('figures of few studies are the same when read together and when read one by one', async () => {
  const { referrer } = await referrerAmongOthers();

  const [atOnce, each] = await referrer.inScope(async (scope) => [
    await readFiguresOfFewStudies(scope, period, new Set(dashboardParts)),
    await readByPeriod(scope),
  ]);

  expect(atOnce && withoutOrder(atOnce)).toEqual(withoutOrder(each));
  expect(each).toMatchObject({ studies: 17, reports: 8 });
  // Five of the 17 studies arrived before the first day of the period.
  expect(each.arrived.reduce((sum, { total }) => sum + total, 0)).toBe(12);
  expect(each.turnaround.reduce((sum, { total }) => sum + total, 0)).toBe(5);
});

test('figures are not read together for users who see all studies, or if no requested figure needs this', async () => {
  const { reader, referrer } = await referrerAmongOthers();

  expect(
    await reader.inScope((scope) => readFiguresOfFewStudies(scope, period, new Set(dashboardParts))),
  ).toBeUndefined();
  expect(
    await referrer.inScope((scope) => readFiguresOfFewStudies(scope, period, new Set(['critical', 'ages']))),
  ).toBeUndefined();
});
