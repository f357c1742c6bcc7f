import { readFileSync } from 'node:fs';

/** Milliseconds per clock tick of Linux, the same on all processors (proc_pid_stat(5), sysconf(_SC_CLK_TCK)). */
const millisecondsPerTick = 10;

/** Returns the processor time of a process in milliseconds; undefined when the system does not report it. */
export const processorTimeOf = (pid: number | undefined): number | undefined => {
  try {
    // The other fields follow the name of the program, which is in parentheses and may contain spaces.
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = after.split(' ').slice(11, 13).map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) * millisecondsPerTick;
  } catch {
    return undefined;
  }
};
