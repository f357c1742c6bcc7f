import { expect, test } from 'vitest';
import { breakable, missingCharacters, runsOf } from './fonts.ts';

const scripts = {
  Latin: 'Łódź ế',
  Greek: 'Ωμέγα',
  Cyrillic: 'Жизнь',
  Hebrew: 'לֶוִי שרה',
  Arabic: 'مُحَمَّد علي گلپایگانی ٹیپو',
  Devanagari: 'श्रीमती क्षत्रिय',
  Thai: 'น้ำผึ้ง สมชาย',
  Hangul: '홍길동 뷁',
  Kana: 'タナカ たろう ｶﾅ',
  Han: '陈小明 陳小明 髙﨑 田中 龍 𠮷野',
  Armenian: 'Արամ',
  Bengali: 'ক্ষুদিরাম',
  Ethiopic: 'አበበ',
  Georgian: 'გიორგი',
  Gujarati: 'ગુજરાતી',
  Gurmukhi: 'ਪੰਜਾਬੀ',
  Kannada: 'ಕನ್ನಡ',
  Khmer: 'ស្រី',
  Lao: 'ນໍ້າ',
  Malayalam: 'മലയാളം',
  Myanmar: 'မြန်မာ',
  Sinhala: 'සිංහල',
  Tamil: 'தமிழ்',
  Telugu: 'తెలుగు',
};

test.each(Object.entries(scripts))('the PDF has a font for names in %s', (_, name) => {
  expect(missingCharacters(name)).toEqual([]);
  expect(
    runsOf(name)
      .map(({ text }) => text)
      .join(''),
  ).toBe(name.normalize('NFC'));
});

test('lists each character without a font only once', () => {
  expect(missingCharacters('a \u{12000} b \u{1f600}\u{12000}')).toEqual(['\u{12000}', '\u{1f600}']);
});

test.each([
  ['marks', 'श्रीमती', 'Devanagari'],
  ['joiners', 'می\u200cخواهم', 'Arabic'],
  ['vowel signs', 'น้ำ', 'Thai'],
])('a word with %s is set in one font, which shapes its letters', (_, word, font) => {
  expect(runsOf(word)).toEqual([{ text: word.normalize('NFC'), font }]);
});

test('replaces spaces of other widths by plain spaces', () => {
  expect(
    runsOf('田\u3000中')
      .map(({ text }) => text)
      .join(''),
  ).toBe('田 中');
});

test('a Thai sentence breaks between words, never within a character', () => {
  const sentence = 'ไม่พบน้ำในช่องเยื่อหุ้มปอด';

  const parts = breakable(sentence, 1000, 12).split('\u200b');

  expect(parts.length).toBeGreaterThan(3);
  expect(parts.join('')).toBe(sentence);
  expect(parts.filter((run) => /^\p{M}/u.test(run))).toEqual([]);
});
