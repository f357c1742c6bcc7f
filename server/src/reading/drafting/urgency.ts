import { checkLexiconOf } from '@radwork/contract/reading/report-check-lexicon';
import { assertionOf } from '@radwork/contract/reading/report-check-negation';
import { sentencesOf } from './read-findings.ts';

/**
 * Ranks of a finding in an impression, the most urgent first: a critical, an urgent and a significant finding of the
 * checks (contract/src/reading/report-check-lexicon.ts), any other finding, one that is old, unchanged or harmless.
 */
const ranks = { critical: 0, urgent: 1, significant: 2, other: 3, minor: 4 } as const;
type Rank = (typeof ranks)[keyof typeof ranks];

/** Findings that matter without being in the classes of the checks. */
const significant =
  /\b(?:mass|masses|malignan\w*|metasta\w*|carcinom\w*|tumou?r\w*|spiculat\w*|suspicious|bi-?rads\s*(?:category\s*)?(?:[456])[abc]?|abscess\w*|obstruct\w*|fractur\w*|dislocat\w*|aneurysm\w*|occlu\w*|cholecystitis|pancreatitis|diverticulitis|pyelonephritis|empyema|osteomyelitis|(?:full[- ]thickness|complete) tears?|ruptur\w*|severe\w*|stenosis|thromb\w*)\b/i;

/** Findings that are old, unchanged or harmless. */
const minor =
  /\b(?:old|chronic|stable|unchanged|healed|benign|degenerat\w*|simple|incidental\w*|calcified granuloma\w*|osteophyt\w*|spondylosis|steatosis|hiatal|hiatus|status post|surg\w+|postoperative|scar\w*|atheroma\w*|diverticulosis|granuloma\w*|bi-?rads\s*(?:category\s*)?[123]|remote|mild\w*|minimal\w*|trace|physiologic\w*)\b/i;

const rankOf = (text: string): Rank => {
  const en = checkLexiconOf('en');
  const stated = en
    ? Object.entries(en.critical).flatMap(([name, pattern]) =>
        sentencesOf(text).some((sentence) =>
          Array.from(sentence.matchAll(pattern)).some(({ 0: words, index }) =>
            ['present', 'hedged'].includes(assertionOf(sentence, { from: index, to: index + words.length }, en)),
          ),
        )
          ? [name]
          : [],
      )
    : [];
  if (stated.some((name) => !en?.urgent.includes(name) && !en?.significant.includes(name))) return ranks.critical;
  if (stated.some((name) => en?.urgent.includes(name))) return ranks.urgent;
  const isMinor = minor.test(text);
  if (stated.length > 0 || (significant.test(text) && !isMinor)) return ranks.significant;
  return isMinor ? ranks.minor : ranks.other;
};

/**
 * Sorts findings by urgency, the most urgent first. Findings of the same rank keep the order of the reader. Knows English
 * terms only; findings in other languages keep their order.
 */
export const mostUrgentFirst = (findings: readonly string[]): string[] =>
  findings
    .map((text, index) => ({ text, index, rank: rankOf(text) }))
    .toSorted((one, other) => one.rank - other.rank || one.index - other.index)
    .map(({ text }) => text);
