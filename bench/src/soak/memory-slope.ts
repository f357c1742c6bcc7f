import { setTimeout as wait } from 'node:timers/promises';
import { residentMegabytes } from '../memory.ts';

type Sample = { pid: number; seconds: number; megabytes: number };

/** Seconds. A process fills what it remembers first. */
const warmUp = 420;

/** Samples the memory of whichever process is the server, every few seconds, until told to stop. */
export const sampleMemory = async (pid: () => number, signal: AbortSignal): Promise<Sample[]> => {
  const samples: Sample[] = [];
  const began = new Map<number, number>();
  while (!signal.aborted) {
    const [now, id] = [performance.now() / 1000, pid()];
    if (!began.has(id)) began.set(id, now);
    try {
      samples.push({ pid: id, seconds: now - (began.get(id) ?? now), megabytes: residentMegabytes(id) });
    } catch {
      // It was killed at this moment.
    }
    await wait(2000);
  }
  return samples;
};

/**
 * How memory grows with the age of a process, in MB an hour: one slope through all processes that lived, each by its own
 * mean, without their first seven minutes. Undefined where none lived for long enough.
 */
export const slopeOf = (samples: readonly Sample[]): number | undefined => {
  const aged = Map.groupBy(
    samples.filter(({ seconds }) => seconds > warmUp),
    ({ pid }) => pid,
  );
  let [together, spread] = [0, 0];
  for (const lived of aged.values()) {
    const meanAge = lived.reduce((sum, { seconds }) => sum + seconds, 0) / lived.length;
    const mean = lived.reduce((sum, { megabytes }) => sum + megabytes, 0) / lived.length;
    for (const { seconds, megabytes } of lived) {
      together += (seconds - meanAge) * (megabytes - mean);
      spread += (seconds - meanAge) ** 2;
    }
  }
  return spread > 0 ? (together / spread) * 3600 : undefined;
};

/** The memory of the process that lived longest, in MB, at each so many minutes of its age. */
export const longestLife = (samples: readonly Sample[], everyMinutes = 2): { minutes: number; megabytes: number }[] => {
  const lives = [...Map.groupBy(samples, ({ pid }) => pid).values()];
  const [longest = []] = lives.toSorted((one, other) => (other.at(-1)?.seconds ?? 0) - (one.at(-1)?.seconds ?? 0));
  const aged = Map.groupBy(longest, ({ seconds }) => Math.floor(seconds / 60 / everyMinutes) * everyMinutes);
  return [...aged].map(([minutes, during]) => ({
    minutes,
    megabytes: Math.round(during.reduce((sum, { megabytes }) => sum + megabytes, 0) / during.length),
  }));
};
