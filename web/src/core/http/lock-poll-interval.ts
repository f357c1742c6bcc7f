import type { Reading } from '@radwork/contract/imaging/study-marks';

/** Limits of the refetch interval, because clocks differ. In milliseconds. */
const [soonest, latest] = [30_000, 120_000];

/**
 * Interval in milliseconds for `refetchInterval` where reading locks are shown. No event announces an expired lock.
 * `otherwise` applies without locks; false means hidden, and stays false.
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
