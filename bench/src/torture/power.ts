import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Victim } from './victim.ts';

export type Disk = ReturnType<typeof mountDisk>;

/** Minutes that the power is away: a server that has not said for ten that it runs is taken for dead. */
const minutesAway = 11;

/**
 * A disk of its own whose power can be cut, as a file in a folder. It holds what the file system has given it: what was
 * synced, and nothing of the page cache, which ext4 is told to keep for five minutes. Needs root.
 */
export const mountDisk = (folder: string) => {
  const [image, copy, place] = [join(folder, 'disk.img'), join(folder, 'copy.img'), join(folder, 'disk')];
  mkdirSync(place);
  // Only what is written takes room.
  run('truncate', ['-s', '8G', image]);
  run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  const mount = () => run('mount', ['-o', 'loop,commit=300', image, place]);
  mount();
  const unsynced = join(place, 'unsynced');

  return {
    /** Where the server has its data; it makes the folder itself. */
    folder: join(place, 'data'),

    /**
     * Ends a server with what it has started, and leaves of the disk what was on it at that moment. The file behind a
     * mounted disk is what the disk has been given, whether Linux caches that file or not: both are read here.
     * Throws when a file that nobody has synced is there afterwards: such a cut would show nothing.
     */
    cutPower: async (victim: Victim): Promise<void> => {
      writeFileSync(unsynced, 'This is in the page cache alone.');
      await victim.killAtOnce(() => run('cp', ['--sparse=always', image, copy]));
      run('umount', [place]);
      renameSync(copy, image);
      mount();
      if (existsSync(unsynced) && readFileSync(unsynced).length > 0)
        throw new Error('What was not synced was not lost');
      rmSync(unsynced, { force: true });
      startAnew(join(place, 'data'));
    },

    /** A database that is still going down keeps it for a moment. */
    unmount: async (): Promise<void> => {
      for (let tries = 0; spawnSync('umount', [place]).status !== 0 && tries < 100; tries += 1) await wait(100);
    },
  };
};

const run = (program: string, args: readonly string[]) => {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}, which takes root and a loop device: ${stderr || error?.message}`);
};

/** What else is different when a machine starts: time has passed, and its processes get numbers that others had. */
const startAnew = (folder: string) => {
  const then = new Date(Date.now() - minutesAway * 60_000);
  for (const store of ['archive', 'object-store']) {
    const servers = join(folder, store, 'servers');
    for (const name of existsSync(servers) ? readdirSync(servers) : []) utimesSync(join(servers, name), then, then);
  }
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const lock = join(folder, 'postgres/pg18', name);
    if (existsSync(lock)) writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(process.pid)));
  }
};
