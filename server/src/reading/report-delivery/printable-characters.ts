import { t } from '@radwork/contract/core/translate';
import { displayName } from '@radwork/dicom/person-name';
import { conflict, invalid } from '#core/http/problem.ts';
import { missingCharacters } from './pdf/fonts.ts';
import { rebuildReportHtml } from '#reading/report-records/report-html.ts';

/**
 * Maximum number of letters that one message names. If there are more letters, the message at the next attempt names
 * the others.
 */
const mostNamed = 10;

/**
 * Refuses a text with letters that no font for reports contains, because they would be printed as boxes. Throws 422
 * with these letters.
 */
export const refuseUnprintableText = (content: string): void => {
  const missing = missingCharacters(rebuildReportHtml(content).text);
  if (missing.length > 0) {
    throw invalid({ content: t`These characters cannot be printed: ${named(missing)}. Replace them.` });
  }
};

/**
 * Refuses a statement of identity with letters that cannot be printed, because the statement is printed next to the
 * signature. Throws 422 with these letters.
 */
export const refuseUnprintableStatement = (statement: string): void => {
  const missing = missingCharacters(statement);
  if (missing.length > 0) {
    throw invalid({
      identityStatement: t`These characters cannot be printed: ${named(missing)}. Replace them.`,
    });
  }
};

/** Refuses to sign for a patient whose name would be printed as boxes. `name` is a DICOM person name. */
export const refuseUnprintableName = (name: string): void => {
  const missing = missingCharacters(displayName(name));
  if (missing.length > 0) {
    const characters = named(missing);
    throw conflict(
      'report.name_not_printable',
      t`The patient name has characters that cannot be printed: ${characters}. Ask an administrator to change the name.`,
    );
  }
};

const named = (characters: readonly string[]): string =>
  characters
    .slice(0, mostNamed)
    .map((character) => `“${character}” (${codePointOf(character)})`)
    .join(', ');

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
