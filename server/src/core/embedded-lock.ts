import { readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The files in which PostgreSQL writes down the number of its first process, to keep others from its data and its socket. */
export const locksOf = (data: string, sockets: string, port: number): string[] => [
  join(data, 'postmaster.pid'),
  join(sockets, `.s.PGSQL.${port}.lock`),
];

/**
 * What PostgreSQL is told of locks that have outlived its server: a machine that starts anew after a power cut, and a
 * container, give the numbers of processes anew, so that the one in a lock may be anybody's, for as long as they run.
 * PostgreSQL would take them for its server. It lets its grandparent's number pass, and goes on to look whether anybody
 * has its memory: so a stranger is called that.
 */
export const strangerIn = (locks: readonly string[], data: string): { PG_GRANDPARENT_PID?: string } => {
  const stranger = locks.map((lock) => holderOf(lock, data)).find((pid) => pid !== undefined);
  return stranger === undefined ? {} : { PG_GRANDPARENT_PID: String(stranger) };
};

/** Whoever has the number in a lock and is not the server of this data. */
const holderOf = (lock: string, data: string): number | undefined => {
  try {
    const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
    // A server works in its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? undefined : pid;
  } catch {
    // There is no lock, nobody has the number, or nothing can be said of them: PostgreSQL judges by itself.
    return undefined;
  }
};

/** Milliseconds for which a lock may be empty: a server fills its own at once. */
const emptyAtMost = 5000;

/** Removes locks that have been empty for too long, as a power cut may leave them, by a clock that may have been changed. */
export const removeEmpty = (locks: readonly string[]): void => {
  for (const lock of locks) {
    const { size, mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
    if (size === 0 && Math.abs(Date.now() - (mtimeMs ?? 0)) > emptyAtMost) rmSync(lock, { force: true });
  }
};
