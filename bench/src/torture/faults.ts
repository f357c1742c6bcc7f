import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Disk } from './power.ts';
import type { ServerUnderTest } from './server-under-test.ts';

/**
 * The faults for a server under load: kill the server, server and database, or the database; fill the disk; cut the
 * power. After a killed database or a full disk, the server must recover without a restart. After other faults, the
 * test restarts it.
 */
export const faults = ['server', 'all', 'database', 'disk', 'power'] as const;
export type Fault = (typeof faults)[number];

const filler = 'filler';

/** Mounts the store's folder as a small disk, which can be filled without harm to the machine. Needs root. */
export const mountSmallDisk = (folder: string): (() => void) => {
  const disk = join(folder, 'archive');
  mkdirSync(disk, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', disk], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`A small disk cannot be mounted, which takes root: ${stderr}`);
  return () => void spawnSync('umount', [disk]);
};

/** Injects a fault. Resolves when the server must be restarted, or should recover without a restart. */
export const strike = async (
  fault: Fault,
  victim: ServerUnderTest,
  { folder, disk }: { folder: string; disk: Disk | undefined },
): Promise<void> => {
  switch (fault) {
    case 'server':
      return victim.kill();
    case 'all':
      await Promise.all([victim.kill(), victim.killDatabase()]);
      return;
    case 'database':
      return victim.killDatabase();
    case 'disk':
      return fillDisk(join(folder, 'archive', filler));
    case 'power':
      return disk?.cutPower(victim);
  }
};

const fillDisk = async (file: string) => {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(1 << 20), { flag: 'a' });
  } catch {
    // The disk is full now.
  }
  await wait(1000);
  rmSync(file);
};
