import type { CheckLexicon } from './report-check-lexicon.ts';
import type { Place } from './report-check-text.ts';

/** How certain a finding is in a sentence. */
export type Assertion = 'present' | 'absent' | 'hedged' | 'past' | 'asked';

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) !== -1;

/** Matches a comma before a new description. Other commas do not end a list of negated findings. */
const newThought = /,\s+(?:a|an|there|small|tiny|minimal|moderate|large|massive|new)\s/gi;

/**
 * Returns how certain a finding at a position of a sentence is (after NegEx, Chapman et al. 2001). A negation applies
 * until the next conjunction; some negations come after the finding.
 */
export const assertionOf = (sentence: string, { from, to }: Place, lexicon: CheckLexicon): Assertion => {
  const before = lastClause(sentence.slice(0, from), lexicon);
  const behind = firstClause(sentence.slice(to), lexicon);
  if (has(lexicon.question, before)) return 'asked';
  if (has(lexicon.hedge, behind) || has(lexicon.hedge, before))
    return has(lexicon.past, nearest(before)) ? 'past' : 'hedged';
  if (has(lexicon.negationBefore, before.replaceAll(lexicon.noNegation, ''))) return 'absent';
  if (has(lexicon.negationBehind, behind)) return 'absent';
  return has(lexicon.past, nearest(before)) ? 'past' : 'present';
};

const lastClause = (text: string, { breaker }: CheckLexicon): string => {
  const ends = [...text.matchAll(breaker), ...text.matchAll(newThought)].map(({ 0: end, index }) => index + end.length);
  return text.slice(Math.max(0, ...ends));
};

const firstClause = (text: string, { breaker }: CheckLexicon): string => {
  const starts = [...text.matchAll(breaker), ...text.matchAll(newThought)].map(({ index }) => index);
  return text.slice(0, Math.min(text.length, ...starts));
};

/** Returns the last four words before the finding. A "prior" before these four words refers to another finding. */
const nearest = (text: string): string => text.trim().split(/\s+/).slice(-4).join(' ');
