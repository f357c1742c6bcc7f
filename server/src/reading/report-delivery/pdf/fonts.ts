import { createRequire } from 'node:module';
import { type FontFace, readFontFace } from './font-face.ts';

/*
 * Tinos has the widths of Times New Roman, with Latin, Greek, Cyrillic and Hebrew letters. Cactus has Chinese
 * characters, kana and full-width forms in one weight. Every other writing system has its own font. All fonts may be
 * embedded (SIL Open Font License).
 */

const { resolve } = createRequire(import.meta.url);

type Styles = { normal: string; bold: string; italics: string; bolditalics: string };

const fileOf = (folder: string, name: string, style: string): string =>
  resolve(`@expo-google-fonts/${folder}/${style}/${name}_${style}.ttf`);

const fourStyles = (folder: string, name: string): Styles => ({
  normal: fileOf(folder, name, '400Regular'),
  bold: fileOf(folder, name, '700Bold'),
  italics: fileOf(folder, name, '400Regular_Italic'),
  bolditalics: fileOf(folder, name, '700Bold_Italic'),
});

const twoStyles = (folder: string, name: string): Styles => {
  const [normal, bold] = [fileOf(folder, name, '400Regular'), fileOf(folder, name, '700Bold')];
  return { normal, bold, italics: normal, bolditalics: bold };
};

const oneStyle = (folder: string, name: string): Styles => {
  const normal = fileOf(folder, name, '400Regular');
  return { normal, bold: normal, italics: normal, bolditalics: normal };
};

/** Font files by the names that pdfmake uses. A character is drawn by the first font that contains it. */
export const fontFiles = {
  Tinos: fourStyles('tinos', 'Tinos'),
  Arabic: fourStyles('amiri', 'Amiri'),
  Devanagari: twoStyles('noto-serif-devanagari', 'NotoSerifDevanagari'),
  Thai: fourStyles('sarabun', 'Sarabun'),
  Korean: twoStyles('nanum-myeongjo', 'NanumMyeongjo'),
  Han: oneStyle('cactus-classical-serif', 'CactusClassicalSerif'),
  Armenian: twoStyles('noto-sans-armenian', 'NotoSansArmenian'),
  Bengali: twoStyles('noto-serif-bengali', 'NotoSerifBengali'),
  Ethiopic: twoStyles('noto-sans-ethiopic', 'NotoSansEthiopic'),
  Georgian: twoStyles('noto-sans-georgian', 'NotoSansGeorgian'),
  Gujarati: twoStyles('noto-sans-gujarati', 'NotoSansGujarati'),
  Gurmukhi: twoStyles('noto-sans-gurmukhi', 'NotoSansGurmukhi'),
  Kannada: twoStyles('noto-sans-kannada', 'NotoSansKannada'),
  Khmer: twoStyles('noto-sans-khmer', 'NotoSansKhmer'),
  Lao: twoStyles('noto-sans-lao', 'NotoSansLao'),
  Malayalam: twoStyles('noto-sans-malayalam', 'NotoSansMalayalam'),
  Myanmar: twoStyles('noto-sans-myanmar', 'NotoSansMyanmar'),
  Sinhala: twoStyles('noto-sans-sinhala', 'NotoSansSinhala'),
  Tamil: twoStyles('noto-sans-tamil', 'NotoSansTamil'),
  Telugu: twoStyles('noto-serif-telugu', 'NotoSerifTelugu'),
  Thaana: twoStyles('noto-sans-thaana', 'NotoSansThaana'),
  Tibetan: twoStyles('noto-serif-tibetan', 'NotoSerifTibetan'),
  Math: oneStyle('noto-sans-math', 'NotoSansMath'),
  Symbols: twoStyles('noto-sans-symbols', 'NotoSansSymbols'),
  Symbols2: oneStyle('noto-sans-symbols-2', 'NotoSansSymbols2'),
} as const satisfies Record<string, Styles>;

export type FontName = keyof typeof fontFiles;

export const isFontFile = (path: string): boolean =>
  Object.values(fontFiles).some((styles) => Object.values(styles).includes(path));

const fontNames = Object.keys(fontFiles).filter((name): name is FontName => name in fontFiles);

/**
 * Bold fonts by name. Bold is the widest style, so a text that fits in bold fits in every style. Loaded at first use.
 */
