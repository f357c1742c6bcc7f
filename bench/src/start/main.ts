// Measures the start of the bundled server: node bench/src/start/main.ts [--rounds 7]. Needs npm run build.
// A first start creates the database and loads the demo. A second start finds both. The time runs from the start of the
// process to the first answer of /api/about.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { deployedFlags } from '../node-flags.ts';
import { median } from '../percentile.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } });
const program = resolve(import.meta.dirname, '../../../server/dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'radwork-start-'));
const port = 20_000 + Math.floor(Math.random() * 20_000);

const isAnswering = async () => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/about`)).ok;
  } catch {
    return false;
  }
};

/** Starts the server, stops it after its first answer, and returns the milliseconds until then. */
const millisecondsToAnswer = async () => {
  const from = performance.now();
  const server = spawn(process.execPath, [...deployedFlags, program], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'error',
      NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await isAnswering())) {
    if (server.exitCode !== null) throw new Error('The server ended without an answer.');
    await wait(5);
  }
  const took = performance.now() - from;
  server.kill('SIGTERM');
  await once(server, 'exit');
  return took;
};

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
try {
  console.log(`First start, with the demo: ${seconds(await millisecondsToAnswer())}`);
  const later: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) later.push(await millisecondsToAnswer());
  console.log(
    `Second start, median of ${values.rounds}: ${seconds(median(later))}, slowest ${seconds(Math.max(...later))}`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
