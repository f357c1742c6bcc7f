import { dashboard } from '@radwork/contract/insight/dashboard';
import { reports } from '@radwork/contract/reading/reports';
import { studies } from '@radwork/contract/imaging/studies';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { image } from '#test/multipart-upload.ts';
import { storeAs } from '#test/archive-calls.ts';
import { jane, merge, move, twoRecords, undo } from '#test/merge-steps.ts';
import { reportSteps } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { differences, addChangesToSums, addChangesOfAllTenants, repair } from './update-sums.ts';
import { read as readFigures } from './service.ts';

const world = await createWorld();
const { begin, finalize } = reportSteps(world);
const { assign, changeStatus } = workSteps(world);

const figures = async (person: Person, query: Record<string, string> = {}) => {
  const { data } = await person.send(dashboard.read, { query: { parts: 'volume,turnaround,workload', ...query } });
  return data;
};

/** Reads the figures from the studies, as before the first sums exist. */
const read = (person: Person, query: Record<string, string> = {}) =>
  person
    .inScope(async (scope) => {
      await sql`delete from dashboard_folds`.execute(scope.db);
      const measured = await readFigures(scope, { parts: ['volume', 'turnaround', 'workload'], ...query });
      throw new FiguresRead(measured);
    })
    .catch((thrown: unknown) => {
      if (thrown instanceof FiguresRead) return thrown.measured;
      throw thrown;
    });

/** Thrown to roll back the transaction. Contains the figures that were read in it. */
class FiguresRead extends Error {
  measured: unknown;
  constructor(measured: unknown) {
    super('said');
    this.measured = measured;
  }
}

/** Returns a function that draws pseudo-random numbers from 0 to 1, the same ones for the same seed (mulberry32). */
const drawing = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
};

const pick = <T>(draw: () => number, from: readonly T[]): T | undefined => from[Math.floor(draw() * from.length)];

/** The server may refuse a change because of another change at the same time, but must not fail. */
const isNoFault = ({ status }: { status: number }) => expect(status).toBeLessThan(500);

/** Changes that may happen to studies. Each is applied to a random study. */
const happenings = (admin: Person, reader: Person, draw: () => number) => {
  const some = async (isDeleted = false) => {
    const rows = await admin.inScope(({ db }) =>
      db
        .selectFrom('studies')
        .select(['id', 'patient_id'])
        .where('deleted_at', isDeleted ? 'is not' : 'is', null)
        .orderBy('id')
        .execute(),
    );
    return pick(draw, rows);
  };
  const change = async (set: Record<string, unknown>) => {
    const study = await some();
    if (study) await admin.inScope(({ db }) => db.updateTable('studies').set(set).where('id', '=', study.id).execute());
  };
  // The study may be deleted before its report is begun.
  const startReport = () => begin(reader).catch(() => undefined);
  const report = async () => {
    const one = await startReport();
    if (one) isNoFault(await finalize(reader, one.id));
    return one?.study;
  };
  return {
    register: () => admin.inScope((scope) => addStudy(scope, { priority: pick(draw, ['STAT', 'ROUTINE']) ?? 'STAT' })),
    earlier: () =>
      admin.inScope((scope) =>
        addStudy(scope, {
          seriesModalities: [pick(draw, ['MR', 'US', 'CT']) ?? 'CT'],
          created_at: new Date(Date.now() - draw() * 20 * 86_400_000).toISOString(),
        }),
      ),
    ingest: () => storeAs(admin, image(jane), image(jane)),
    assign: async () => {
      const study = await some();
      if (study) isNoFault(await assign(admin, study.id, [reader]));
    },
    status: async () => {
      const study = await some();
      if (study) await changeStatus(admin, study.id, pick(draw, ['IN_PROGRESS', 'CANCELLED', 'ARCHIVED']) ?? '');
    },
    report,
    secondReport: async () => {
      const study = await report();
      if (!study) return;
      const params = { id: study.id };
      const body = { content: '<p>More.</p>', patientId: study.patientId };
      const { data, status } = await reader.send(reports.create, { params, body });
      if (status === 200) isNoFault(await finalize(reader, data.id));
    },
    priority: () => change({ priority: pick(draw, ['STAT', 'URGENT', 'ROUTINE']) ?? 'STAT' }),
    modality: () => change({ modality: pick(draw, ['CT', 'MR', 'XA']) ?? 'CT' }),
    date: () => change({ study_date: '2026-10-01T08:00:00' }),
    remove: async () => {
      const study = await some();
      if (study) isNoFault(await admin.send(studies.remove, { params: { id: study.id } }));
    },
    restore: async () => {
      const study = await some(true);
      if (study) isNoFault(await admin.send(studies.restore, { params: { id: study.id } }));
    },
    purge: async () => {
      const study = await some(true);
      if (!study) return;
      await admin.inScope(async ({ db }) => {
        await sql`update studies set deleted_at = now() - interval '40 days' where id = ${study.id}`.execute(db);
        await sql`select purge_study(${study.id})`.execute(db);
      });
    },
    refile: async () => {
      const [study, other] = [await some(), await some()];
      // A move that is refused because of another change returns no study.
      if (study && other) await move(admin, study.id, other.patient_id).catch(() => {});
    },
    fold: () => admin.inScope(addChangesToSums),
  };
};

