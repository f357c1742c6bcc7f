import { type RawBuilder, sql } from 'kysely';

/**
 * The condition that a lower-cased column holds what somebody typed. Their % and _ mean themselves, and the
 * database lower-cases them, since JavaScript does it otherwise for some letters (İ, Σ at the end of a word).
 */
export const holdsText = (column: string, text: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like lower(${anywhere(text)})`;

/** The same of a column without case and accents (fold_text of migration 0080), however somebody typed them. */
export const holdsFolded = (column: string, text: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like fold_text(${anywhere(text)})`;

const anywhere = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** The words of what somebody typed: a name is typed as it is shown, "Doe, John", or as DICOM writes it, "Doe^John". */
export const wordsTyped = (text: string): string[] => text.split(/[\s,^=]+/).filter((word) => word !== '');
