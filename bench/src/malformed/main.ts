import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  type BrokenFile,
  brokenFile,
  haveSharedFiles,
  haveSharedGenerator,
  malformedFiles,
  sharedBrokenFiles,
} from '../../../server/test/broken-files.ts';
import { uploadBrokenFile } from '../../../server/test/upload-broken-files.ts';
import { watchingMemory } from '../memory.ts';
import { deployedFlags } from '../node-flags.ts';
import { signInUser } from '../torture/tenant.ts';
import { addressIn, environmentOf } from '../torture/server-under-test.ts';

const { values: args } = parseArgs({
  options: {
    own: { type: 'string', default: '600' },
    shared: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
});

const program = resolve(import.meta.dirname, '../../../server/src/main.ts');
const preload = resolve(import.meta.dirname, 'watch-loop.ts');
const folder = mkdtempSync(join(tmpdir(), 'radwork-malformed-'));

const child: ChildProcess = spawn(process.execPath, [...deployedFlags, '--import', preload, program], {
  env: environmentOf(folder, {}),
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
let end = '';
child.once('exit', (code, signal) => {
  end = `${code ?? signal}`;
});

/** An idle process that is watched in the same way. If it stalls at the same time, the server is not the cause. */
const idler = spawn(process.execPath, ['--import', preload, '--eval', 'setInterval(() => {}, 1000)'], {
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});

/** Figures of a main thread since the last request, in milliseconds (watch-loop.ts). */
type Figures = { worstBlock: number; processorTime: number };

const figuresOf = async (watched: ChildProcess): Promise<Figures> => {
  const answered = once(watched, 'message');
  watched.send('');
  const [lastFigures]: Figures[] = await answered;
  if (!lastFigures) throw new Error('A process says nothing of its event loop');
  return lastFigures;
};

const figures = async () => {
  const [server, idle] = await Promise.all([figuresOf(child), figuresOf(idler)]);
  return { ...server, idleBlock: idle.worstBlock };
};

async function* allFiles(): AsyncGenerator<BrokenFile> {
  for (let index = 0; index < Number(args.own); index += 1) yield brokenFile(args.seed, index);
  if (haveSharedGenerator) yield* sharedBrokenFiles(args.seed, Number(args.shared));
  else console.log('SKIPPED: there is no ../shared/security/fuzz-dicom.mjs');
  if (haveSharedFiles) yield* malformedFiles();
  else console.log('SKIPPED: there is no ../shared/dicom/malformed');
}

/** Limits: milliseconds that the event loop may stall, and megabytes of memory above idle. */
const longestBlock = 200;
const mostGrowth = 512;

const blocks: (Figures & { name: string; idleBlock: number })[] = [];
const counts = { stored: 0, refused: 0, wrong: 0 };

/** Sends one file at a time, so that each stall belongs to its file. */
const feedOneByOne = async (server: { address: string; token: string }) => {
  for await (const file of allFiles()) {
    const fate = await uploadBrokenFile(server, file);
    counts[fate.kind] += 1;
    if (fate.kind === 'wrong') console.log(`WRONG ${fate.what}`);
    blocks.push({ name: file.name, ...(await figures()) });
    if (blocks.length % 500 === 0) console.log(`${blocks.length} files so far`);
  }
};

const address = await addressIn(child);
const token = await signInUser(folder);
try {
  // The first request includes loading and compiling code, so it is not measured.
  await uploadBrokenFile({ address, token }, brokenFile('warm up', 0));
  await wait(2000);
  await figures();
  const [, memory] = await watchingMemory(child.pid ?? 0, () => feedOneByOne({ address, token }));
  const slowest = blocks.toSorted((one, other) => other.worstBlock - one.worstBlock);
  const busiest = Math.max(...blocks.map(({ processorTime }) => processorTime));
  console.log(`files: ${blocks.length}, stored: ${counts.stored}, refused: ${counts.refused}, wrong: ${counts.wrong}`);
  const worstBlock = slowest[0]?.worstBlock ?? 0;
  console.log(`worst block of the event loop: ${worstBlock.toFixed(0)} ms (at most ${longestBlock} are allowed)`);
  for (const { name, worstBlock: block, processorTime, idleBlock } of slowest.slice(0, 10)) {
    const beside = `${processorTime.toFixed(0)} ms of the processor, ${idleBlock.toFixed(0)} ms of an idle process`;
    console.log(`  ${block.toFixed(0).padStart(5)} ms, ${beside}  ${name}`);
  }
  const worstIdle = Math.max(...blocks.map(({ idleBlock }) => idleBlock));
  console.log(`worst block of an idle process beside it: ${worstIdle.toFixed(0)} ms`);
  console.log(`most processor time of the main thread for one file: ${busiest.toFixed(0)} ms`);
  console.log(`memory above idle: ${memory.growth.toFixed(0)} MB (at most ${mostGrowth} are allowed)`);
  console.log(end === '' ? 'the server never ended' : `THE SERVER ENDED: ${end}`);
  const isWithinLimits = worstBlock <= longestBlock && memory.growth <= mostGrowth;
  process.exitCode = counts.wrong === 0 && end === '' && isWithinLimits ? 0 : 1;
} finally {
  idler.kill();
  child.kill('SIGTERM');
  if (end === '') await once(child, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
