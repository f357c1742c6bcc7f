import { diffArrays } from 'diff';
import { wordsIn } from '#reading/editor/reading/compare-texts.ts';

/** Words of a passage that a suggestion replaces, in characters of the passage, and the words in their place. */
export type SuggestedWords = { from: number; to: number; added: string };

/**
 * Returns how a suggestion changes a passage, in order: line by line, and word by word within changed lines. Words that
 * stay are not touched, so they keep their formatting.
 */
export const suggestedWords = (passage: string, replacement: string): SuggestedWords[] => {
  if (replacement === '') return passage === '' ? [] : [{ from: 0, to: passage.length, added: '' }];
  const isOfOneLine = !passage.includes('\n') && !replacement.includes('\n');
  if (isOfOneLine) return changedWords(passage, replacement, 0);
  return hunksOf(passage, replacement).flatMap((hunk) => changesOf(hunk, passage));
};

/** Consecutive lines that a suggestion replaces. `at` is the position of the first in the passage. */
type Hunk = { at: number; removed: string[]; added: string[] };

const hunksOf = (passage: string, replacement: string): Hunk[] => {
  const hunks: Hunk[] = [];
  let at = 0;
  let open: Hunk | undefined;
  for (const { value, added, removed } of diffArrays(passage.split('\n'), replacement.split('\n'))) {
    const length = value.reduce((sum, line) => sum + line.length + 1, 0);
    if (added || removed) {
      if (!open) hunks.push((open = { at, removed: [], added: [] }));
      (added ? open.added : open.removed).push(...value);
    } else open = undefined;
    if (!added) at += length;
  }
  return hunks;
};

const changesOf = ({ at, removed, added }: Hunk, passage: string): SuggestedWords[] => {
  const lines = removed.join('\n');
  // Whole lines are added and removed with the line end before them, so that the line before keeps its kind.
  if (added.length === 0) {
    return [
      at === 0 ? { from: 0, to: lines.length + 1, added: '' } : { from: at - 1, to: at + lines.length, added: '' },
    ];
  }
  if (removed.length === 0) {
    const place = Math.min(at === 0 ? 0 : at - 1, passage.length);
    const words = added.join('\n');
    return [{ from: place, to: place, added: at === 0 ? `${words}\n` : `\n${words}` }];
  }
  return changedWords(lines, added.join('\n'), at);
};

/** Returns how words change, word by word. `start` is the position of the words in the passage. */
const changedWords = (passage: string, replacement: string, start: number): SuggestedWords[] => {
  const changes: SuggestedWords[] = [];
  let at = start;
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

/** Returns the positions in a passage of the line ends that a suggestion removes. */
export const removedLineEnds = (passage: string, changes: readonly SuggestedWords[]): number[] =>
  changes.flatMap(({ from, to }) => Array.from(passage.slice(from, to).matchAll(/\n/g), ({ index }) => from + index));
