import { spawn, spawnSync } from 'node:child_process';

/** Whether Debian's dcmtk is installed: tests with it as the other side are skipped otherwise. */
export const hasDcmtk = spawnSync('storescu', ['--version']).status === 0;

export type Ended = { status: number | null; output: string };

/** Runs a tool of dcmtk to its end, or until it takes too long. */
export const runDcmtk = (program: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    // Without it, storescu waits 40 ms for each small object (Nagle's algorithm).
    const child = spawn(program, args, { env: { ...process.env, TCP_NODELAY: '1' }, timeout: 60_000 });
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output: Buffer.concat(pieces).toString() }));
  });
