/** Value representations with a 32-bit length in an explicit VR header (PS3.5 §7.1.2). */
const longVrs = new Set('OB OD OF OL OV OW SQ SV UC UN UR UT UV'.split(' '));

const shortVrs = new Set('AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US'.split(' '));

export const vrs: readonly string[] = [...longVrs, ...shortVrs];

const byNumber = new Map(vrs.map((vr) => [vr.charCodeAt(0) * 256 + vr.charCodeAt(1), vr]));

/** Converts two bytes to the text of a VR, first byte high. Invalid VRs are returned too. */
export const vrOfNumber = (number: number): string =>
  byNumber.get(number) ?? String.fromCharCode(number >> 8, number & 0xff);

/** Sizes of the words that are reversed together in big endian. */
const wordSizes = new Map([
  ...'AT OW SS US'.split(' ').map((vr) => [vr, 2] as const),
  ...'FL OF OL SL UL'.split(' ').map((vr) => [vr, 4] as const),
  ...'FD OD OV SV UV'.split(' ').map((vr) => [vr, 8] as const),
]);

const binaryVrs = new Set('OB OD OF OL OV OW UN'.split(' '));

export const isVr = (text: string): boolean => shortVrs.has(text) || longVrs.has(text);

export const hasLongLength = (vr: string): boolean => longVrs.has(vr);

export const wordSizeOf = (vr: string): number => wordSizes.get(vr) ?? 1;

/** Whether DICOM JSON writes the value as bytes (PS3.18 §F.2.3). */
export const isBinary = (vr: string): boolean => binaryVrs.has(vr);

/** The length field of a sequence, item or encapsulated pixel data that ends with a delimiter (PS3.5 §7.5). */
export const undefinedLength = 0xffff_ffff;

export const itemTag = 'FFFEE000';
export const itemDelimitationTag = 'FFFEE00D';
export const sequenceDelimitationTag = 'FFFEE0DD';
