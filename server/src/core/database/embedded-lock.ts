import { readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the lock files of the data folder and the socket. PostgreSQL writes the id of its first process into these
 * files.
 */
export const locksOf = (data: string, sockets: string, port: number): string[] => [
  join(data, 'postmaster.pid'),
  join(sockets, `.s.PGSQL.${port}.lock`),
];

/**
 * Returns a variable for PostgreSQL if a lock file names the id of an unrelated process, as may happen after a power
 * cut. PostgreSQL would take that process for its own server and not start. PostgreSQL ignores the id in
 * PG_GRANDPARENT_PID and checks whether its shared memory is in use.
 */
export const strangerIn = (locks: readonly string[], data: string): { PG_GRANDPARENT_PID?: string } => {
  const stranger = locks.map((lock) => holderOf(lock, data)).find((pid) => pid !== undefined);
  return stranger === undefined ? {} : { PG_GRANDPARENT_PID: String(stranger) };
};

/** Returns the id of the process named in a lock, unless that process is the server of this data. */
const holderOf = (lock: string, data: string): number | undefined => {
  try {
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    // The working folder of a PostgreSQL server is its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? undefined : pid;
  } catch {
    // The lock does not exist, the process does not exist, or access is refused. PostgreSQL then decides.
    return undefined;
  }
};

/** Milliseconds for which a lock may be empty. A server fills its lock at once. */
const emptyAtMost = 5000;

/**
 * Removes locks that have been empty for too long; a power cut may leave empty locks. A time in the future counts too,
 * because the clock may have changed.
 */
export const removeEmpty = (locks: readonly string[]): void => {
  for (const lock of locks) {
    const { size, mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
    if (size === 0 && Math.abs(Date.now() - (mtimeMs ?? 0)) > emptyAtMost) rmSync(lock, { force: true });
  }
};
