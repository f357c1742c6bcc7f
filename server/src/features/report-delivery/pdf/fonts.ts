import { createRequire } from 'node:module';
import { type FontFace, readFontFace } from './font-face.ts';

/*
 * Tinos has the widths of Times New Roman, with Latin, Greek and Cyrillic; ZCOOL XiaoWei has the Chinese characters
 * that it lacks, in one weight. Both are free to be embedded (SIL Open Font License).
 */

export type FontName = 'Tinos' | 'XiaoWei';

const { resolve } = createRequire(import.meta.url);
const tinos = (folder: string, file: string) => resolve(`@expo-google-fonts/tinos/${folder}/Tinos_${file}.ttf`);
const xiaoWei = resolve('@expo-google-fonts/zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf');

/** The files of the fonts, as pdfmake wants them named. */
export const fontFiles = {
  Tinos: {
    normal: tinos('400Regular', '400Regular'),
    bold: tinos('700Bold', '700Bold'),
    italics: tinos('400Regular_Italic', '400Regular_Italic'),
    bolditalics: tinos('700Bold_Italic', '700Bold_Italic'),
  },
  XiaoWei: { normal: xiaoWei, bold: xiaoWei, italics: xiaoWei, bolditalics: xiaoWei },
};

export const isFontFile = (path: string): boolean =>
  Object.values(fontFiles).some((styles) => Object.values(styles).includes(path));

const faces: readonly [FontName, FontFace][] = [
  ['Tinos', readFontFace(fontFiles.Tinos.normal)],
  ['XiaoWei', readFontFace(xiaoWei)],
];
/** The bold face is the widest: what fits in it fits in all. */
const widest = readFontFace(fontFiles.Tinos.bold);

/** What stands for a character that no font has, so that it is seen to be missing. */
const replacement = '\u{fffd}';

/** Characters without a shape: leaving one out loses nothing. */
const shapeless = /[\p{Cf}\p{Variation_Selector}]/u;

export type Run = { text: string; font: FontName };

/** A text cut where it changes from one font to the other. Joined again, the runs are the text as it can be shown. */
export const runsOf = (text: string): Run[] => {
  const runs: Run[] = [];
  for (const character of text.normalize('NFC')) {
    const run = runOf(character);
    const last = runs.at(-1);
    if (last?.font === run.font) last.text += run.text;
    else if (run.text !== '') runs.push(run);
  }
  return runs;
};

const runOf = (character: string): Run => {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x20) return { text: character, font: 'Tinos' };
  const [font] = faces.find(([, face]) => face.covers(codePoint)) ?? [];
  if (font) return { text: character, font };
  return { text: shapeless.test(character) ? '' : replacement, font: 'Tinos' };
};

/** How wide a text is at most, in points. */
export const widthOf = (text: string, size: number): number => {
  let width = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    width += widest.covers(codePoint) ? widest.advance(codePoint) : 1;
  }
  return width * size;
};

/** Where a line may end although nothing is seen there. */
const breakHere = '\u{200b}';

/** The text with places to break it in words that are wider than a line: what does not fit would stand off the paper. */
export const breakable = (text: string, line: number, size: number): string =>
  text.replaceAll(/\S+/gu, (word) => (widthOf(word, size) <= line ? word : brokenWord(word, line, size)));

const brokenWord = (word: string, line: number, size: number): string => {
  const pieces: string[] = [''];
  let width = 0;
  for (const character of word) {
    width += widthOf(character, size);
    if (width > line && pieces.at(-1) !== '') {
      pieces.push('');
      width = widthOf(character, size);
    }
    pieces[pieces.length - 1] += character;
  }
  return pieces.join(breakHere);
};
