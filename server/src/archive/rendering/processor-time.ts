import { readFileSync } from 'node:fs';

/** Clock ticks of Linux, the same for all its processors (proc_pid_stat(5), sysconf(_SC_CLK_TCK)). */
const millisecondsPerTick = 10;

/** Milliseconds of the processor that a process has used; undefined where the system does not say. */
export const processorTimeOf = (pid: number | undefined): number | undefined => {
  try {
    // The name of the program, in parentheses, may hold blanks.
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = after.split(' ').slice(11, 13).map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) * millisecondsPerTick;
  } catch {
    return undefined;
  }
};
