import { type ReportSection, reportSections, sectionNames } from '@radwork/contract/reading/report-sections';
import { labelsBeforeColon, type SpokenSign, spoken } from './dictation-commands.ts';
import { type DictationLanguage, tongueOf } from './dictation-languages.ts';

/** Dictated words or a command. */
export type Dictated =
  | { kind: 'text'; text: string }
  | { kind: 'section'; section: ReportSection }
  | { kind: 'macro'; name: string }
  | { kind: 'deleteThat' | 'nextField' | 'stopDictation' };

/**
 * Parses one utterance. Names of sections and macros are commands only if nothing else is said. Other commands may also
 * end an utterance. "Delete that" at the end removes the words before it.
 */
export const readUtterance = (utterance: string, language: DictationLanguage): Dictated[] => {
  const words = utterance.trim().replaceAll(/\s+/g, ' ');
  const command = wholeCommand(bare(words), language);
  if (command) return [command];
  for (const kind of ['stopDictation', 'nextField', 'deleteThat'] as const) {
    const rest = beforeEnding(words, kind, language);
    if (rest === undefined) continue;
    if (kind === 'deleteThat') return [];
    return [{ kind: 'text', text: withSigns(rest, language) }, { kind }];
  }
  const text = withSigns(words, language);
  return text === '' ? [] : [{ kind: 'text', text }];
};

/** Removes the punctuation that an engine adds at the end. */
const bare = (words: string) => words.replace(/(?<![\s.!?,。！？，])[\s.!?,。！？，]+$/, '').toLowerCase();

const wholeCommand = (words: string, language: DictationLanguage): Dictated | undefined => {
  const tongue = tongueOf(language);
  const commands = spoken[tongue];
  for (const kind of ['stopDictation', 'nextField', 'deleteThat'] as const) {
    if (commands[kind].some((phrase) => phrase.toLowerCase() === words)) return { kind };
  }
  const section = reportSections.find((part) => sectionNames[tongue][part].includes(words));
  if (section) return { kind: 'section', section };
  for (const phrase of commands.insertMacro) {
    const start = phrase.toLowerCase();
    const name = words.startsWith(start) ? words.slice(start.length) : '';
    if (name.trim() !== '' && (tongue === 'zh' || name.startsWith(' '))) return { kind: 'macro', name: name.trim() };
  }
  return undefined;
};

const beforeEnding = (
  words: string,
  kind: 'stopDictation' | 'nextField' | 'deleteThat',
  language: DictationLanguage,
): string | undefined => {
  const tongue = tongueOf(language);
  const trimmed = words.replace(/(?<![\s.!?。！？])[\s.!?。！？]+$/, '');
  for (const phrase of spoken[tongue][kind]) {
    const rest = trimmed.slice(0, -phrase.length);
    const isEnd = trimmed.toLowerCase().endsWith(phrase.toLowerCase());
    if (isEnd && (tongue === 'zh' || /[\s,.]$/.test(rest))) return rest.trim();
  }
  return undefined;
};

type FoundSign = SpokenSign & { at: number; length: number };

const escaped = (phrase: string) => phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Finds the names of marks in the text. If several match, the longest is used. */
const signsIn = (words: string, language: DictationLanguage): FoundSign[] => {
  const tongue = tongueOf(language);
  const phrases = spoken[tongue].signs.flatMap((sign) => sign.says.map((phrase) => ({ sign, phrase })));
  phrases.sort((one, other) => other.phrase.length - one.phrase.length);
  const names = phrases.map(({ phrase }) => escaped(phrase)).join('|');
  const pattern =
    tongue === 'zh'
      ? new RegExp(names, 'giu')
      : new RegExp(`(?<![\\p{L}\\p{N}-])(?:${names})(?![\\p{L}\\p{N}-])`, 'giu');
  return Array.from(words.matchAll(pattern), ({ 0: match, index }) => {
    const sign = phrases.find(({ phrase }) => phrase.toLowerCase() === match.toLowerCase());
    return sign && { ...sign.sign, at: index, length: match.length };
  }).filter((sign) => sign !== undefined);
};

/** Longest neighboring word to consider, in characters. Limits the work for each mark. */
const longestNeighbor = 64;
const wordBefore = (text: string) =>
  /(?<![\p{L}\p{N}'-])([\p{L}\p{N}'-]+)[^\p{L}\p{N}]*$/u.exec(text.slice(-longestNeighbor))?.[1]?.toLowerCase() ?? '';
