// Measures how cost grows with the archive: node bench/src/growth/main.ts [--studies 10000,100000,1000000] [--calls 40].
// For each size, makes a tenant of so many studies beside 20 small ones, and prints medians and p99 of the list, QIDO-RS
// by each key, the dashboard and the search.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { kyselyOn, openServingPool } from '../../../server/src/core/database/database.ts';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { migrate } from '../../../server/src/core/database/migrate.ts';
import { openScopes } from '../../../server/src/extensions.ts';
import { addChangesOfAllTenants } from '../../../server/src/insight/dashboard/update-sums.ts';
import { percentile } from '../percentile.ts';
import { lengthOf } from '../requests.ts';
import { createServerUnderTest } from '../torture/server-under-test.ts';
import { makePractices } from '../worklist/practices.ts';

const { values } = parseArgs({
  options: {
    studies: { type: 'string', default: '10000,100000,1000000' },
    calls: { type: 'string', default: '40' },
  },
});
const calls = Number(values.calls);
/** Unmeasured calls that compile code and read pages from disk. */
const warmingCalls = 5;

/** A study of the tenant, as text for its keys. */
type Example = { patient_name: string; patient_identifier: string; accession_number: string; uid: string; day: string };

const pick = async (owner: pg.Client, tenantId: number, count: number): Promise<Example[]> => {
  const { rows } = await owner.query<Example>(
    `select patient_name, patient_identifier, coalesce(accession_number, '') as accession_number,
            study_instance_uid as uid, to_char(study_date, 'YYYYMMDD') as day
     from studies where tenant_id = $1 and deleted_at is null and study_date is not null order by id limit $2`,
    [tenantId, count],
  );
  return rows;
};

const qido = (key: string, value: string) => `/dicom-web/studies?limit=25&${key}=${encodeURIComponent(value)}`;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const lastName = (name: string) => name.split('^')[0] ?? '';

/** The path of each call for a study, by name. */
const paths: Record<string, (study: Example) => string> = {
  'list, by urgency': () => '/api/studies/search?size=20&sort=urgency,asc',
  'list, newest first': () => '/api/studies/search?size=20&sort=studyDate,desc',
  'list, by patient name': () => '/api/studies/search?size=20&sort=patientName,asc',
  'QIDO-RS, no key': () => '/dicom-web/studies?limit=25',
  'QIDO-RS, PatientName': ({ patient_name }) => qido('PatientName', patient_name),
  'QIDO-RS, PatientName with *': ({ patient_name }) => qido('PatientName', `${lastName(patient_name)}*`),
  'QIDO-RS, PatientID': ({ patient_identifier }) => qido('PatientID', patient_identifier),
  'QIDO-RS, AccessionNumber': ({ accession_number }) => qido('AccessionNumber', accession_number),
  'QIDO-RS, StudyInstanceUID': ({ uid }) => qido('StudyInstanceUID', uid),
  'QIDO-RS, StudyDate': ({ day }) => qido('StudyDate', day),
  'QIDO-RS, StudyDate from a day': ({ day }) => qido('StudyDate', `${day}-`),
  'QIDO-RS, ModalitiesInStudy': () => qido('ModalitiesInStudy', 'MR'),
  'dashboard, 30 days': () => `/api/dashboard?from=${daysAgo(29)}&to=${daysAgo(0)}`,
  'dashboard, a year': () => `/api/dashboard?from=${daysAgo(364)}&to=${daysAgo(0)}`,
  'search by patient name': ({ patient_name }) => `/api/search?q=${encodeURIComponent(lastName(patient_name))}`,
  'search by accession number': ({ accession_number }) => `/api/search?q=${encodeURIComponent(accession_number)}`,
};

const figuresOf = async (studies: number): Promise<Map<string, string>> => {
  const folder = mkdtempSync(join(tmpdir(), 'radwork-growth-'));
  // The folder where the server looks for its database. The server then uses the database of this run.
  const embedded = await startEmbeddedPostgres(join(folder, 'postgres'));
  const url = embedded.url('postgres');
  const server = createServerUnderTest(folder, {});
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    await migrate(url);
    const owner = new pg.Client(url);
    await owner.connect();
    const { large } = await makePractices(url, owner, { studies, tenants: 20 });
    const serving = openServingPool(url, 2);
    await addChangesOfAllTenants(openScopes(kyselyOn(serving)), console.error, (error) => {
      throw error;
    });
    await serving.end();
    await owner.query('vacuum analyze');
    const examples = await pick(owner, large.tenantId, calls + warmingCalls);
    await owner.end();
    await server.start();
    const figures = new Map<string, string>();
    for (const [name, pathOf] of Object.entries(paths)) {
      const times: number[] = [];
      for (const [index, example] of examples.entries()) {
        const from = performance.now();
        await lengthOf({ address: server.address(), token: large.token }, pathOf(example), agent);
        if (index >= warmingCalls) times.push(performance.now() - from);
      }
      figures.set(name, `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(1)}`);
    }
    return figures;
  } finally {
    agent.destroy();
    await server.stop();
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const sizes = values.studies.split(',').map(Number);
console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
console.log(`Median / p99 in ms of ${calls} calls, one client`);
console.log(`${'studies'.padEnd(34)}${sizes.map((size) => String(size).padStart(18)).join('')}`);
const bySize: Map<string, string>[] = [];
for (const size of sizes) bySize.push(await figuresOf(size));
for (const name of Object.keys(paths))
  console.log(`${name.padEnd(34)}${bySize.map((figures) => (figures.get(name) ?? '-').padStart(18)).join('')}`);
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
