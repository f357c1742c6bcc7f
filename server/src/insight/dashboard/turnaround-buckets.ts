/** Bucket b of the histogram is for growth^b to growth^(b+1) minutes (migrations/0044_dashboard.sql). */
const growth = 1.1;

type Bucket = { bucket: number; total: number };

/**
 * Returns the nearest-rank percentile in minutes, or null without data. Uses the middle of the bucket. The result is
 * exact within 5 %, or within half a minute for times under one minute.
 */
export const percentile = (buckets: readonly Bucket[], part: number): number | null => {
  const all = buckets.reduce((sum, { total }) => sum + total, 0);
  if (all === 0) return null;
  const rank = Math.ceil(part * all);
  let counted = 0;
  for (const { bucket, total } of buckets.toSorted((one, other) => one.bucket - other.bucket)) {
    counted += total;
    if (counted >= rank) return growth ** (bucket + 0.5);
  }
  return null;
};
