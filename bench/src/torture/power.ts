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
import type { ServerUnderTest } from './server-under-test.ts';

export type Disk = ReturnType<typeof mountDisk>;

/** Minutes without power. A server silent for ten minutes counts as dead. */
const minutesAway = 11;

/**
 * A disk image whose power can be cut. It holds only synced data, not the page cache, which ext4 keeps for five minutes
 * here. Needs root.
 */
export const mountDisk = (folder: string) => {
  const [image, copy, place] = [join(folder, 'disk.img'), join(folder, 'copy.img'), join(folder, 'disk')];
  mkdirSync(place);
  // A sparse file: only written blocks take room.
  run('truncate', ['-s', '8G', image]);
  run('mkfs.ext4', ['-q', '-F', '-m', '0', image]);
  const mount = () => run('mount', ['-o', 'loop,commit=300', image, place]);
  mount();
  const unsynced = join(place, 'unsynced');

  return {
    /** The data folder of the server, which creates it. */
    folder: join(place, 'data'),

    /**
     * Kills a server with its children and leaves the disk as it was at that moment. Copies the image file of the
     * mounted disk before the disk is unmounted, so the copy has only bytes that the disk received. Throws when an
     * unsynced file survives, because such a cut would prove nothing.
     */
    cutPower: async (victim: ServerUnderTest): Promise<void> => {
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

    /** Unmounts the disk. Retries, because a stopping database may keep the disk busy for a moment. */
    unmount: async (): Promise<void> => {
      for (let tries = 0; spawnSync('umount', [place]).status !== 0 && tries < 100; tries += 1) await wait(100);
    },
  };
};

const run = (program: string, args: readonly string[]) => {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program}, which takes root and a loop device: ${stderr || error?.message}`);
};

/** Simulates a machine start: time has passed, and process IDs are reused. */
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
