import { open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hasCode, isMissing } from './file-system.ts';

/** Milliseconds between two heartbeats of a running server. */
const saidEvery = 15_000;
/** Milliseconds without a heartbeat after which a server counts as stopped. The time is long enough for slow disks. */
const silentAtMost = 600_000;

/** The servers that run in this process. */
const ownIds = new Set<string>();

/**
 * Tracks which servers of a shared folder run, with one file for each server. A process id is not enough, because two
 * machines or containers may use the same id.
 */
export const createHeartbeat = async (folder: string, serverId: string) => {
  const ours = join(folder, serverId);
  const place = await placeOfProcesses();
  const words = `${process.pid} ${place}`;
  const begin = () => writeFile(ours, words, { mode: 0o600 });
  ownIds.add(serverId);
  await begin();

  /**
   * Writes the heartbeat file. The disk sets its time, because the clocks of servers may differ. Overwrites the old
   * content in place, which also works on a full disk.
   */
  const say = async () => {
    const file = await open(ours, 'r+').catch(() => undefined);
    if (!file) return begin();
    await file.write(words, 0).finally(() => file.close());
  };
  const timeOfDisk = async (): Promise<number> => {
    await say();
    return (await stat(ours)).mtimeMs;
  };
  // An error is ignored here. On a full or missing disk, the next write of a file reports it.
  const timer = setInterval(() => void say().catch(() => {}), saidEvery).unref();

  const isRunning = async (id: string): Promise<boolean> => {
    if (ownIds.has(id)) return true;
    try {
      const path = join(folder, id);
      const lastBeat = (await stat(path)).mtimeMs;
      if ((await timeOfDisk().catch(Date.now)) - lastBeat > silentAtMost) return false;
      const [pid, theirPlace] = (await readFile(path, 'utf8')).split(' ');
      // On the same machine, the process id shows at once that a server has ended. A file with our own process id comes
      // from an earlier process.
      return theirPlace !== place || (Number(pid) !== process.pid && hasProcess(Number(pid)));
    } catch (error) {
      return !isMissing(error);
    }
  };

  return {
    isRunning,
    /** Removes the files of servers that have stopped. */
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

/** Identifies the host, boot and container, within which process ids are unique. */
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
