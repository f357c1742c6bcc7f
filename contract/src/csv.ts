/** Tells spreadsheets that what follows is UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Rows as CSV (RFC 4180) for spreadsheets. What a spreadsheet would take for a formula gets an apostrophe in front
 * (D-28): names and notes come from files and people, and files from anywhere.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/**
 * Where a formula begins, in wide forms too, which spreadsheets of East Asian languages read as the narrow ones; also
 * before blanks and marks that are not seen, which some of them take away first (OWASP, CSV injection). One whose
 * separator is not the comma, or that reads line by line, begins cells within a text, and a quote there opens one.
 */
const formula = /^(?=[\s\p{C}]*[=+\-@＝＋－＠]|[\t\r\n])|(?<=[;\t\r\n])(?=[[\s\p{C}"]--[\t\r\n]]*[=+\-@＝＋－＠])/gv;

const cell = (value: string | number): string => {
  const text = String(value);
  const safe = typeof value === 'string' ? text.replaceAll(formula, "'") : text;
  return `"${safe.replaceAll('"', '""')}"`;
};
