import type { Content } from './content.ts';
import { wordsOf } from './inlines.ts';

/** Margins of 2 cm on A4, in points. */
export const margin = 56.7;
export const textWidth = 595.28 - 2 * margin;
export const bodySize = 12;
export const smallSize = 10;
const tinySize = 9;

export const small = (text: string, more: Content = {}): Content => ({
  text: wordsOf(text, { width: textWidth, size: smallSize }),
  fontSize: smallSize,
  ...more,
});

export const tiny = (text: string, more: Content = {}): Content => ({
  text: wordsOf(text, { width: textWidth, size: tinySize }),
  fontSize: tinySize,
  color: '#404040',
  ...more,
});

export const boxLines = { hLineWidth: () => 1, vLineWidth: () => 1, paddingTop: () => 4, paddingBottom: () => 4 };

export const boxed = (words: string): Content => ({
  table: { widths: ['*'], body: [[small(words, { bold: true })]] },
  layout: boxLines,
  margin: [0, 0, 0, 10],
});
