import { setTimeout as wait } from 'node:timers/promises';
import { residentMegabytes } from '../memory.ts';

type Sample = { pid: number; seconds: number; megabytes: number };

/** Seconds until a process has filled its caches. */
const warmUp = 420;

/** Samples the memory of the current server process every two seconds until the signal aborts. */
export const sampleMemory = async (pid: () => number, signal: AbortSignal): Promise<Sample[]> => {
  const samples: Sample[] = [];
  const began = new Map<number, number>();
  while (!signal.aborted) {
    const [now, id] = [performance.now() / 1000, pid()];
    if (!began.has(id)) began.set(id, now);
    try {
      samples.push({ pid: id, seconds: now - (began.get(id) ?? now), megabytes: residentMegabytes(id) });
    } catch {
      // The process was killed at this moment.
    }
    await wait(2000);
  }
  return samples;
};

/**
 * Memory growth in MB per hour: the common slope of all processes, each relative to its own mean, without their first
 * seven minutes. Undefined when no process lived long enough.
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

/** The mean memory of the longest-lived process in MB, for each interval of its age. */
export const longestLife = (samples: readonly Sample[], everyMinutes = 2): { minutes: number; megabytes: number }[] => {
  const lives = [...Map.groupBy(samples, ({ pid }) => pid).values()];
  const [longest = []] = lives.toSorted((one, other) => (other.at(-1)?.seconds ?? 0) - (one.at(-1)?.seconds ?? 0));
  const aged = Map.groupBy(longest, ({ seconds }) => Math.floor(seconds / 60 / everyMinutes) * everyMinutes);
  return [...aged].map(([minutes, during]) => ({
    minutes,
    megabytes: Math.round(during.reduce((sum, { megabytes }) => sum + megabytes, 0) / during.length),
  }));
};
