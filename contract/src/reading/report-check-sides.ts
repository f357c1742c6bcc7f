import type { CheckLexicon } from './report-check-lexicon.ts';
import { assertionOf } from './report-check-negation.ts';
import type { Place, Sentence } from './report-check-text.ts';

type Side = 'left' | 'right' | 'both';

/** Statement about one side of the body, in one part of a sentence. */
type Statement = Place & { side: Side; parts: string[]; lesions: string[]; isDenied: boolean };

type Mention = Place & { name: string };

/** An impression and a finding that name opposite sides. */
export type SideConflict = { impression: Place; findings: Place; side: 'left' | 'right' };

const mentions = (text: string, lexicon: Record<string, RegExp>): Mention[] =>
  Object.entries(lexicon)
    .flatMap(([name, pattern]) =>
      Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({ name, from: index, to: index + match.length })),
    )
    .toSorted((one, other) => one.from - other.from);

/** Matches "left" and "right" where they name no side of the body: a shift to the left, chambers of the heart. */
const noSide =
  /(?:to(?:ward)?s? the (?:left|right)|(?:left|right)(?:ward)? (?:heart|ventric\w+|atri\w+|main (?:coronary|stem)|coronary|anterior descending|axis|shift|dominan\w+))/gi;

/** Matches phrases such as "left greater than right", which name both sides. */
const comparison =
  /(?:left|right)[\s-]*(?:greater than|less than|more than|worse than|larger than|>|<|and|or)[\s-]*(?:the )?(?:left|right)/i;

const statementsIn = ({ text, from }: Sentence, lexicon: CheckLexicon): Statement[] => {
  const blank = text.replaceAll(noSide, (match) => ' '.repeat(match.length));
  const sides = mentions(blank, lexicon.sides).map((side) => ({ ...side, side: sideOf(side.name) }));
  const isOfBoth = comparison.test(blank);
  return sides.map((side, index) => {
    const start = index === 0 ? 0 : side.from;
    const end = sides[index + 1]?.from ?? text.length;
    const stretch = blank.slice(start, end);
    const lesions = mentions(stretch, lexicon.lesions);
    return {
      from: from + side.from,
      to: from + side.to,
      side: isOfBoth ? 'both' : side.side,
      parts: mentions(stretch, lexicon.parts).map(({ name }) => name),
      lesions: lesions.map(({ name }) => name),
      isDenied: lesions.some((lesion) => {
        const place = { from: start + lesion.from, to: start + lesion.to };
        return assertionOf(text, place, lexicon) === 'absent';
      }),
    };
  });
};

const sideOf = (name: string): Side => (name === 'left' || name === 'right' ? name : 'both');

const overlap = (one: readonly string[], other: readonly string[]) => one.some((name) => other.includes(name));
const mayBeSame = (one: readonly string[], other: readonly string[]) =>
  one.length === 0 || other.length === 0 || overlap(one, other);

/**
 * Returns the findings about the same subject as the impression: the abnormality that the impression names. If it names
 * none, or if no finding gives a side for it, the subject is the organ.
 */
const aboutTheSame = (impression: Statement, findings: readonly Statement[]): Statement[] => {
  const samePart = findings.filter((finding) => overlap(impression.parts, finding.parts));
  if (impression.lesions.length === 0 || impression.isDenied) return samePart;
  const sameFinding = findings.filter(
    (finding) =>
      !finding.isDenied && overlap(impression.lesions, finding.lesions) && mayBeSame(impression.parts, finding.parts),
  );
  return sameFinding.length > 0 ? sameFinding : samePart;
};

/**
 * Finds an impression about one side for which the findings name only the other side. If the findings do not mention
 * the subject, there is no conflict, because the impression may summarize several findings.
 */
export const sideConflicts = (sentences: readonly Sentence[], lexicon: CheckLexicon): SideConflict[] => {
  const statements = (section: 'findings' | 'impression') =>
    sentences.filter((sentence) => sentence.section === section).flatMap((sentence) => statementsIn(sentence, lexicon));
  const findings = statements('findings');
  return statements('impression').flatMap((impression) => {
    const { side } = impression;
    if (side === 'both') return [];
    const alike = aboutTheSame(impression, findings);
    const [opposite] = alike;
    const isOnlyOpposite = opposite !== undefined && alike.every((finding) => finding.side === otherSide[side]);
    return isOnlyOpposite ? [{ side, impression, findings: opposite }] : [];
  });
};

const otherSide = { left: 'right', right: 'left' } as const;
