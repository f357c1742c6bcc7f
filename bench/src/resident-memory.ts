import { readFile, writeFile } from 'node:fs/promises';

/** Resident memory of a process in MiB, now and at its highest since the last reset (proc(5), Linux only). */
export const residentMemory = async (pid: number): Promise<{ now: number; peak: number }> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
};

export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5');