test.for([1, 2, 3])('the stored sums equal a recount after random changes: %i', async (seed) => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await admin.inScope(addChangesToSums);
  const draw = drawing(seed);
  const all = happenings(admin, reader, draw);
  const names = Object.keys(all) as (keyof typeof all)[];
  for (let turn = 0; turn < 25; turn += 1) {
    // Several changes run at the same moment. In any order, no study may be counted twice.
    const together = Array.from({ length: 3 }, () => pick(draw, names) ?? 'register');
    // oxlint-disable-next-line no-await-in-loop
    await Promise.all(together.map((name) => all[name]()));
  }

  expect(await admin.inScope(differences)).toEqual([]);
  expect(await figures(admin)).toEqual(await read(admin));
  await admin.inScope(addChangesToSums);
  expect(await admin.inScope(differences)).toEqual([]);
  expect(await figures(admin)).toEqual(await read(admin));
});

test('a merge of two patients and its undo change no sum', async () => {
  const records = await twoRecords(world);
  await records.person.inScope(addChangesToSums);
  const before = await figures(records.person);
  const { data } = await merge(records);
  expect(await figures(records.person)).toEqual(before);
  const undone = await undo(records.person, records.survivor.id, data.id);
  expect(undone.status).toBe(200);

  expect(await records.person.inScope(differences)).toEqual([]);
});

test('sums remain correct when users sign and delete at the same moment', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await admin.inScope(addChangesToSums);
  const startedReports = await Promise.all(Array.from({ length: 6 }, () => begin(reader)));

  await Promise.all(
    startedReports.flatMap(({ id, study }) => [
      finalize(reader, id),
      admin.inScope(({ db }) =>
        db.updateTable('studies').set({ priority: 'STAT' }).where('id', '=', study.id).execute(),
      ),
      admin.send(studies.remove, { params: { id: study.id } }),
    ]),
  );

  expect(await admin.inScope(differences)).toEqual([]);
});

test('finds, reports and repairs a wrong sum', async () => {
  const admin = await world.signIn('ADMIN');
  await admin.inScope((scope) => addStudy(scope));
  await admin.inScope(addChangesToSums);
  await admin.inScope(({ db }) => db.updateTable('dashboard_days').set({ total: 7 }).execute());

  const expectedDifferences = [expect.objectContaining({ kind: 'ARRIVED', key: 'CT', stored: 7, counted: 1 })];
  expect(await admin.inScope(differences)).toEqual(expectedDifferences);
  expect(await admin.inScope(repair)).toEqual(expectedDifferences);
  expect(await admin.inScope(differences)).toEqual([]);
  expect((await figures(admin)).volume?.modalities).toEqual([{ modality: 'CT', total: 1 }]);
});

test('the server checks the sums once a day and names the tenants with wrong sums', async () => {
  const admin = await world.signIn('ADMIN');
  await admin.inScope((scope) => addStudy(scope));
  await admin.inScope(addChangesToSums);
  await admin.inScope(async ({ db }) => {
    await db.updateTable('dashboard_days').set({ total: 7 }).execute();
    await sql`update dashboard_folds set checked_at = now() - interval '25 hours'`.execute(db);
  });
  const tenantIds: number[] = [];

  await addChangesOfAllTenants(
    world.context.scopes,
    ({ tenantId }) => tenantIds.push(tenantId),
    (error) => {
      throw error;
    },
  );

  expect(tenantIds).toEqual([admin.tenant.id]);
  expect(await admin.inScope(differences)).toEqual([]);
});

test("the days of the figures follow the tenant's new time zone, even before its sums are recounted", async () => {
  const admin = await world.signIn('ADMIN', await world.newTenant({ timeZone: 'UTC' }));
  // 22:30 in London is already the next day in Helsinki.
  await admin.inScope((scope) => addStudy(scope, { created_at: '2026-11-10T22:30:00Z' }));
  await admin.inScope(addChangesToSums);
  const days = { from: '2026-11-10', to: '2026-11-11' };
  const byDay = async (person: Person) =>
    (await figures(person, days)).volume?.columns.map(({ counts }) => counts['CT'] ?? 0);
  expect(await byDay(admin)).toEqual([1, 0]);

  await world.owner
    .updateTable('tenants')
    .set({ time_zone: 'Europe/Helsinki' })
    .where('id', '=', admin.tenant.id)
    .execute();
  const later = await world.signIn('ADMIN', admin.tenant);
  expect(await byDay(later)).toEqual([0, 1]);
  await addChangesOfAllTenants(
    world.context.scopes,
    () => {},
    (error) => {
      throw error;
    },
  );

  expect(await byDay(later)).toEqual([0, 1]);
  expect(await later.inScope(differences)).toEqual([]);
  const { rows } = await later.inScope(({ db }) => sql`select from dashboard_changes`.execute(db));
  expect(rows).toHaveLength(0);
});
