import { t } from '../core/translate.ts';
import type { CheckFacts, FactConflict } from './report-check-facts.ts';
import type { Place, Sentence } from './report-check-text.ts';

/** A kind of number that is measured, with the size of each unit in the first unit. */
type Family = { name: string; sizes: Record<string, number> };

const families: readonly Family[] = [
  { name: 'length', sizes: { mm: 1, cm: 10 } },
  { name: 'volume', sizes: { ml: 1, cc: 1, 'cm³': 1 } },
  { name: 'density', sizes: { hu: 1 } },
  { name: 'angle', sizes: { '°': 1, degrees: 1 } },
];

const familyOf = (unit: string): (Family & { size: number }) | undefined => {
  const key = unit.toLowerCase();
  const family = families.find(({ sizes }) => key in sizes);
  return family && { ...family, size: family.sizes[key] ?? 1 };
};

/** A number of the text with its unit. `value` is in the first unit of its family. */
type Written = Place & { words: string; family: string; value: number; tolerance: number; sentence: Sentence };

type Measured = { label: string; family: string; value: number; unit: string; shown: number };

const number = String.raw`-?\d+(?:[.,]\d+)?`;
const unit = String.raw`mm(?![²2/³3])|cm(?![²2/³3])|ml|cc|cm³|hu|°(?! ?c\b)|degrees`;
/** "12 mm", "1.2 × 0.8 cm", "1.2 cm x 0.8 cm". All numbers before a unit have this unit. */
const sizes = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/-])(${number}(?:\s{0,3}(?:${unit})?\s{0,3}(?:x|×|by)\s{0,3}${number})*)\s{0,3}(${unit})(?![\p{L}\p{N}])`,
  'giu',
);
/** A range, such as "3-5 mm", is no measurement. */
const range = /\d\s{0,3}(?:-|–|to)\s{0,3}$/i;

/** Words before a number that was not measured in this study: of a prior, a limit, or a setting of the scanner. */
const notMeasured =
  /(?:\b(?:previous(?:ly)?|prior|formerly|was|were|had been|from|initially|earlier|before|since|less than|greater than|more than|at least|at most|up to|under|over|within|below|above|exceed\w*|threshold|criteri\w+|slice|slices|section|thickness|interval\w*|collimation|every|margin|reconstruct\w*|than|than the|normal|upper limit\w*|field of view)\b[^.;,()]{0,20}|[<>≤≥±]\s{0,3})$/i;
/** Words after such a number, or of a distance between two landmarks. */
const notMeasuredBehind =
  /^\s*(?:(?:\(?(?:previously|before|on the prior|in \d{4}|on \d{4}|ago)\b)|(?:thick|thickness|slices?|sections?|intervals?|above|below|from|proximal|distal|cephalad|caudal|deep to|anterior to|posterior to|superior to|inferior to|inside|beyond|or (?:less|more|larger|smaller))\b)/i;
const roughly = /\b(?:approximately|approx\.?|about|around|roughly|nearly|almost|circa|ca\.?)\s{0,3}$|~\s{0,3}$/i;

const writtenIn = (sentence: Sentence): Written[] =>
  Array.from(sentence.text.matchAll(sizes)).flatMap(({ 0: words, 1: numbers = '', 2: unitWord = '', index }) => {
    const before = sentence.text.slice(0, index);
    const behind = sentence.text.slice(index + words.length);
    if (notMeasured.test(before) || range.test(before) || notMeasuredBehind.test(behind)) return [];
    const place = { from: sentence.from + index, to: sentence.from + index + words.length };
    return Array.from(numbers.matchAll(/(-?\d+(?:[.,](\d+))?)\s{0,3}(mm|cm)?/gi)).flatMap(
      ({ 1: digits = '', 2: decimals = '', 3: own }) => {
        const family = familyOf(own ?? unitWord);
        if (!family) return [];
        const value = Number(digits.replace(',', '.')) * family.size;
        const rounding = 0.5 * 10 ** -decimals.length * family.size;
        const tolerance = roughly.test(before) ? Math.max(rounding, Math.abs(value) * 0.1) : rounding;
        return [{ ...place, words, family: family.name, value, tolerance, sentence }];
      },
    );
  });

const measuredIn = ({ measurements }: CheckFacts): Measured[] =>
  measurements.flatMap(({ label, values }) =>
    values.flatMap(({ value, unit: unitWord }) => {
      const family = familyOf(unitWord);
      return family ? [{ label, family: family.name, value: value * family.size, unit: unitWord, shown: value }] : [];
    }),
  );

/** A little more than the rounding, because 12.45 is 12.5 in one program and 12.4 in another. */
const slack = 1.001;

const isSame = (written: Written, measured: Measured): boolean =>
  written.family === measured.family && Math.abs(written.value - measured.value) <= written.tolerance * slack + 1e-6;

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];

/** Whether a sentence names everything that the label of a measurement names. */
const names = ({ text }: Sentence, label: string): boolean => {
  const labelWords = wordsOf(label);
  const words = new Set(wordsOf(text));
  return labelWords.some((word) => /\p{L}{3}/u.test(word)) && labelWords.every((word) => words.has(word));
};

/**
 * Whether a number may be meant as a measurement: up to twice or half of it, or ten times as a slip of unit or decimal
 * point. Other numbers are of something that was not measured.
 */
const mayMean = (written: Written, measured: Measured): boolean => {
  if (written.family !== measured.family || measured.value === 0) return false;
  const ratio = written.value / measured.value;
  const isSlip = [10, 0.1].some((factor) => Math.abs(ratio / factor - 1) < 0.06);
  return isSlip || (written.family === 'length' && ratio >= 0.5 && ratio <= 2);
};

const distance = (written: Written, measured: Measured) => Math.abs(Math.log(written.value / measured.value));

/**
 * Finds numbers that differ from the measurements of the study. Compares with the unit and allows for rounding. A number
 * in a sentence that names the label of a measurement must be one of its values. Any other number raises a warning only
 * if it resembles a measurement that the report quotes nowhere.
 */
export const measurementConflicts = (sentences: readonly Sentence[], facts: CheckFacts): FactConflict[] => {
  const measured = measuredIn(facts);
  if (measured.length === 0) return [];
  const written = sentences
    .filter(
      ({ section, isHeading }) =>
        !isHeading && (section === undefined || section === 'findings' || section === 'impression'),
    )
    .flatMap(writtenIn);
  const quoted = measured.filter((one) => written.some((number_) => isSame(number_, one)));
  const unquoted = measured.filter((one) => !quoted.includes(one));
  const conflicts: { place: Written; measured: Measured }[] = [];
  for (const place of written.filter((number_) => !measured.some((one) => isSame(number_, one)))) {
    const labeled = measured.filter(
      (one) => one.family === place.family && names(place.sentence, one.label) && !isOfOther(place, one, measured),
    );
    const candidates = labeled.length > 0 ? labeled : unquoted.filter((one) => mayMean(place, one));
    const [nearest] = candidates.toSorted((one, other) => distance(place, one) - distance(place, other));
    if (nearest && !conflicts.some((conflict) => conflict.place.from === place.from)) {
      conflicts.push({ place, measured: nearest });
    }
  }
  return conflicts.map(({ place, measured: nearest }) => ({
    kind: 'MEASUREMENT',
    message: messageFor(place.words, nearest),
    place: { from: place.from, to: place.to },
  }));
};

/** Whether the sentence names several measurements, so that the number may be of another one. */
const isOfOther = ({ sentence, family }: Written, { label }: Measured, measured: readonly Measured[]): boolean =>
  measured.some((other) => other.family === family && other.label !== label && names(sentence, other.label));

const messageFor = (words: string, { label, shown, unit: unitWord }: Measured): string => {
  const value = `${Math.round(shown * 10) / 10} ${unitWord}`;
  return label === ''
    ? t`The report says “${words}”. A measurement of this study is ${value}.`
    : t`The report says “${words}”. The measurement “${label}” is ${value}.`;
};
