/** First character of the file, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Returns rows as CSV (RFC 4180) for spreadsheets. Puts an apostrophe before text that a spreadsheet would run as a
 * formula. Names and notes are not trusted, because they come from users and files.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/**
 * Matches the start of a formula (OWASP, CSV injection). The sign may be full-width, because East Asian spreadsheets
 * read it like the narrow sign. Blanks or invisible characters may precede the sign, because some spreadsheets remove
 * them. A formula may also start inside a text, because some spreadsheets split at another separator, at a quote or at
 * each line.
 */
const formula = /^(?=[\s\p{C}]*[=+\-@＝＋－＠]|[\t\r\n])|(?<=[;\t\r\n])(?=[[\s\p{C}"]--[\t\r\n]]*[=+\-@＝＋－＠])/gv;

const cell = (value: string | number): string => {
  const text = String(value);
  const safe = typeof value === 'string' ? text.replaceAll(formula, "'") : text;
  return `"${safe.replaceAll('"', '""')}"`;
};
