import { diffArrays } from 'diff';
import { wordsIn } from '#reading/editor/reading/compare-texts.ts';

/** Words of a passage that a suggestion replaces, in characters of the passage, and the words in their place. */
export type SuggestedWords = { from: number; to: number; added: string };

/**
 * Returns how a suggestion changes a passage, word by word, in order. Words that stay are not touched, so they keep
 * their formatting.
 */
export const suggestedWords = (passage: string, replacement: string): SuggestedWords[] => {
  const changes: SuggestedWords[] = [];
  let at = 0;
  let open: SuggestedWords | undefined;
  for (const { value, added, removed } of diffArrays(wordsIn(passage), wordsIn(replacement))) {
    const words = value.join('');
    if (!added && !removed) {
      open = undefined;
      at += words.length;
      continue;
    }
    if (!open) changes.push((open = { from: at, to: at, added: '' }));
    if (added) open.added += words;
    else {
      at += words.length;
      open.to = at;
    }
  }
  return changes;
};
