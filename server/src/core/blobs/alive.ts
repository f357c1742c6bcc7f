import { open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hasCode, isMissing } from './files.ts';

/** How often a running server says so. */
const saidEvery = 15_000;
/** A server that has not said so for this long does not run, however slow its disk. */
const silentAtMost = 600_000;

/** Those of this very process. */
const ownIds = new Set<string>();

/**
 * Which of the servers that share a folder are running, by a file each. Process ids alone would not do: those of two
 * machines, or of two containers, are not told apart.
 */
export const createAlive = async (folder: string, serverId: string) => {
  const ours = join(folder, serverId);
  const place = await placeOfProcesses();
  const words = `${process.pid} ${place}`;
  const begin = () => writeFile(ours, words, { mode: 0o600 });
  ownIds.add(serverId);
  await begin();

  /** By writing, which the disk itself puts a time to: the clocks of servers may differ. In place, which a full disk takes too. */
  const say = async () => {
    const file = await open(ours, 'r+').catch(() => undefined);
    if (!file) return begin();
    await file.write(words, 0).finally(() => file.close());
  };
  const timeOfDisk = async (): Promise<number> => {
    await say();
    return (await stat(ours)).mtimeMs;
  };
  // A disk that is full or away for a moment is said by those who want to write on it.
  const timer = setInterval(() => void say().catch(() => {}), saidEvery).unref();

  const isRunning = async (id: string): Promise<boolean> => {
    if (ownIds.has(id)) return true;
    try {
      const path = join(folder, id);
      const heard = (await stat(path)).mtimeMs;
      if ((await timeOfDisk().catch(Date.now)) - heard > silentAtMost) return false;
      const [pid, theirPlace] = (await readFile(path, 'utf8')).split(' ');
      // Where we are too, its process id tells at once that a server has ended; our own id was that of a former one.
      return theirPlace !== place || (Number(pid) !== process.pid && hasProcess(Number(pid)));
    } catch (error) {
      return !isMissing(error);
    }
  };

  return {
    isRunning,
    /** Forgets servers that do not run any more. */
    tidy: async (): Promise<void> => {
      for (const id of await readdir(folder)) {
        if (!(await isRunning(id))) await rm(join(folder, id), { force: true });
      }
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      ownIds.delete(serverId);
      await rm(ours, { force: true });
    },
  };
};

/** What tells apart where process ids are counted: this start of this machine, and the container. */
const placeOfProcesses = async (): Promise<string> => {
  const [boot, container] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return encodeURIComponent(`${hostname()} ${boot.trim()} ${container}`);
};

const hasProcess = (pid: number): boolean => {
  if (!(pid > 0)) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
};
