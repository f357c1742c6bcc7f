/**
 * A day or range of days, written as "2026-11-21", "20261121", "20261101-20261121" or "-20261121". `from` and `to` are
 * "yyyy-MM-dd".
 */
export type DayRange = { from?: string; to?: string };

const day = (text: string): string | undefined => {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(text) ?? [];
  if (!year || !month || !date) return undefined;
  const iso = `${year}-${month}-${date}`;
  // Rejects an impossible date such as February 31.
  return new Date(`${iso}T00:00:00Z`).toISOString().startsWith(iso) ? iso : undefined;
};

const safeDay = (text: string): string | undefined => {
  try {
    return day(text);
  } catch {
    return undefined;
  }
};

/** Parses a date, a DICOM date or a DICOM date range (PS3.4 C.2.2.2.5). Undefined if invalid. */
export const readDayRange = (text: string): DayRange | undefined => {
  const single = safeDay(text);
  if (single) return { from: single, to: single };
  const [, first = '', last = ''] = /^(\d{4}-\d{2}-\d{2}|\d{8})?-(\d{4}-\d{2}-\d{2}|\d{8})?$/.exec(text) ?? [];
  if (!first && !last) return undefined;
  const [from, to] = [safeDay(first), safeDay(last)];
  if ((first && !from) || (last && !to)) return undefined;
  return { ...(from && { from }), ...(to && { to }) };
};
