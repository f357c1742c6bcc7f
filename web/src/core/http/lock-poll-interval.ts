import type { Reading } from '@radwork/contract/imaging/study-marks';

/**
 * Shortest and longest poll interval, in milliseconds. They limit the effect of different clocks in browser and server.
 */
const [soonest, latest] = [30_000, 120_000];

/**
 * Returns the `refetchInterval`, in milliseconds, for data that shows reading locks. It is needed because no event
 * announces that a lock has expired. `otherwise` is the interval without locks. If it is false, the tab is hidden, and
 * the result is false.
 */
export const pollUntilLockExpiry = (
  readings: readonly (Pick<Reading, 'expiresAt'> | null | undefined)[],
  otherwise: number | false,
): number | false => {
  const expiries = readings.flatMap((reading) => (reading ? [Date.parse(reading.expiresAt)] : []));
  if (otherwise === false || expiries.length === 0) return otherwise;
  const first = Math.min(...expiries) - Date.now() + 1000;
  return Math.min(otherwise, Math.max(soonest, Math.min(first, latest)));
};
