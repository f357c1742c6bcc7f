import type { Reading } from '@radwork/contract/reading-locks';

/** However clocks differ, what is shown is asked for again no more often and no later than so. In milliseconds. */
const [soonest, latest] = [30_000, 120_000];

/**
 * After how many milliseconds to ask again, for `refetchInterval`, where it is shown who reads: that a lock has lapsed
 * is told to nobody. `otherwise` is the interval where nobody reads; false stays, since then nobody looks.
 */
export const untilLapse = (
  readings: readonly (Pick<Reading, 'expiresAt'> | null | undefined)[],
  otherwise: number | false,
): number | false => {
  const expiries = readings.flatMap((reading) => (reading ? [Date.parse(reading.expiresAt)] : []));
  if (otherwise === false || expiries.length === 0) return otherwise;
  const first = Math.min(...expiries) - Date.now() + 1000;
  return Math.min(otherwise, Math.max(soonest, Math.min(first, latest)));
};
