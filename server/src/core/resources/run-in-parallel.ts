/** Runs work for each item, at most `most` at a time. Throws the first error after all started work has ended. */
export const inParallel = async <T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<unknown>,
): Promise<void> => {
  const remaining = items.values();
  const takeTurns = async () => {
    for (const item of remaining) await work(item);
  };
  const turns = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, takeTurns));
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
};
