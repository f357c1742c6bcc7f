import { Agent, get } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { kyselyOn, openServingPool } from '../../../server/src/core/database/database.ts';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { newId } from '../../../server/src/core/values/ids.ts';
import { migrate } from '../../../server/src/core/database/migrate.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { addChangesOfAllTenants } from '../../../server/src/insight/dashboard/update-sums.ts';
import { openDataFolder } from '../data-folder.ts';
import { createTimes } from '../live/call-times.ts';
import { createServerUnderTest } from '../torture/server-under-test.ts';
import { makePractices } from '../worklist/practices.ts';
import { createUsers, type SignedIn, signInEach } from './users.ts';

/**
 * Measures the dashboard and the search of the command palette at a million studies. Also measures what the maintained
 * sums cost when studies are registered.
 */

const { values } = parseArgs({
  options: {
    studies: { type: 'string', default: '1000000' },
    tenants: { type: 'string', default: '10' },
    calls: { type: 'string', default: '40' },
    registered: { type: 'string', default: '3000' },
    // Folder for data that later runs reuse. A run with this folder registers no studies.
    keep: { type: 'string' },
  },
});
const line = (name: string, value: string) => console.log(`  ${name.padEnd(52)}${value}`);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const timeOf = (address: string, { token, tenant }: SignedIn, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { authorization: `Bearer ${token}`, ...(tenant && { 'x-tenantid': tenant }) };
    get(`${address}/api/${path}`, { agent, headers }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began);
        else reject(new Error(`${path} was answered ${response.statusCode}`));
      });
    }).on('error', reject);
  });

const measure = async (name: string, person: SignedIn, path: string, calls = Number(values.calls)) => {
  const times = createTimes();
  for (let turn = 0; turn < 5; turn += 1) await timeOf(server.address(), person, path);
  for (let turn = 0; turn < calls; turn += 1) times.add(await timeOf(server.address(), person, path));
  line(name, times.line());
};

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** Returns milliseconds for each registered study. Each study has its own transaction. */
const register = async (tenantId: number, count: number, from: number): Promise<number> => {
  const { rows } = await owner.query<{ id: string }>('select id from patients where tenant_id = $1 limit 1', [
    tenantId,
  ]);
  const began = performance.now();
  for (let number = 0; number < count; number += 1) {
    await owner.query(
      `insert into studies (tenant_id, id, patient_id, study_instance_uid, modality, modalities, patient_name, patient_identifier)
       values ($1, $2, $3, $4, 'CT', '{CT}', '', '')`,
      [tenantId, newId(), rows[0]?.id, `2.25.${from + number}`],
    );
  }
  return (performance.now() - began) / count;
};

const measureIngest = async (tenantId: number) => {
  console.log(
    '\nRegistering a study, one transaction each, without and with the sums kept; the index of unreported ones too',
  );
  const count = Number(values.registered) / 3;
  const [triggers, index] = [
    (on: boolean) => `alter table studies ${on ? 'enable' : 'disable'} trigger dashboard_of_new`,
    `create index studies_unreported on studies (tenant_id, created_at)
       where deleted_at is null and status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS')`,
  ];
  for (let round = 0; round < 3; round += 1) {
    await owner.query(triggers(false));
    await owner.query('drop index studies_unreported');
    const without = await register(tenantId, count, 1e9 + round * 1e6);
    await owner.query(triggers(true));
    await owner.query(index);
    const withTriggers = await register(tenantId, count, 2e9 + round * 1e6);
    line(`round ${round + 1}`, `without ${without.toFixed(2)} ms, with ${withTriggers.toFixed(2)} ms`);
  }
};

/** Texts typed into the palette. The last text matches nothing. */
const searchTexts = ['hansen', 'stei', 'kov anna', 'an', 'a b', 'A00987654', 'MRN0012345', '12345', 'ct head', 'zzzz'];

const periods: Record<string, string> = {
  today: `from=${day(0)}&to=${day(0)}`,
  '7 days': `from=${day(6)}&to=${day(0)}`,
  '30 days': `from=${day(29)}&to=${day(0)}`,
  '90 days': `from=${day(89)}&to=${day(0)}`,
  '1 year': `from=${day(364)}&to=${day(0)}`,
  'a year and a half, two years ago': `from=${day(1200)}&to=${day(660)}`,
};

const measureDashboard = async (people: readonly SignedIn[]) => {
  for (const [name, query] of Object.entries(periods)) {
    console.log(`\nThe whole dashboard of ${name}`);
    for (const person of people) await measure(person.name, person, `dashboard?${query}`);
  }
  console.log('\nIts parts, of a year');
  for (const person of people.filter(({ userType }) => /^(ADMIN|REF)/.test(userType)))
    for (const part of ['tiles', 'volume', 'turnaround', 'workload', 'critical', 'ages'])
      await measure(`${person.name}: ${part}`, person, `dashboard?${periods['1 year']}&parts=${part}`, 15);
};

const measureSearch = async (people: readonly SignedIn[]) => {
  console.log('\nThe search of the command palette');
  for (const person of people.filter(({ name }) => name !== 'reviewer'))
    for (const text of searchTexts)
      await measure(`${person.name}: ${text}`, person, `search?q=${encodeURIComponent(text)}`, 15);
};

const fill = async () => {
  const sizes = { studies: Number(values.studies), tenants: Number(values.tenants) };
  const { large, small } = await makePractices(url, owner, sizes);
  await createUsers({ url, owner, large: large.tenantId, small: small.tenantId });
  const serving = openServingPool(url, 2);
  const began = performance.now();
  await addChangesOfAllTenants(openScopes(kyselyOn(serving)), console.error, (error) => {
    throw error;
  });
  line('all studies counted anew, all tenants', `${((performance.now() - began) / 1000).toFixed(1)} s`);
  await serving.end();
  await owner.query('vacuum analyze');
  dataFolder.noteFilled();
};

const tenantCalled = async (subdomain: string): Promise<number> => {
  const { rows } = await owner.query<{ id: number }>('select id from tenants where subdomain = $1', [subdomain]);
  return rows[0]?.id ?? 0;
};

const dataFolder = openDataFolder('dashboard', values.keep);
const { folder } = dataFolder;
const databaseUrl = process.env['DATABASE_URL'];
// The folder where the server looks for its database. The server then uses the database of this run.
const embedded = databaseUrl ? undefined : await startEmbeddedPostgres(join(folder, 'postgres'));
const url = databaseUrl ?? embedded?.url('postgres') ?? '';
const server = createServerUnderTest(folder, databaseUrl ? { DATABASE_URL: databaseUrl } : {});
const owner = new pg.Client(url);
try {
  await migrate(url);
  await owner.connect();
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  if (!dataFolder.isFilled) await fill();
  const [large, small] = [await tenantCalled('large'), await tenantCalled('small')];
  const people = await signInEach({ url, owner, large, small });
  await server.start();
  await measureDashboard(people);
  await measureSearch(people);
  if (!dataFolder.isKept) await measureIngest(large);
  console.log(`\nload ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await owner.end();
  await server.stop();
  await embedded?.stop();
  dataFolder.close();
}
