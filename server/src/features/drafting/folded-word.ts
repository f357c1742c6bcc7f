/** Letters that are written without their strokes and ligatures where a keyboard lacks them, and σ as it ends a word. */
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

/** Katakana stand in the order of hiragana, so many places behind them. */
const katakanaAfter = 0x60;

/** A word without case, accents, strokes and apostrophes, as it is compared; Katakana as Hiragana. */
export const foldedWord = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’‘ʼ`]/gu, '')
    .replaceAll(/[ßøæœłđðþıħŧəŋς]/g, (letter) => withoutStroke[letter] ?? letter)
    .replaceAll(/[ァ-ヶ]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) - katakanaAfter));

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/** The same with the letters that people write out where a keyboard lacks them: "müller" as "mueller". */
export const writtenOut = (word: string): string =>
  foldedWord(
    word
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/[äöüåø]/g, (letter) => umlauts[letter] ?? letter),
  );
