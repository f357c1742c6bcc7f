/** Returns the ranges of loaded images in a series, from 0. `to` is exclusive. */
export const loadedRangesOf = (loaded: readonly boolean[]): { from: number; to: number }[] => {
  const stretches: { from: number; to: number }[] = [];
  for (const [index, isLoaded] of loaded.entries()) {
    if (!isLoaded) continue;
    const last = stretches.at(-1);
    if (last?.to === index) last.to = index + 1;
    else stretches.push({ from: index, to: index + 1 });
  }
  return stretches;
};
