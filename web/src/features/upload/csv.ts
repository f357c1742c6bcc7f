/**
 * A table as CSV (RFC 4180) for spreadsheets. A cell that a spreadsheet would take for a formula gets an apostrophe
 * in front: names come from files, and files from anywhere.
 */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

const cell = (value: string | number): string => {
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};

/** Hands a text to the person as a file. */
export const saveAs = (name: string, text: string) => {
  const link = document.createElement('a');
  // The mark tells spreadsheets that this is UTF-8.
  link.href = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};
