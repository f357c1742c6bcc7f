import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** A process with all its descendants. */
export const familyOf = (first: number): number[] => {
  const family = [first];
  const others = processes().map((pid) => ({ pid, parent: parentOf(pid) }));
  for (const one of family) family.push(...others.filter(({ parent }) => parent === one).map(({ pid }) => pid));
  return family;
};

/** The direct children of a process. */
export const childrenOf = (parent: number): number[] => processes().filter((pid) => parentOf(pid) === parent);

const processes = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1);

const parentOf = (pid: number): number | undefined => {
  try {
    // The program name is in parentheses and may contain any character. So the fields are read after the last
    // parenthesis.
    const [, parent] = /\) \S (\d+) [^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(parent);
  } catch {
    return undefined;
  }
};

export const killAll = async (pids: readonly number[]): Promise<void> => {
  for (const pid of pids) send(pid, 'SIGKILL');
  while (pids.some(isAlive)) await wait(10);
};

/**
 * Stops a process and its descendants. Returns their IDs when no thread is inside a system call. Their disk requests
 * are then complete, and no new requests start.
 */
export const freeze = async (first: number): Promise<number[]> => {
  for (;;) {
    const before = familyOf(first);
    for (const pid of before) send(pid, 'SIGSTOP');
    const after = familyOf(first);
    if (after.length === before.length && after.every(isStill)) return after;
    await wait(2);
  }
};

const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Whether all threads are stopped or gone. */
const isStill = (pid: number): boolean => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) => /\) [TZX] /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));
  } catch {
    return !isAlive(pid);
  }
};
