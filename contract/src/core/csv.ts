/** Marks the file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF';

/**
 * Rows as CSV (RFC 4180) for spreadsheets. Text that a spreadsheet would run as a formula gets an apostrophe in front
 * (D-28). Names and notes come from users and files, so they are not trusted.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/**
 * Matches the start of a formula (OWASP, CSV injection). It may be a full-width sign, which East Asian spreadsheets
 * read as the narrow one. It may follow blanks or invisible characters, which some spreadsheets remove. Spreadsheets
 * that split at another separator or line by line start cells inside a text, also with a quote.
 */
const formula = /^(?=[\s\p{C}]*[=+\-@＝＋－＠]|[\t\r\n])|(?<=[;\t\r\n])(?=[[\s\p{C}"]--[\t\r\n]]*[=+\-@＝＋－＠])/gv;

const cell = (value: string | number): string => {
  const text = String(value);
  const safe = typeof value === 'string' ? text.replaceAll(formula, "'") : text;
  return `"${safe.replaceAll('"', '""')}"`;
};
