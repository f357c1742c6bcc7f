/** Total number of bytes sent up to the time `at`, in milliseconds. */
export type Sample = { at: number; bytes: number };

const windowMilliseconds = 5000;

/** Adds the current total. Removes samples that are too old to measure the speed. */
export const sampled = (samples: readonly Sample[], now: Sample): Sample[] => [
  ...samples.filter(({ at, bytes }) => at > now.at - windowMilliseconds && bytes <= now.bytes),
  now,
];

/** Returns the bytes per second over the last seconds. Undefined with too few samples. */
export const bytesPerSecond = (samples: readonly Sample[]): number | undefined => {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < 500) return undefined;
  const rate = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  return rate > 0 ? rate : undefined;
};
