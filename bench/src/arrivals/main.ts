import { execFileSync } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ArrivalServer, startArrivalServer } from './arrival-server.ts';
import { processorSeconds } from './processor-time.ts';
import { newImages, storeFrom, stowFrom } from './senders.ts';
import { median, percentile } from '../percentile.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    files: { type: 'string', default: '100' },
    /** Runs only the scenarios whose name contains this text. */
    only: { type: 'string', default: '' },
    /** Another checkout, measured in turns with this one. */
    beside: { type: 'string' },
  },
});
const [rounds, files] = [Number(values.rounds), Number(values.files)];

const hasStorescu = (() => {
  try {
    execFileSync('storescu', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Result of a scenario: a figure, its unit and the processor time of each file. */
type Figure = { value: number; unit: string; processorMs?: number };

const perSecond = async (server: ArrivalServer, count: number, work: () => Promise<unknown>): Promise<Figure> => {
  const before = processorSeconds(server.pid);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const used = processorSeconds(server.pid) - before;
  return { value: count / seconds, unit: 'a second', processorMs: (used * 1000) / count };
};

const singles = (count: number) => newImages(count).map((file) => [file]);

const stowSingles = (clients: number) => (server: ArrivalServer) => {
  const requests = singles(files);
  return perSecond(server, files, () => stowFrom(server, server.tokens[0], requests, clients));
};

const storeSingles = (associations: number) => (server: ArrivalServer) => {
  const images = newImages(files);
  return perSecond(server, files, () => storeFrom(server, images, associations));
};

/**
 * Returns the milliseconds to store one file of the second tenant while eight clients of the first tenant send batches
 * of 50.
 */
const besideFlood = async (server: ArrivalServer): Promise<Figure> => {
  const flood = Array.from({ length: 16 }, () => newImages(50));
  const own = singles(30);
  let isOver = false;
  const flooding = stowFrom(server, server.tokens[0], flood, 8).finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  for (const request of own) {
    if (isOver) break;
    times.push(...(await stowFrom(server, server.tokens[1], [request], 1)));
  }
  await flooding;
  return { value: percentile(times, 0.9), unit: 'ms (p90)' };
};

const scenarios: Record<string, (server: ArrivalServer) => Promise<Figure>> = {
  'STOW-RS, single files, 1 client': stowSingles(1),
  'STOW-RS, single files, 4 clients': stowSingles(4),
  'STOW-RS, single files, 16 clients': stowSingles(16),
  ...(hasStorescu && {
    'C-STORE, 1 association': storeSingles(1),
    'C-STORE, 4 associations': storeSingles(4),
  }),
  'a file of another tenant in a flood': besideFlood,
};

const own = resolve(import.meta.dirname, '../../..');
const checkouts = [['this', own] as const, ...(values.beside ? [['beside', resolve(values.beside)] as const] : [])];
const port = 21_000 + Math.floor(Math.random() * 20_000);
const servers: ArrivalServer[] = [];
const figures = new Map<string, Figure[]>();
try {
  for (const [index, [name, checkout]] of checkouts.entries()) {
    servers.push(await startArrivalServer(name, checkout, port + index));
  }
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)} at the start`,
  );
  // The first round warms up and is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [scenario, measure] of Object.entries(scenarios)) {
      if (!scenario.includes(values.only)) continue;
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        const figure = await measure(server);
        const key = `${scenario}: ${server.name}`;
        if (round > 0) figures.set(key, [...(figures.get(key) ?? []), figure]);
      }
    }
  }
} finally {
  for (const server of servers) await server.stop();
}

for (const [key, list] of figures) {
  const all = list.map(({ value }) => value);
  const range = `${Math.min(...all).toFixed(1)} to ${Math.max(...all).toFixed(1)}`;
  const processor = list.flatMap(({ processorMs }) => processorMs ?? []);
  const cost = processor.length > 0 ? `, ${median(processor).toFixed(2)} ms of processor a file` : '';
  console.log(`${key.padEnd(48)}${median(all).toFixed(1)} ${list[0]?.unit} (${range})${cost}`);
}
console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
