import { sectionOfHeading } from '@radwork/contract/reading/report-sections';
import { type DictationLanguage, tongueOf } from './dictation-languages.ts';

/** Text of the paragraph before and after the insertion point. */
export type Surroundings = { before: string; after: string; isHeading: boolean };

/** Text to insert, and the number of characters before it to replace. */
export type FittedText = { text: string; eats: number };

const sentenceEnd = /[.!?:。！？：]["”’)\]]?$/;
const endsItself = /[.!?:;,…。！？：；，]$/;
const beginsWithSign = /^[.,;:?!)。，；：？！）]/;

/**
 * Fits dictated words into their context. On an empty line, the words get a capital and a full stop. Inside a sentence
 * they get neither: the case stays as dictated, because names and German nouns have capitals. A heading gets no full
 * stop.
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
  const texts = parts.map((part, index) => {
    if (part === '' || part.startsWith('\n')) return part;
    const capitalized = index > 0 || isAtStart ? withCapital(part) : part;
    isAtStart ||= index > 0;
    const open = index === 0 ? stood + part : part;
    if (isHeading || isUnfinished(open) || (index !== last && sectionOfHeading(part))) return capitalized;
    const goesOn = index === last && after.trim() !== '' && !(isAtStart && beginsSentence(after, language));
    return goesOn ? capitalized : withStop(capitalized, language);
  });
  const isSpaced = tongueOf(language) !== 'zh';
  const eats = beginsWithSign.test(text) && !text.startsWith(')') ? eatenBy(before, text) : 0;
  const remaining = before.slice(0, before.length - eats);
  const leadingSpace = isSpaced && needsSpace(remaining, text) ? ' ' : '';
  const tail = isSpaced && needsSpace(text, after) && text !== '' ? ' ' : '';
  return { text: leadingSpace + texts.join('') + tail, eats };
};

/** Capitalizes the first letter, unless the first word has inner capitals, such as pH or mRS. */
const withCapital = (part: string): string =>
  /^\p{Ll}\p{Lu}/u.test(part) ? part : part.charAt(0).toUpperCase() + part.slice(1);

const withStop = (part: string, language: DictationLanguage): string =>
  endsItself.test(part) ? part : part + (tongueOf(language) === 'zh' ? '。' : '.');

/** Whether a bracket is still open, so that no sentence can end here. */
const isUnfinished = (text: string) => text.split(/[(（]/).length > text.split(/[)）]/).length;

const beginsSentence = (after: string, language: DictationLanguage) =>
  tongueOf(language) === 'zh' || /^\s*\p{Lu}/u.test(after);

const needsSpace = (before: string, behind: string): boolean =>
  before !== '' && behind !== '' && !/[\s([{“"‘¿/-]$/u.test(before) && !/^[\s.,;:?!)\]}”’]/u.test(behind);

/** Returns the number of characters before the insertion point to replace. A dictated mark replaces a full stop. */
const eatenBy = (before: string, text: string): number => {
  const end = /[.。]?(?<!\s)\s*$/.exec(before)?.[0] ?? '';
  return end.trim() === '' && !/^[.,;:?!]/.test(text) ? 0 : end.length;
};
