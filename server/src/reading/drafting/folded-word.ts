/** Plain spellings of letters with a stroke, of ligatures, and of the final σ. */
const withoutStroke: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ə: 'e',
  ŋ: 'n',
  ς: 'σ',
};

/** Difference between the code points of a katakana letter and its hiragana. */
const katakanaAfter = 0x60;

/** Converts a word for comparison: no case, accents, strokes or apostrophes, and katakana as hiragana. */
export const foldedWord = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’‘ʼ`]/gu, '')
    .replaceAll(/[ßøæœłđðþıħŧəŋς]/g, (letter) => withoutStroke[letter] ?? letter)
    .replaceAll(/[ァ-ヶ]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) - katakanaAfter));

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/** Like `foldedWord`, but with umlauts as two letters: "müller" becomes "mueller". */
export const writtenOut = (word: string): string =>
  foldedWord(
    word
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/[äöüåø]/g, (letter) => umlauts[letter] ?? letter),
  );
