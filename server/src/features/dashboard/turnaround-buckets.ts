/** Bucket b of the histogram holds from growth^b to growth^(b+1) minutes (migrations/0044_dashboard.sql). */
const growth = 1.1;

type Bucket = { bucket: number; total: number };

/**
 * The time, in minutes, that so large a part of them took at most (the nearest rank); null of none. The middle of a
 * bucket stands for all in it, so it is within 5 % of the exact one, or half a minute of what took less than one.
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
