import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of Linux in a second, as /proc counts processor time. */
const ticksPerSecond = 100;

type Process = { parent: number; ticks: number };

/** `ticks` also counts the time of children that have ended. */
const processOf = (pid: string): Process | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
};

/** Seconds of processor time that a process and all its descendants have used: server, threads, database, decoders. */
export const processorSeconds = (pid: number): number => {
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? processOf(name) : undefined;
    if (found) processes.set(Number(name), found);
  }
  const isOurs = (candidate: number): boolean =>
    candidate === pid || (candidate > 1 && isOurs(processes.get(candidate)?.parent ?? 0));
  let ticks = 0;
  for (const [own, found] of processes) if (isOurs(own)) ticks += found.ticks;
  return ticks / ticksPerSecond;
};
