// Measures how cost grows with the number of clients: node bench/src/clients/main.ts [--clients 1,4,16,64]
// [--calls 200] [--only TEXT]. Prints calls a second, p50, p99 and the processor time of each call, of the server with
// its database. The clients share the machine with both.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { processorSeconds } from '../arrivals/processor-time.ts';
import { newImages, stow } from '../arrivals/senders.ts';
import { framePaths } from '../frame-paths.ts';
import { percentile } from '../percentile.ts';
import { createServerCalls } from '../report-torture/server-calls.ts';
import { lengthOf } from '../requests.ts';
import { createServerUnderTest } from '../torture/server-under-test.ts';
import { signInUser } from '../torture/tenant.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '1,4,16,64' },
    calls: { type: 'string', default: '200' },
    /** Measures only the calls whose name contains this text. */
    only: { type: 'string', default: '' },
  },
});
const calls = Number(values.calls);
/** Unmeasured calls that compile code. */
const warmingCalls = 20;
const folder = mkdtempSync(join(tmpdir(), 'radwork-clients-'));
// As many uploads at once as the largest number of clients needs.
const server = createServerUnderTest(folder, { UPLOADS_PER_TENANT: '128', UPLOADS_PER_SERVER: '128' });
const signature = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64')}`;
const text =
  '<h2>Findings</h2><p>No consolidation, effusion or pneumothorax.</p><h2>Impression</h2><p>Normal chest.</p>';

/** The work of call number `index`. It throws unless the server does what was asked. */
type Call = (index: number, agent: Agent) => Promise<unknown>;
type Kind = { name: string; prepare: (count: number) => Promise<Call> };

const expected = <T>({ status, data }: { status: number; data?: T }): T => {
  if (data === undefined) throw new Error(`The server answered ${status}.`);
  return data;
};

const newestStudies = z.object({
  data: z.object({ content: z.array(z.object({ id: z.string(), patient: z.object({ id: z.string() }) })) }),
});

/** Stores `count` studies of one image each. Returns the newest studies, as many. */
const storeStudies = async (count: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const to = { address: server.address() };
  for (let stored = 0; stored < count; stored += 1) await stow(to, token, agent, newImages(1));
  agent.destroy();
  const studies: { id: string; patient: { id: string } }[] = [];
  for (let page = 0; studies.length < count; page += 1) {
    const response = await fetch(`${server.address()}/api/studies?size=100&page=${page}&sort=createdDate,desc`, {
      headers: { authorization: `Bearer ${token}` },
    });
    studies.push(...newestStudies.parse(await response.json()).data.content);
  }
  return studies.slice(0, count);
};

/** Returns the item of call number `index`. */
const of = <T>(items: readonly T[], index: number): T => {
  const item = items[index];
  if (item === undefined) throw new Error(`There is no item ${index}.`);
  return item;
};

const writing = () => createServerCalls(server.address, token);
const read = (path: string, agent: Agent) => lengthOf({ address: server.address(), token }, path, agent);

/** A report of each of `count` new studies, saved once. */
const beginReports = async (count: number) => {
  const reports = [];
  for (const { id, patient } of await storeStudies(count))
    reports.push(expected(await writing().begin(id, patient.id, text, undefined)));
  return reports;
};

const kinds: Kind[] = [
  {
    name: 'ingest of a file of 526 kB',
    prepare: async (count) => {
      const files = newImages(count);
      return (index, agent) => stow({ address: server.address() }, token, agent, [of(files, index)]);
    },
  },
  {
    name: 'frame of 524 kB',
    prepare: async () => {
      const agent = new Agent({ keepAlive: true });
      await stow({ address: server.address() }, token, agent, newImages(100));
      agent.destroy();
      const paths = await framePaths(server.address(), token, 100);
      return (index, one) => read(of(paths, index % paths.length), one);
    },
  },
  {
    name: 'first page of the list',
    prepare: async () => (_index, agent) => read('/api/studies/search?size=20', agent),
  },
  {
    name: 'save of a report',
    prepare: async (count) => {
      const reports = await beginReports(count);
      return async (index) => {
        const { id, revision } = of(reports, index);
        expected(await writing().save(id, `${text}<p>Call ${index}.</p>`, revision, undefined));
      };
    },
  },
  {
    name: 'signature of a report',
    prepare: async (count) => {
      const reports = await beginReports(count);
      return async (index) => {
        const { id, revision } = of(reports, index);
        expected(await writing().finalize(id, text, revision, signature));
      };
    },
  },
];

/** Makes all calls from `clients` clients, each one call after another, and prints the figures. */
const measure = async ({ name, prepare }: Kind, clients: number) => {
  const call = await prepare(calls + warmingCalls);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  for (let index = 0; index < warmingCalls; index += 1) await call(index, agent);
  const remaining = Array.from({ length: calls }, (_, index) => index + warmingCalls).values();
  const callOneAfterAnother = async () => {
    for (const index of remaining) {
      const from = performance.now();
      await call(index, agent);
      times.push(performance.now() - from);
    }
  };
  const processorBefore = processorSeconds(server.pid());
  const from = performance.now();
  await Promise.all(Array.from({ length: clients }, callOneAfterAnother));
  const seconds = (performance.now() - from) / 1000;
  const processor = ((processorSeconds(server.pid()) - processorBefore) * 1000) / calls;
  agent.destroy();
  const cells = [
    `${(calls / seconds).toFixed(1)} a second`,
    `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
    `p99 ${percentile(times, 0.99).toFixed(1)} ms`,
    `${processor.toFixed(1)} ms of processor`,
  ];
  console.log(
    `${name.padEnd(28)}${String(clients).padStart(3)} clients ${cells.map((cell) => cell.padStart(20)).join('')}`,
  );
};

let token = '';
try {
  await server.start();
  token = await signInUser(folder);
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  for (const kind of kinds) {
    if (!kind.name.includes(values.only)) continue;
    for (const clients of values.clients.split(',')) await measure(kind, Number(clients));
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
