import { type DicomJson, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';

/** Far more than the standard allows any of these, and little enough for an index (PS3.5 §6.2: 64 characters for most). */
const longestText = 400;

const controlCharacters = /\p{Cc}+/gu;

/** What a column can hold: PostgreSQL has no NUL in text, and nobody reads line breaks in a list. */
const columnText = (value: string | undefined): string =>
  value ? value.replaceAll(controlCharacters, ' ').trim().slice(0, longestText).toWellFormed() : '';

/** The first value of an element as a column holds it; empty when there is none. */
export const text = (dataset: DicomJson | undefined, keyword: string): string =>
  columnText(dataset && textOf(dataset, keyword));

/**
 * A description as a whole. It has one value, but some senders write backslashes in it, such as the "\T\" that HL7 has
 * for "&": the first piece alone would be another examination.
 */
export const description = (dataset: DicomJson, keyword: string): string =>
  columnText(
    valuesOf(dataset, keyword)
      .map((value) => (typeof value === 'string' ? value : ''))
      .join('\\'),
  );

/** The first of several elements that is not empty. */
export const firstText = (dataset: DicomJson, ...keywords: readonly string[]): string => {
  for (const keyword of keywords) {
    const value = text(dataset, keyword);
    if (value !== '') return value;
  }
  return '';
};

/** A name as DICOM writes it, with all of the spellings it has: "Yamada^Tarou=山田^太郎=やまだ^たろう" (PS3.5 §6.2.1). */
export const personName = (dataset: DicomJson, keyword: string): string => {
  const [name] = valuesOf(dataset, keyword);
  if (typeof name !== 'object' || name === null) return text(dataset, keyword);
  const { Alphabetic, Ideographic, Phonetic } = name;
  const spellings = [Alphabetic, Ideographic, Phonetic].map((group) => (typeof group === 'string' ? group : ''));
  return columnText(spellings.join('=').replace(/(?<!=)=+$/, ''));
};

/** A whole number that fits its column, or null. */
export const wholeNumber = (dataset: DicomJson, keyword: string): number | null => {
  const value = numberOf(dataset, keyword);
  return value !== undefined && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
};
