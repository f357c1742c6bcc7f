import { readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the files where PostgreSQL writes the id of its first process to lock its data and socket. */
export const locksOf = (data: string, sockets: string, port: number): string[] => [
  join(data, 'postmaster.pid'),
  join(sockets, `.s.PGSQL.${port}.lock`),
];

/**
 * Protects PostgreSQL from a stale process id in an old lock file. After a power cut, machines and containers assign
 * process ids again, so another process may have the id. PostgreSQL would take that process for its server and not
 * start. It ignores the id in PG_GRANDPARENT_PID and checks instead whether its shared memory is in use.
 */
export const strangerIn = (locks: readonly string[], data: string): { PG_GRANDPARENT_PID?: string } => {
  const stranger = locks.map((lock) => holderOf(lock, data)).find((pid) => pid !== undefined);
  return stranger === undefined ? {} : { PG_GRANDPARENT_PID: String(stranger) };
};

/** Returns the process with the id in a lock, if it is not the server of this data. */
const holderOf = (lock: string, data: string): number | undefined => {
  try {
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    // A PostgreSQL server runs in its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? undefined : pid;
  } catch {
    // No lock, no such process, or no access to it: PostgreSQL decides.
    return undefined;
  }
};

/** Milliseconds for which a lock may be empty. A server fills its lock at once. */
const emptyAtMost = 5000;

/**
 * Removes locks that have been empty for too long, as a power cut may leave them. Accepts times in the future,
 * because the clock may have changed.
 */
export const removeEmpty = (locks: readonly string[]): void => {
  for (const lock of locks) {
    const { size, mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
    if (size === 0 && Math.abs(Date.now() - (mtimeMs ?? 0)) > emptyAtMost) rmSync(lock, { force: true });
  }
};
