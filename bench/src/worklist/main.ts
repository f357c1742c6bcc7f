import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { migrate } from '../../../server/src/core/database/migrate.ts';
import { createTimes } from '../live/call-times.ts';
import { megabytes } from '../live/processes.ts';
import { createServerUnderTest, databaseProcesses } from '../torture/server-under-test.ts';
import { type Case, combinations, firstPages, groups, otherCalls, type Path, reportGroups } from './cases.ts';
import { openPlanner } from './plans.ts';
import { makePractices, type OpenPractice } from './practices.ts';
import { timeOf } from './timed-calls.ts';

const { values } = parseArgs({
  options: {
    studies: { type: 'string', default: '1000000' },
    tenants: { type: 'string', default: '100' },
    calls: { type: 'string', default: '40' },
    combinations: { type: 'boolean', default: false },
    reports: { type: 'boolean', default: false },
  },
});
const calls = Number(values.calls);
/** Unmeasured calls that compile code and read pages from disk. */
const warmingCalls = 5;
const allowedMs = 50;

const line = (name: string, value: string) => console.log(`  ${name.padEnd(64)}${value}`);

type Stage = { address: string; practice: OpenPractice; planOf: (query: ReturnType<Case['ask']>) => Promise<string> };

const measure = async ({ address, practice }: Pick<Stage, 'address' | 'practice'>, path: Path, { name, ask }: Case) => {
  const times = createTimes();
  for (let turn = 0; turn < warmingCalls; turn += 1) await timeOf(address, practice.token, path, ask(turn));
  for (let turn = 0; turn < calls; turn += 1) times.add(await timeOf(address, practice.token, path, ask(turn)));
  line(name, times.line());
};

const measureStudies = async (stage: Stage, one: Case) => {
  await measure(stage, 'studies/search', one);
  console.log(`    ${await stage.planOf(one.ask(0))}`);
};

/** Lists only the combinations above the allowed time, by the median of three calls. */
const measureCombinations = async ({ address, practice }: Pick<Stage, 'address' | 'practice'>) => {
  console.log('\nEvery filter in every sort');
  const slow: { name: string; middle: number }[] = [];
  for (const { name, ask } of combinations) {
    const times = [];
    for (let turn = 0; turn < 3; turn += 1)
      times.push(await timeOf(address, practice.token, 'studies/search', ask(turn)));
    const [, middle = 0] = times.toSorted((one, other) => one - other);
    if (middle > allowedMs) slow.push({ name, middle });
  }
  console.log(`  ${slow.length} of ${combinations.length} take longer than ${allowedMs} ms:`);
  for (const { name, middle } of slow.toSorted((one, other) => other.middle - one.middle))
    line(name, `${middle.toFixed(0)} ms`);
};

/** Measures the first pages for a user, for whom groups limit the studies or not. */
const measureFirstPages = async (address: string, title: string, practice: OpenPractice) => {
  const { planOf, close } = openPlanner(url, practice);
  console.log(`\n${title}`);
  for (const one of firstPages) await measureStudies({ address, practice, planOf }, one);
  await close();
};

const measureListOfStudies = async (address: string, practices: Awaited<ReturnType<typeof makePractices>>) => {
  const { large, small, ofLargeGroup, ofSmallGroup } = practices;
  const planner = openPlanner(url, large);
  const stage = { address, practice: large, planOf: planner.planOf };
  for (const { title, cases } of groups) {
    console.log(`\n${title}`);
    for (const one of cases) await measureStudies(stage, one);
  }
  await planner.close();
  console.log('\nSaved views and selections');
  for (const { path, one } of otherCalls) await measure(stage, path, one);

  await measureFirstPages(address, 'A user limited to three studies of ten', ofLargeGroup);
  await measureFirstPages(address, 'A user limited to one study of a hundred', ofSmallGroup);
  await measureFirstPages(address, 'A small tenant beside it', small);
  if (values.combinations) await measureCombinations(stage);
};

const folder = mkdtempSync(join(tmpdir(), 'radwork-worklist-'));
const databaseUrl = process.env['DATABASE_URL'];
// The folder where the server looks for its database. The server then uses the database of this run.
const embedded = databaseUrl ? undefined : await startEmbeddedPostgres(join(folder, 'postgres'));
const url = databaseUrl ?? embedded?.url('postgres') ?? '';
const server = createServerUnderTest(folder, databaseUrl ? { DATABASE_URL: databaseUrl } : {});
try {
  await migrate(url);
  const owner = new pg.Client(url);
  await owner.connect();
  const { rows } = await owner.query<{ version: string }>(`select current_setting('server_version') as version`);
  console.log(
    `Node ${process.version}, PostgreSQL ${rows[0]?.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const began = performance.now();
  const sizes = { studies: Number(values.studies), tenants: Number(values.tenants) };
  const practices = await makePractices(url, owner, sizes);
  await owner.end();
  console.log(
    `${sizes.studies} studies in one tenant and ${sizes.tenants} tenants of ${practices.small.studies}: made in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );

  await server.start();
  if (!values.reports) await measureListOfStudies(server.address(), practices);
  for (const { title, cases } of reportGroups) {
    console.log(`\n${title}`);
    for (const one of cases) await measure({ address: server.address(), practice: practices.large }, 'reports', one);
  }

  console.log('\nMemory');
  line('server', `${megabytes([server.pid()]).toFixed(0)} MB`);
  if (embedded) line('PostgreSQL, all its processes', `${megabytes(databaseProcesses(folder)).toFixed(0)} MB`);
  console.log(`\nload ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await server.stop();
  await embedded?.stop();
  rmSync(folder, { recursive: true, force: true });
}
