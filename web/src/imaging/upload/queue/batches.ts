/** Limits of one request. A single file larger than `bytes` is sent alone. */
const batchLimits = { files: 50, bytes: 64 * 1024 * 1024 } as const;

/**
 * Returns the number of files, from the start of the list, that fit into one request. At least 1 if any file is
 * waiting.
 */
export const batchLength = (
  sizes: readonly number[],
  limits: { files: number; bytes: number } = batchLimits,
): number => {
  let bytes = 0;
  for (const [index, size] of sizes.entries()) {
    bytes += size;
    if (index === limits.files || (index > 0 && bytes > limits.bytes)) return index;
  }
  return sizes.length;
};
