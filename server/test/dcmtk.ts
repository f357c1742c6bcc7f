import { spawn, spawnSync } from 'node:child_process';

/** True when Debian's dcmtk is installed. Its tests are skipped without it. */
export const hasDcmtk = spawnSync('storescu', ['--version']).status === 0;

export type ProcessResult = { status: number | null; output: string };

/** Runs a DCMTK tool to its end or its time-out. */
export const runDcmtk = (program: string, ...args: readonly string[]): Promise<ProcessResult> =>
  new Promise((resolve, reject) => {
    // Without this setting, storescu waits 40 ms for each small object (Nagle's algorithm).
    const child = spawn(program, args, { env: { ...process.env, TCP_NODELAY: '1' }, timeout: 60_000 });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
