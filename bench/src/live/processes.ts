import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** Processor time of processes and of the children that they waited for, in seconds. */
export const processorSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond;

const ticksOf = (pid: number): number => {
  try {
    const [, fields = ''] = /\) \S (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return fields
      .split(' ')
      .slice(10, 14)
      .reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    return 0;
  }
};

/** Memory of processes in MB (10^6 bytes). Shared memory is divided among them. */
export const megabytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + proportionalKibibytes(pid), 0) * (1024 / 1e6);

const proportionalKibibytes = (pid: number): number => {
  try {
    const [, kibibytes = '0'] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
    return Number(kibibytes);
  } catch {
    return 0;
  }
};
