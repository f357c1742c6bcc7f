/** Whether two findings have the same words, ignoring case and punctuation. */
export const isSameText = (one: string, other: string): boolean => bare(one) === bare(other);

const bare = (words: string): string =>
  words
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join(' ') ?? words.trim();
