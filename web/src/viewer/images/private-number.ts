import type { DicomJson } from './dicom-json.ts';

/**
 * A number that a maker keeps in a private block (PS3.5 §7.8.1): in `group`, reserved by the name `creator`, at `element`
 * of 0 to 255. Where the file does not say of what kind it is, the number comes as the bytes of its text.
 */
export const privateNumber = (
  header: DicomJson,
  group: string,
  creator: string,
  element: number,
): number | undefined => {
  const block = blocks.find((one) => isText(header[`${group}00${one}`]?.Value?.[0], creator));
  if (!block) return undefined;
  const found = header[`${group}${block}${hexadecimal(element)}`];
  const value = found?.Value?.[0] ?? (found?.InlineBinary ? atob(found.InlineBinary) : undefined);
  // An even number of bytes is reached with a space or a zero.
  const number = typeof value === 'string' ? Number(value.replaceAll('\0', ' ').trim() || Number.NaN) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

const hexadecimal = (number: number): string => number.toString(16).toUpperCase().padStart(2, '0');

/** Where a maker may have reserved its block. */
const blocks = Array.from({ length: 0xf0 }, (_, index) => hexadecimal(index + 0x10));

const isText = (value: unknown, expected: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === expected.toLowerCase();
