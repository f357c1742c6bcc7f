const turning = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Isolates typed text inside a sentence of ours. Its direction marks end with it. Text without such marks stays
 * unchanged.
 */
export const isolateText = (words: string): string => (turning.test(words) ? `\u2068${balanced(words)}\u2069` : words);

/** Removes end marks without a start mark. They would end an isolation around the text. */
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
