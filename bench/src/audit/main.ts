import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { auditSearch } from '@radwork/contract/identity/audit';
import pg from 'pg';
import { sealAudit } from '../../../server/src/core/audit/audit-chain.ts';
import { audit } from '../../../server/src/core/audit/audit.ts';
import { kyselyOn, openServingPool } from '../../../server/src/core/database/database.ts';
import { startEmbeddedPostgres } from '../../../server/src/core/database/embedded-postgres.ts';
import { migrate } from '../../../server/src/core/database/migrate.ts';
import { createScopes, type Session, systemSession } from '../../../server/src/core/access/scope.ts';
import { findEntries, list } from '../../../server/src/identity/audit/search-entries.ts';
import { verifyChain } from '../../../server/src/identity/audit/verify-chain.ts';
import { openDataFolder } from '../data-folder.ts';
import { combinations, singles, type Values } from './cases.ts';
import { benchTenant, fillUnsealed, generate } from './generate.ts';
import { percentile } from '../percentile.ts';

/*
 * Measures a page of the audit log in a large tenant for every combination of the screen's filters. Also measures
 * writing and sealing an entry. Prints figures without a verdict.
 */
const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '10000000' },
    calls: { type: 'string', default: '20' },
    sealed: { type: 'string', default: '200000' },
    // Skips verification, which takes many minutes at ten million links.
    'no-verify': { type: 'boolean', default: false },
    // Folder for data that later runs reuse. The run writes nothing else there.
    keep: { type: 'string' },
  },
});
const entries = Number(values.entries);
const calls = Number(values.calls);
const toSeal = Math.min(Number(values.sealed), entries);

const dataFolder = openDataFolder('audit-bench', values.keep);
const { folder } = dataFolder;
const postgres = await startEmbeddedPostgres(folder, { isThrowaway: true });
const url = postgres.url('postgres');
await migrate(url);
const owner = new pg.Client({ connectionString: url });
await owner.connect();
const pool = openServingPool(url, 4);
const scopes = createScopes(kyselyOn(pool));

/** Peak memory of this process, which verifies. */
const megabytesOfMemory = () => Math.round(process.resourceUsage().maxRSS / 1000);

const line = (name: string, value: string) => console.log(`  ${name.padEnd(70)}${value}`);
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
const figures = (times: readonly number[]) =>
  `median ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`;

const repeated = async (count: number, work: (turn: number) => Promise<unknown>) => {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn += 1) times.push(await timed(() => work(turn)));
  return times;
};

const seal = async (tenantId: number) => {
  let milliseconds = 0;
  for (let sealed = 0; sealed < toSeal;) {
    sealed += await fillUnsealed(owner, tenantId, Math.min(100_000, toSeal - sealed));
    milliseconds += await timed(() => sealAudit(scopes));
  }
  line(
    `${toSeal} entries sealed`,
    `${milliseconds.toFixed(0)} ms, ${((toSeal / milliseconds) * 1000).toFixed(0)} a second`,
  );
  await owner.query('vacuum analyze audit_chain, audit_unsealed');
};

const fill = async (): Promise<number> => {
  const loading = performance.now();
  const tenantId = await generate(owner, entries);
  line('filled in', `${((performance.now() - loading) / 1000).toFixed(0)} s`);
  await seal(tenantId);
  dataFolder.noteFilled();
  return tenantId;
};

const measureWriting = async (session: Session) => {
  console.log('\nWriting');
  const write = () =>
    scopes.inTenant(session, (scope) => audit(scope, 'study.store', { entity: 'study', studyId: crypto.randomUUID() }));
  line('a transaction with one entry', figures(await repeated(500, write)));
  await owner.query('alter table audit_entries disable trigger user');
  line('  without its place in the queue', figures(await repeated(500, write)));
  await owner.query(
    'drop index audit_entries_patient, audit_entries_user, audit_entries_action, audit_entries_address, audit_entries_failure, audit_entries_subject, audit_entries_username',
  );
  line('  and without the indexes of the search', figures(await repeated(500, write)));
  await owner.query('alter table audit_entries enable trigger user');
};

const measureVerifying = async (session: Session) => {
  console.log('\nVerifying');
  const began = performance.now();
  const stages = new Map<string, { checked: number; seconds: number }>();
  for await (const { stage, checked } of verifyChain(scopes, session, folder)) {
    stages.set(stage, { checked, seconds: (performance.now() - began) / 1000 });
    // If only some entries are sealed, verification would report each of the others as a fault.
    if (checked >= toSeal && toSeal < entries) break;
  }
  for (const [stage, { checked, seconds }] of stages)
    line(`${stage}: ${checked} looked at`, `after ${seconds.toFixed(0)} s, ${megabytesOfMemory()} MB in this process`);
};

try {
  console.log(`${entries} entries, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  const tenantId = dataFolder.isFilled ? await benchTenant(owner) : await fill();
  const session = systemSession(tenantId);
  const page = (query: object) => scopes.reading(session, (scope) => list(scope, auditSearch.parse(query)));

  console.log('\nOne filter');
  for (const { name, ask } of singles) line(name, figures(await repeated(calls, (turn) => page(ask(turn)))));

  console.log('\nEvery combination of the filters, and pages from the middle of the time');
  const all: { name: string; middle: number; most: number }[] = [];
  const every: number[] = [];
  for (const { name, ask } of combinations) {
    const times = await repeated(3, (turn) => page(ask(turn)));
    every.push(...times.slice(1));
    all.push({ name, middle: percentile(times, 0.5), most: percentile(times, 1) });
  }
  line(`${combinations.length} combinations, ${every.length} calls`, figures(every));
  const slow = all.filter(({ middle }) => middle > 100).toSorted((one, other) => other.middle - one.middle);
  line('combinations whose middle call is above 100 ms', String(slow.length));
  for (const { name, middle, most } of slow.slice(0, 15))
    line(`  ${name}`, `${middle.toFixed(0)} ms, most ${most.toFixed(0)} ms`);

  console.log('\nA search to its end, where nothing is found');
  const rare: Values = { user: '00000000-0000-4000-8000-000000000003', ip: '192.0.2.1', outcome: 'SUCCESS' };
  let answers = 0;
  const elapsed = await timed(async () => {
    for (let before: string | null | undefined; before !== null; answers += 1) {
      const query = auditSearch.parse({ ...rare, before });
      before = (await scopes.reading(session, (scope) => findEntries(scope, query))).older;
    }
  });
  line(`one user at an address they never had: ${answers} answers`, `${elapsed.toFixed(0)} ms`);

  if (!values['no-verify']) await measureVerifying(session);
  if (!dataFolder.isKept) await measureWriting(session);
} finally {
  await pool.end();
  await owner.end();
  await postgres.stop();
  dataFolder.close();
}
