import { onFirstUse } from '@radwork/contract/core/on-first-use';
import { checkLexiconOf } from '@radwork/contract/reading/report-check-lexicon';
import { assertionOf } from '@radwork/contract/reading/report-check-negation';
import { knownLanguageOf } from '@radwork/contract/reading/report-language';
import { sentencesOf } from './read-findings.ts';

const sides = {
  left: /\b(?:left|l[ul]l|lt)\b/i,
  right: /\b(?:right|r[uml]l|rt)\b/i,
  bilateral: /\b(?:bilateral\w*|both)\b/i,
};

/**
 * Further terms that an impression may use in place of each other. Terms of the same finding in the checks may replace
 * each other anyway.
 */
const alike: readonly RegExp[] = [
  /\b(?:embol\w*|filling defects?|clots?|thromb\w*|dvt|pe)\b/gi,
  /\b(?:ha?emorrhag\w*|ha?ematoma\w*|bleed\w*|blood|sah|sdh)\b/gi,
  /\b(?:infarct\w*|isch[ae]+mi\w*|strokes?|restricted diffusion|large vessel occlusion)\b/gi,
  /\b(?:pneumothora\w*|hydropneumothora\w*|pneumomediastinum)\b/gi,
  /\b(?:free (?:intraperitoneal |intra-abdominal )?(?:air|gas)|pneumoperitoneum|perforat\w*|extraluminal)\b/gi,
];

/** Returns findings by name, with the terms that state them. */
const findingTerms = onFirstUse((): Record<string, RegExp> => ({
  ...checkLexiconOf('en')?.lesions,
  ...checkLexiconOf('en')?.critical,
  swelling: /\b(?:edema|oedema|swelling)\b/gi,
  appendix: /\bappendicitis\b/gi,
  gallbladder: /\bcholecystitis\b/gi,
  pancreas: /\bpancreatitis\b/gi,
  diverticula: /\bdiverticul\w+\b/gi,
  emphysema: /\bemphysem\w+\b/gi,
  fat: /\b(?:steatosis|fatty)\b/gi,
  calcium: /\bcalcifi\w+\b/gi,
  disc: /\b(?:protrusions?|extrusions?|herniat\w+|bulg\w+)\b/gi,
  ascites: /\b(?:ascites|free fluid)\b/gi,
}));

type Assertion = 'present' | 'denied';

/** Returns how a text speaks of a finding. A text may state and deny it, in two places. */
const assertionsOf = (text: string, pattern: RegExp): Set<Assertion> => {
  const english = checkLexiconOf('en');
  return new Set(
    english
      ? text
          .split('\n')
          .flatMap(sentencesOf)
          .flatMap((sentence) =>
            Array.from(sentence.matchAll(pattern), ({ 0: words, index }): Assertion => {
              const assertion = assertionOf(sentence, { from: index, to: index + words.length }, english);
              // A question, such as "rule out pneumothorax", states nothing.
              return assertion === 'absent' || assertion === 'asked' ? 'denied' : 'present';
            }),
          )
      : [],
  );
};

const isSupported = (pattern: RegExp, words: string, source: string): boolean => {
  const related = alike.filter((group) => words.match(group));
  return [pattern, ...related].some((one) => assertionsOf(source, one).has('present'));
};

/**
 * Returns the sides and findings that an answer states and its source does not, each once. A finding that the source
 * denies, and one of which the source says nothing, is invented. So is a side that the source does not name. Reads English
 * only; for another language it returns nothing, and the reader must compare.
 */
export const inventedWords = (answer: string, source: string): string[] => {
  if (knownLanguageOf(source) !== 'en') return [];
  const strangeSides = Object.entries(sides).flatMap(([name, pattern]) => {
    const both = sides.left.test(source) && sides.right.test(source);
    const isGiven = pattern.test(source) || (name === 'bilateral' ? both : sides.bilateral.test(source));
    return pattern.test(answer) && !isGiven ? [name] : [];
  });
  const strangeFindings = Object.values(findingTerms()).flatMap((pattern) => {
    if (!assertionsOf(answer, pattern).has('present')) return [];
    const words = answer.match(pattern)?.[0] ?? '';
    return isSupported(pattern, words, source) ? [] : [words.toLowerCase()];
  });
  return [...new Set([...strangeSides, ...strangeFindings])];
};
