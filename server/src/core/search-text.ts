import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that a lower-cased column holds what somebody typed. Their % and _ mean themselves, and the
 * database lower-cases them, since JavaScript does it otherwise for some letters (İ, Σ at the end of a word).
 */
export const holdsText = (column: string, text: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like lower(${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`})`;

/** The words of what somebody typed: a name is typed as it is shown, "Doe, John", or as DICOM writes it, "Doe^John". */
export const wordsTyped = (text: string): string[] => text.split(/[\s,^=]+/).filter((word) => word !== '');
