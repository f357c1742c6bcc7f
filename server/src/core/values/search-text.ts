import { type RawBuilder, sql } from 'kysely';

/**
 * SQL condition that a lower-case column contains the entered text. % and _ have no special meaning. The database
 * converts the text to lower case, because JavaScript converts some letters differently (İ, final Σ).
 */
export const containsText = (column: string, text: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like lower(${anywhere(text)})`;

/** Minimum length of a text that the trigram index finds quickly. For a shorter text, the whole index would be read. */
const lengthOfTrigram = 3;

/** Returns the same condition for a column without case and accents (fold_text in migration 0080). */
export const containsFoldedText = (column: string | RawBuilder<string>, text: string): RawBuilder<boolean> => {
  const value = typeof column === 'string' ? sql.ref(column) : column;
  const searched = text.length < lengthOfTrigram ? sql`(${value} || '')` : value;
  return sql`${searched} like fold_text(${anywhere(text)})`;
};

const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Returns the words of the entered text. Names may be entered as shown, "Doe, John", or as in DICOM, "Doe^John". */
export const searchWordsOf = (text: string): string[] => text.split(/[\s,^=]+/).filter((word) => word !== '');
