import { type DicomJson, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';

/**
 * Maximum number of characters. This is far longer than the standard allows, and short enough for an index (PS3.5 §6.2:
 * 64 characters for most texts).
 */
const longestText = 400;

const controlCharacters = /\p{Cc}+/gu;

/** Makes a text valid for a column: PostgreSQL allows no NUL, and lists show no line breaks. */
const columnText = (value: string | undefined): string =>
  value ? value.replaceAll(controlCharacters, ' ').trim().slice(0, longestText).toWellFormed() : '';

/** Returns the first value of an element for a column. Empty when the element has none. */
export const text = (dataset: DicomJson | undefined, keyword: string): string =>
  columnText(dataset && textOf(dataset, keyword));

/**
 * Returns a whole description as one value. Some senders write backslashes in it, such as the "\T\" that HL7 uses for
 * "&". The text before the first backslash alone would name another examination.
 */
export const description = (dataset: DicomJson, keyword: string): string =>
  columnText(
    valuesOf(dataset, keyword)
      .map((value) => (typeof value === 'string' ? value : ''))
      .join('\\'),
  );

/** Returns the first element that is not empty. */
export const firstText = (dataset: DicomJson, ...keywords: readonly string[]): string => {
  for (const keyword of keywords) {
    const value = text(dataset, keyword);
    if (value !== '') return value;
  }
  return '';
};

/** Returns a DICOM name with all its spellings: "Yamada^Tarou=山田^太郎=やまだ^たろう" (PS3.5 §6.2.1). */
export const personName = (dataset: DicomJson, keyword: string): string => {
  const [name] = valuesOf(dataset, keyword);
  if (typeof name !== 'object' || name === null) return text(dataset, keyword);
  const { Alphabetic, Ideographic, Phonetic } = name;
  const spellings = [Alphabetic, Ideographic, Phonetic].map((group) => (typeof group === 'string' ? group : ''));
  return columnText(spellings.join('=').replace(/(?<!=)=+$/, ''));
};

/**
 * Returns the digits of an integer text that does not fit an integer column, without a plus sign and leading zeros.
 * Some devices write an IS of more than 12 characters (PS3.5 §6.2). Empty for every other value.
 */
export const longWholeNumber = (dataset: DicomJson, keyword: string): string => {
  if (wholeNumber(dataset, keyword) !== null) return '';
  const [value] = valuesOf(dataset, keyword);
  return typeof value === 'string' || typeof value === 'number' ? wholeDigits(String(value)).slice(0, longestText) : '';
};

/** Returns the digits of an integer text without a plus sign and leading zeros. Empty when it is no integer. */
export const wholeDigits = (value: string): string => {
  const [, sign, digits] = /^([+-]?)(\d+)$/.exec(value.trim()) ?? [];
  return digits === undefined ? '' : `${sign === '-' ? '-' : ''}${digits.replace(/^0+(?=\d)/, '')}`;
};

/** Returns an integer within the range of its column, or null. */
export const wholeNumber = (dataset: DicomJson, keyword: string): number | null => {
  const value = numberOf(dataset, keyword);
  return value !== undefined && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
};
