// Measures what readers notice of commands that run beside the server: node bench/src/background/main.ts [--images 2000]
// [--rounds 5] [--seconds 10]. Readers load frames and lists alone and beside verify, backup and upkeep, in turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newImages, stow } from '../arrivals/senders.ts';
import { framePaths } from '../frame-paths.ts';
import { median, percentile } from '../percentile.ts';
import { lengthOf } from '../requests.ts';
import { runCommand } from '../torture/commands.ts';
import { createServerUnderTest } from '../torture/server-under-test.ts';
import { signInUser } from '../torture/tenant.ts';

const { values } = parseArgs({
  options: {
    images: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
  },
});
const readers = 2;
const folder = mkdtempSync(join(tmpdir(), 'radwork-background-'));
const server = createServerUnderTest(folder, {});
let token = '';
let backups = 0;

const commands: Record<string, () => Promise<unknown>> = {
  verify: () => runCommand('verify', [], folder, {}),
  backup: () => runCommand('backup', [join(folder, `backup-${(backups += 1)}`)], folder, {}),
  upkeep: () => runCommand('upkeep', [], folder, {}),
};

/** Reads frames and, every tenth time, a list, until the time is over. Returns the milliseconds of each. */
const readFor = async (seconds: number, paths: readonly string[]): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const read = async (reader: number) => {
    for (let turn = reader; performance.now() < end; turn += readers) {
      const path = turn % 10 === 0 ? '/api/studies/search?size=20' : (paths[turn % paths.length] ?? '');
      const from = performance.now();
      await lengthOf({ address: server.address(), token }, path, agent);
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)));
  agent.destroy();
  return times;
};

/** Reads while a command runs again and again. */
const readBeside = async (run: () => Promise<unknown>, seconds: number, paths: readonly string[]) => {
  let isOver = false;
  const repeat = async () => {
    while (!isOver) await run();
  };
  const repeating = repeat();
  const times = await readFor(seconds, paths);
  isOver = true;
  await repeating;
  return times;
};

const figures = new Map<string, { p50: number; p99: number }[]>();
const note = (name: string, times: readonly number[]) => {
  const figure = { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
  figures.set(name, [...(figures.get(name) ?? []), figure]);
};

try {
  await server.start();
  token = await signInUser(folder);
  const agent = new Agent({ keepAlive: true });
  for (let stored = 0; stored < Number(values.images); stored += 50)
    await stow({ address: server.address() }, token, agent, newImages(50));
  agent.destroy();
  const paths = await framePaths(server.address(), token, 500);
  const seconds = Number(values.seconds);
  await readFor(seconds, paths);
  console.log(`Node ${process.version}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    note('alone', await readFor(seconds, paths));
    for (const [name, run] of Object.entries(commands)) note(`beside ${name}`, await readBeside(run, seconds, paths));
  }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

const alone = median((figures.get('alone') ?? []).map(({ p99 }) => p99));
console.log(`${readers} readers, medians of ${values.rounds} rounds`);
for (const [name, list] of figures) {
  const p99 = median(list.map((figure) => figure.p99));
  const p50 = median(list.map((figure) => figure.p50));
  console.log(
    `${name.padEnd(18)}p50 ${p50.toFixed(1)} ms  p99 ${p99.toFixed(1)} ms  ${(p99 / alone).toFixed(2)} times`,
  );
}
