import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** Where PostgreSQL writes down the number of its first process, which keeps others away from its data. */
export const lockFile = 'postmaster.pid';

/**
 * What PostgreSQL is told of a lock that has outlived its server: a machine that starts anew after a power cut, and a
 * container, give the numbers of processes anew, so that the one in the lock may be anybody's, for as long as they run.
 * PostgreSQL would take them for its server. It lets its grandparent's number pass, and goes on to look whether anybody
 * has its memory: so a stranger is called that.
 */
export const strangerInLock = (data: string): { PG_GRANDPARENT_PID?: string } => {
  try {
    const pid = Number(readFileSync(join(data, lockFile), 'utf8').split('\n')[0]);
    // A server works in its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data) ? {} : { PG_GRANDPARENT_PID: String(pid) };
  } catch {
    // There is no lock, nobody has the number, or nothing can be said of them: PostgreSQL judges by itself.
    return {};
  }
};
