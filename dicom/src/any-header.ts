/** One element of a header, as the browser or the server has it. */
type Element = {
  readonly vr: string;
  readonly Value?: readonly unknown[];
  InlineBinary?: string;
  BulkDataURI?: string;
};

/**
 * A header in DICOM JSON by tags. The browser reads it without the dictionary, which would be a large download.
 */
export type AnyHeader = { readonly [tag: string]: Element };

/** All values of an element as numbers. A value that is not a number becomes NaN. */
export const numbersIn = (header: AnyHeader, tag: string): number[] =>
  (header[tag]?.Value ?? []).map((value) =>
    typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : NaN,
  );

/** One value of an element as a number. */
export const numberIn = (header: AnyHeader, tag: string, at = 0): number | undefined => {
  const number = numbersIn(header, tag)[at];
  return Number.isFinite(number) ? number : undefined;
};

/** All values of an element that are text, without padding. */
export const textsIn = (header: AnyHeader, tag: string): string[] =>
  (header[tag]?.Value ?? []).flatMap((value) => (typeof value === 'string' ? value.trim() : []));

/** The first value of an element as text; '' if it has none. */
export const textIn = (header: AnyHeader, tag: string): string => textsIn(header, tag)[0] ?? '';

/** The items of a sequence. */
export const itemsIn = (header: AnyHeader, tag: string): AnyHeader[] =>
  (header[tag]?.Value ?? []).filter((value): value is AnyHeader => typeof value === 'object' && value !== null);
