const turning = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Isolates user text inside a sentence, so that its direction marks do not affect the rest of the sentence. Text
 * without such marks stays unchanged.
 */
export const isolateText = (words: string): string => (turning.test(words) ? `\u2068${balanced(words)}\u2069` : words);

/** Removes end marks that have no start mark, because they would end the isolation of the whole text. */
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