const faces = new Map<FontName, FontFace>();
const faceOf = (font: FontName): FontFace => {
  const known = faces.get(font);
  if (known) return known;
  const face = readFontFace(fontFiles[font].bold);
  faces.set(font, face);
  return face;
};

/** Remembers the font of each character. */
const fontsFound = new Map<number, FontName | undefined>();
const mostFontsFound = 50_000;

const fontOf = (codePoint: number): FontName | undefined => {
  if (faceOf('Tinos').covers(codePoint)) return 'Tinos';
  if (fontsFound.has(codePoint)) return fontsFound.get(codePoint);
  const font = fontNames.find((name) => faceOf(name).covers(codePoint));
  if (fontsFound.size >= mostFontsFound) fontsFound.clear();
  fontsFound.set(codePoint, font);
  return font;
};

/** Replaces a character for which there is no font, so that readers see the gap. */
const replacement = '\u{fffd}';

/** Characters without a shape. Leaving them out loses nothing. */
const shapeless = /[\p{Cf}\p{Cc}\p{Variation_Selector}]/u;
/** Returns the plain form of a special space or compatibility character that no font contains. */
const plainForm = (character: string): string | undefined => {
  const plain = character.normalize('NFKC');
  const hasFont = Array.from(plain).every((one) => one === ' ' || fontOf(one.codePointAt(0) ?? 0) !== undefined);
  return plain !== character && plain !== '' && hasFont ? plain : undefined;
};

/** Combining marks, and characters that control how letters join. */
const joined = /[\p{M}\u200c\u200d]/u;

export type Run = { text: string; font: FontName };

/** Splits a text by font. The parts joined together are the text that can be displayed. */
export const runsOf = (text: string): Run[] => {
  const runs: Run[] = [];
  for (const character of text.normalize('NFC')) {
    const last = runs.at(-1);
    const run = runOf(character, last?.font);
    if (last?.font === run.font) last.text += run.text;
    else if (run.text !== '') runs.push(run);
  }
  return runs;
};

const runOf = (character: string, before: FontName | undefined): Run => {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x20) return { text: character, font: 'Tinos' };
  if (before && joined.test(character) && faceOf(before).covers(codePoint)) return { text: character, font: before };
  const font = fontOf(codePoint);
  if (font) return { text: character, font };
  const plain = plainForm(character);
  if (plain !== undefined) return { text: plain, font: fontOf(plain.codePointAt(0) ?? 0) ?? 'Tinos' };
  return { text: shapeless.test(character) ? '' : replacement, font: 'Tinos' };
};

/** Returns the characters for which there is no font, each once, in the order of the text. */
export const missingCharacters = (text: string): string[] => [
  ...new Set(
    Array.from(text.normalize('NFC')).filter(
      (character) =>
        !shapeless.test(character) &&
        fontOf(character.codePointAt(0) ?? 0) === undefined &&
        plainForm(character) === undefined,
    ),
  ),
];

/** Returns the maximum width of a text in points. */
export const widthOf = (text: string, size: number): number => {
  let width = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const font = codePoint < 0x20 ? 'Tinos' : fontOf(codePoint);
    width += font ? faceOf(font).advance(codePoint) : 1;
  }
  return width * size;
};

/** An invisible character at which a line may break. */
const breakHere = '\u{200b}';

/** Adds places for line breaks to words wider than a line, so that all text stays on the page. */
export const breakable = (text: string, line: number, size: number): string =>
  wordsApart(text).replaceAll(/[^\s\u{200b}]+/gu, (word) =>
    widthOf(word, size) <= line ? word : brokenWord(word, line, size),
  );

/** Scripts without spaces between words: Thai, Lao, Khmer, Burmese. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{2,}/gu;
const wordsIn = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsApart = (text: string): string =>
  text.replaceAll(unspaced, (run) => Array.from(wordsIn.segment(run), ({ segment }) => segment).join(breakHere));

/** Splits a text into graphemes, so that a letter and its marks stay together. */
const lettersIn = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const brokenWord = (word: string, line: number, size: number): string => {
  const parts: string[] = [''];
  let width = 0;
  for (const { segment } of lettersIn.segment(word)) {
    const step = widthOf(segment, size);
    width += step;
    if (width > line && parts.at(-1) !== '') {
      parts.push('');
      width = step;
    }
    parts[parts.length - 1] += segment;
  }
  return parts.join(breakHere);
};
