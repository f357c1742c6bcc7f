import { sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { type DictationLanguage, tongueOf } from './dictation-languages.ts';

/** Text of the paragraph before and after the insertion point. */
export type Surroundings = { before: string; after: string; isHeading: boolean };

/** Text to insert, and number of characters before it that it replaces. */
export type FittedText = { text: string; eats: number };

const sentenceEnd = /[.!?:。！？：]["”’)\]]?$/;
const endsItself = /[.!?:;,…。！？：；，]$/;
const beginsWithSign = /^[.,;:?!)。，；：？！）]/;

/**
 * Fits dictated words into their context. On an empty line, an utterance gets a capital and a full stop. Inside a
 * sentence it gets neither, and its case stays, because names and German nouns have capitals. A heading is no sentence.
 */
export const fitDictatedText = (
  text: string,
  { before, after, isHeading }: Surroundings,
  language: DictationLanguage,
): FittedText => {
  const stood = before.trimEnd();
  const parts = text.split(/(\n+)/);
  const last = parts.length - 1;
  let isAtStart = stood === '' || sentenceEnd.test(stood);
  const written = parts.map((part, index) => {
    if (part === '' || part.startsWith('\n')) return part;
    const begun = index > 0 || isAtStart ? withCapital(part) : part;
    isAtStart ||= index > 0;
    const open = index === 0 ? stood + part : part;
    if (isHeading || isUnfinished(open) || (index !== last && sectionOfHeading(part))) return begun;
    const goesOn = index === last && after.trim() !== '' && !(isAtStart && beginsSentence(after, language));
    return goesOn ? begun : withStop(begun, language);
  });
  const isSpaced = tongueOf(language) !== 'zh';
  const eats = beginsWithSign.test(text) && !text.startsWith(')') ? eatenBy(before, text) : 0;
  const kept = before.slice(0, before.length - eats);
  const lead = isSpaced && needsSpace(kept, text) ? ' ' : '';
  const tail = isSpaced && needsSpace(text, after) && text !== '' ? ' ' : '';
  return { text: lead + written.join('') + tail, eats };
};

/** Keeps words with inner capitals, such as pH or mRS. */
const withCapital = (part: string): string =>
  /^\p{Ll}\p{Lu}/u.test(part) ? part : part.charAt(0).toUpperCase() + part.slice(1);

const withStop = (part: string, language: DictationLanguage): string =>
  endsItself.test(part) ? part : part + (tongueOf(language) === 'zh' ? '。' : '.');

/** No sentence ends inside an open bracket. */
const isUnfinished = (text: string) => text.split(/[(（]/).length > text.split(/[)）]/).length;

const beginsSentence = (after: string, language: DictationLanguage) =>
  tongueOf(language) === 'zh' || /^\s*\p{Lu}/u.test(after);

const needsSpace = (before: string, behind: string): boolean =>
  before !== '' && behind !== '' && !/[\s([{“"‘¿/-]$/u.test(before) && !/^[\s.,;:?!)\]}”’]/u.test(behind);

/** Counts the characters to replace: a full stop gives way to a dictated mark. */
const eatenBy = (before: string, text: string): number => {
  const end = /[.。]?(?<!\s)\s*$/.exec(before)?.[0] ?? '';
  return end.trim() === '' && !/^[.,;:?!]/.test(text) ? 0 : end.length;
};
