import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Disk } from './power.ts';
import type { Victim } from './victim.ts';

/**
 * What is done to a server under load: it is killed alone or with its database, its database is killed, its disk is
 * filled, or the power is cut. When the database is killed or the disk is full it has to go on by itself, otherwise it is
 * started again.
 */
export const faults = ['server', 'all', 'database', 'disk', 'power'] as const;
export type Fault = (typeof faults)[number];

const filler = 'filler';

/** The folder of the store as a disk of its own, which can be filled without harm to the machine. Needs root. */
export const mountSmallDisk = (folder: string): (() => void) => {
  const disk = join(folder, 'archive');
  mkdirSync(disk, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', disk], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`A small disk cannot be mounted, which takes root: ${stderr}`);
  return () => void spawnSync('umount', [disk]);
};

/** Does it, and returns when the server has been started again or has to be back by itself. */
export const strike = async (
  fault: Fault,
  victim: Victim,
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
    // Now it is full.
  }
  await wait(1000);
  rmSync(file);
};
