import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';

/**
 * Reads a number from a private block (PS3.5 §7.8.1). `creator` is the private creator that reserved the block in
 * `group`; `element` is 0 to 255. If the VR is unknown, the number arrives as the bytes of its text.
 */
export const privateNumber = (
  header: DicomJson,
  group: string,
  creator: string,
  element: number,
): number | undefined => {
  const block = blocks.find((one) => isText(header[`${group}00${one}`]?.Value?.[0], creator));
  if (!block) return undefined;
  const attribute = header[`${group}${block}${hexadecimal(element)}`];
  const value = attribute?.Value?.[0] ?? (attribute?.InlineBinary ? atob(attribute.InlineBinary) : undefined);
  // Removes the space or zero that pads a value to even length.
  const number = typeof value === 'string' ? Number(value.replaceAll('\0', ' ').trim() || Number.NaN) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
};

const hexadecimal = (number: number): string => number.toString(16).toUpperCase().padStart(2, '0');

/** Numbers of the blocks that a private creator can reserve. */
const blocks = Array.from({ length: 0xf0 }, (_, index) => hexadecimal(index + 0x10));

const isText = (value: unknown, expected: string): boolean =>
  typeof value === 'string' && value.trim().toLowerCase() === expected.toLowerCase();