const wordBehind = (text: string) => /^[^\p{L}\p{N}]*([\p{L}\p{N}'-]+)/u.exec(text)?.[1]?.toLowerCase() ?? '';

/**
 * Whether a name means a mark, judged by its context. `read` is the text before the name, with its marks already
 * converted.
 */
const isSign = (sign: FoundSign, read: string, behind: string, language: DictationLanguage): boolean => {
  if (read === '' && behind.trim() === '') return true;
  if (sign.notAfter?.includes(wordBefore(read)) || sign.notBefore?.includes(wordBehind(behind))) return false;
  if (sign.onlyBeforePause && !isBeforePause(behind, language)) return false;
  return !sign.onlyAfterLabel || isLabel(read, language);
};

/** Whether an utterance ends here or continues with a mark or a new sentence. */
const isBeforePause = (behind: string, language: DictationLanguage): boolean => {
  const rest = behind.replace(/^[\s.,;:!?]+/, '');
  return rest === '' || /^\p{Lu}\p{Ll}/u.test(rest) || signsIn(rest, language)[0]?.at === 0;
};

const isLabel = (read: string, language: DictationLanguage): boolean => {
  const sentence =
    read
      .split(/[.!?]\s|\n/)
      .at(-1)
      ?.trim()
      .toLowerCase() ?? '';
  const tongue = tongueOf(language);
  return (
    labelsBeforeColon.includes(sentence) || reportSections.some((part) => sectionNames[tongue][part].includes(sentence))
  );
};

/** Replaces names of marks by the marks, with the correct spaces. */
const withSigns = (words: string, language: DictationLanguage): string => {
  let text = '';
  let at = 0;
  for (const sign of signsIn(words, language)) {
    const behind = words.slice(sign.at + sign.length);
    const read = joined(text, words.slice(at, sign.at), language);
    if (!isSign(sign, read, behind, language)) continue;
    text = withSign(read, sign.sign, behind, language);
    at = sign.at + sign.length + markBehind(behind).length;
  }
  return capitalised(joined(text, words.slice(at), language));
};

/** Returns the mark that a recognizer with punctuation has added after a spoken mark, as in "new paragraph. The". */
const markBehind = (behind: string): string => /^[.,;:!?。，；：？！]+(?=\s|$)/.exec(behind)?.[0] ?? '';

const joined = (text: string, more: string, language: DictationLanguage): string => {
  const words = more.trim();
  if (words === '') return text;
  const needsSpace = text !== '' && tongueOf(language) !== 'zh' && !/[\n(¿]$/.test(text) && !isInNumber(text, words);
  return `${text}${needsSpace ? ' ' : ''}${words}`;
};

/** Whether a mark lies inside a number, as in "3 comma 5". */
const isInNumber = (text: string, words: string) => /\d[.,]$/.test(text) && /^\d/.test(words);

const withSign = (text: string, sign: string, behind: string, language: DictationLanguage): string => {
  if (/^[(¿]$/.test(sign)) return text === '' || /[\n(]$/.test(text) ? text + sign : `${text} ${sign}`;
  // Removes a mark that the engine has added in the same place.
  const before = /^[.,;:?。，；：？]/.test(sign) ? text.replace(/(?<!\s)\s*[.,;:?!。，；：？！]$/, '') : text.trimEnd();
  const isDecimal = sign === '.' && /\d$/.test(before) && /^\s*\d/.test(behind) && before === text;
  if (isDecimal) return `${before}.`;
  // French puts a space before these marks (Imprimerie nationale).
  const space = tongueOf(language) === 'fr' && /^[;:?]$/.test(sign) && before !== '' ? '\u00A0' : '';
  return `${before}${space}${sign}`;
};

/** Longest abbreviation, including the mark before it, in characters. */
const longestAbbreviation = 12;
const abbreviation = /(?:^|[\s(])(?:e\.g|i\.e|approx|vs|cf|ca|bzw|z\.\s?B|p\.\s?ex|etc|fig|no|nr|dr|st)\.$/i;

/**
 * Capitalizes after each sentence end and break. The first letter is handled later, because it depends on the insertion
 * point.
 */
const capitalised = (text: string): string =>
  text.replaceAll(/([.!?]\s+|(?<!\n)\n+)(\p{Ll})/gu, (match, end: string, letter: string, at: number) =>
    abbreviation.test(text.slice(Math.max(0, at - longestAbbreviation), at + 1)) ? match : end + letter.toUpperCase(),
  );
