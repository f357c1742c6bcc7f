const turning = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Words that somebody typed, to stand in a sentence of ours: marks in them that turn the direction of reading end with
 * them. Words without such marks are as they were.
 */
export const typed = (words: string): string => (turning.test(words) ? `\u2068${balanced(words)}\u2069` : words);

/** Leaves out what would end more than was begun: it would end what stands around the words. */
const balanced = (words: string): string => {
  let depth = 0;
  return (
    words.replaceAll(/[\u2066-\u2069]/g, (mark) => {
      depth += mark === '\u2069' ? -1 : 1;
      if (depth >= 0) return mark;
      depth = 0;
      return '';
    }) + '\u2069'.repeat(depth)
  );
};
