/** Colors in which a browser reads a JPEG. */
export type JpegColors = 'rgb' | 'ybr' | 'gray' | 'other';

const startOfFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const startsWith = (bytes: Uint8Array, at: number, text: string): boolean =>
  Array.from(text).every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/**
 * Returns the colors in which browsers read a JPEG with three components, by the rules of libjpeg. A JFIF segment means
 * luminance and chrominance. Otherwise Adobe's segment decides, and without it the names of the components. Undefined
 * for bytes that are not a JPEG.
 */
export const jpegColorsOf = (bytes: Uint8Array): JpegColors | undefined => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined;
  let isJfif = false;
  let adobeTransform: number | undefined;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    const content = at + 4;
    if (marker === 0xe0 && startsWith(bytes, content, 'JFIF')) isJfif = true;
    if (marker === 0xee && startsWith(bytes, content, 'Adobe')) adobeTransform = bytes[content + 11];
    if (startOfFrame(marker)) {
      const components = bytes[content + 5] ?? 0;
      if (components === 1) return 'gray';
      if (components !== 3) return 'other';
      if (isJfif) return 'ybr';
      if (adobeTransform !== undefined) return adobeTransform === 0 ? 'rgb' : 'ybr';
      const names = [0, 1, 2].map((index) => String.fromCharCode(bytes[content + 6 + 3 * index] ?? 0)).join('');
      return names === 'RGB' ? 'rgb' : 'ybr';
    }
    at += 2 + length;
  }
  return undefined;
};
