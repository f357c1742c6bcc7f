import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { runDcmtk } from './dcmtk.ts';
import { freePort, untilListening } from './ports.ts';

/** A DCMTK archive that knows our AE title and address. */
export type OtherArchive = { port: number; title: string; send: (...paths: string[]) => Promise<void> };

/** Starts a DCMTK archive for a test. It sends to `us` by C-MOVE. */
export const startDcmqrscp = async (
  us: { title: string; port: number },
  ...options: readonly string[]
): Promise<OtherArchive> => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-dcmqrscp-'));
  const port = await freePort();
  const store = join(folder, 'store');
  await mkdir(store);
  const lines = [
    `NetworkTCPPort = ${port}`,
    'MaxPDUSize = 16384',
    'MaxAssociations = 16',
    'HostTable BEGIN',
    `us = (${us.title}, 127.0.0.1, ${us.port})`,
    'HostTable END',
    'VendorTable BEGIN',
    'VendorTable END',
    'AETable BEGIN',
    `OTHER ${store} RW (100, 1024mb) ANY`,
    'AETable END',
  ];
  const file = join(folder, 'dcmqrscp.cfg');
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn('dcmqrscp', ['-c', file, '+xs', ...options], {
    stdio: 'ignore',
    env: { ...process.env, TCP_NODELAY: '1' },
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  await untilListening(port);
  return {
    port,
    title: 'OTHER',
    send: async (...paths) => {
      for (const path of paths) {
        const sent = await runDcmtk('storescu', '-xs', '-aec', 'OTHER', '127.0.0.1', String(port), path);
        if (sent.status !== 0) throw new Error(sent.output);
      }
    },
  };
};
