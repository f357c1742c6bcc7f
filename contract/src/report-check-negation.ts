import type { CheckLexicon } from './report-check-lexicon.ts';
import type { Place } from './report-check-text.ts';

/** What a sentence says of something that it names. */
export type Assertion = 'present' | 'absent' | 'hedged' | 'past' | 'asked';

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) !== -1;

/** A comma does not end the list of what is not there, unless something new is described behind it. */
const newThought = /,\s+(?:a|an|there|small|tiny|minimal|moderate|large|massive|new)\s/gi;

/**
 * Whether something that stands at a place of a sentence is said to be there (after NegEx, Chapman et al. 2001: a negation
 * reaches forward to the next conjunction, and some stand behind what they deny).
 */
export const assertionOf = (sentence: string, { from, to }: Place, lexicon: CheckLexicon): Assertion => {
  const before = lastClause(sentence.slice(0, from), lexicon);
  const behind = firstClause(sentence.slice(to), lexicon);
  if (has(lexicon.asked, before)) return 'asked';
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

/** The four words before something: "prior" further away speaks of something else. */
const nearest = (text: string): string => text.trim().split(/\s+/).slice(-4).join(' ');
