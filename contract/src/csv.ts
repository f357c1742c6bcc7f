/** Tells spreadsheets that what follows is UTF-8. */
export const byteOrderMark = '\uFEFF';

/**
 * Rows as CSV (RFC 4180) for spreadsheets. A cell that a spreadsheet would take for a formula gets an apostrophe in
 * front (D-28): names and notes come from files and people, and files from anywhere.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/**
 * What begins a formula, in wide forms too, which spreadsheets of East Asian languages read as the narrow ones; also
 * behind blanks and marks that are not seen, which some of them take away first (OWASP, CSV injection).
 */
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

const cell = (value: string | number): string => {
  const text = String(value);
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};
