import { readFileSync } from 'node:fs';

export type MemoryFigures = { before: number; highest: number; growth: number };

const sampledEvery = 20;

/** Resident memory of a process in MB (10^6 bytes), as Linux counts it. */
export const residentMegabytes = (pid: number): number => {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kibibytes) * 1024) / 1e6;
};

/** Watches the memory of a process during work. Returns memory before, the highest memory, and the growth. */
export const watchingMemory = async <T>(pid: number, work: () => Promise<T>): Promise<[T, MemoryFigures]> => {
  const before = residentMegabytes(pid);
  let highest = before;
  const look = () => {
    highest = Math.max(highest, residentMegabytes(pid));
  };
  const timer = setInterval(look, sampledEvery);
  try {
    const result = await work();
    look();
    return [result, { before, highest, growth: highest - before }];
  } finally {
    clearInterval(timer);
  }
};
