import { type IdentityField, identityFields } from '@radwork/contract/imaging/identities';

/**
 * Compares the identity in two sources, such as a file and a patient record. Uses no database.
 *
 * A missing value contradicts nothing; a different value does. Family names are compared without case and accents, in
 * any order of their parts. The comparison uses the three groups of a PN value (PS3.5 6.2.1) and transliterates scripts
 * to Latin letters.
 */
export type Identity = {
  patient_name: string;
  gender: string;
  date_of_birth: string | null;
};

/** Other names of the patient: birth name, married name, and names of merged records. */
export type KnownNames = readonly string[];

/**
 * Returns the fields that contradict, in the order of `identityFields`. Empty when both sources may describe one
 * person.
 */
export const identityContradictions = (
  stated: Identity,
  record: Identity,
  { namesInFile = [], knownNames = [] }: { namesInFile?: KnownNames; knownNames?: KnownNames } = {},
): IdentityField[] => {
  const contradicted: Record<IdentityField, boolean> = {
    NAME:
      stated.patient_name !== record.patient_name &&
      areOtherNames([stated.patient_name, ...namesInFile], [record.patient_name, ...knownNames]),
    SEX: ['FM', 'MF'].includes(stated.gender + record.gender),
    BIRTH_DATE: Boolean(stated.date_of_birth && record.date_of_birth && stated.date_of_birth !== record.date_of_birth),
  };
  return identityFields.filter((field) => contradicted[field]);
};

/** True when no name of one side fits a name of the other side. A side without names contradicts nothing. */
const areOtherNames = (some: readonly string[], others: readonly string[]): boolean => {
  const [one, other] = [some, others].map((names) => names.map(parsedName).filter((groups) => groups.length > 0));
  if (!one?.length || !other?.length) return false;
  return one.every((name) => other.every((known) => areOtherGroups(name, known)));
};

/** True when two PN values contradict each other. */
export const areOtherPeoplesNames = (one: string, other: string): boolean => areOtherNames([one], [other]);

/** One group of a PN value, as words to compare. */
type NameGroup = { script: string; family: string[]; given: string[]; wholeFamily: string };

/** Longer values are cut before comparison. A PN group has at most 64 characters. */
const longestName = 324;

const parsedName = (name: string): NameGroup[] =>
  name
    .slice(0, longestName)
    .split('=')
    .map(parsedGroup)
    .filter(({ family, given }) => family.length + given.length > 0);

const parsedGroup = (group: string): NameGroup => {
  const [first = '', second = '', third = ''] = group.includes('^') ? group.split('^') : group.split(',');
  const [family, given] = [wordsOf(first), wordsOf(`${second} ${third}`)];
  const wholeFamily = sounded(allWordsOf(first).join(''));
  return { script: scriptOf(`${first}${second}`), family, given, wholeFamily };
};

/**
 * Returns the script of a name. Names in scripts that are transliterated to Latin are compared with each other. Other
 * scripts are compared only with the same script.
 */
const scriptOf = (text: string): string => {
  if (/[\p{Script=Han}]/u.test(text)) return 'Han';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'Kana';
  if (/\p{Script=Hangul}/u.test(text)) return 'Hangul';
  if (/\p{Script=Arabic}/u.test(text)) return 'Arabic';
  if (/\p{Script=Hebrew}/u.test(text)) return 'Hebrew';
  if (/\p{Script=Devanagari}/u.test(text)) return 'Devanagari';
  if (/\p{Script=Thai}/u.test(text)) return 'Thai';
  return 'Latin';
};

/** True when all pairs of groups in a common script differ. Without a common script, nothing contradicts. */
const areOtherGroups = (one: readonly NameGroup[], other: readonly NameGroup[]): boolean => {
  const pairs = one.flatMap((group) =>
    other.filter(({ script }) => script === group.script).map((known) => [group, known] as const),
  );
  return pairs.length > 0 && pairs.every(([group, known]) => areOtherFamilies(group, known));
};

const areOtherFamilies = (one: NameGroup, other: NameGroup): boolean => {
  // A given name alone says nothing about the family name.
  if (one.family.length === 0 || other.family.length === 0) {
    const [alone, full] = one.family.length === 0 ? [one, other] : [other, one];
    return alone.family.length > 0 && !anyAlike(alone.family, [...full.family, ...full.given]);
  }
  // With a single component, any word may be the family name. The longer name must contain the shorter one.
  if (one.given.length === 0 && other.given.length === 0) {
    const [fewer, more] = one.family.length <= other.family.length ? [one, other] : [other, one];
    return !areOneFamily(one, other) && !allAlike(fewer.family, more.family);
  }
  if (anyAlike(one.family, other.family) || areOneFamily(one, other)) {
    return isGivenNameAlone(one, other) || isGivenNameAlone(other, one);
  }
  return !areSwapped(one, other);
};

/** True for "Maria Kowalski" and "Maria^Anna": the shared word may be the given name of the first person. */
const isGivenNameAlone = ({ family, given }: NameGroup, other: NameGroup): boolean =>
  given.length === 0 &&
  family.length > 1 &&
  other.given.length > 0 &&
  other.family.length === 1 &&
  !allAlike(family, [...other.family, ...other.given]) &&
  !anyAlike(family.slice(-1), other.family) &&
  !anyAlike(family.slice(0, 1), other.family);

/** True for "Maria^Alpha" and "Alpha^Maria": each family name is a given name of the other. */
const areSwapped = (one: NameGroup, other: NameGroup): boolean => {
  const [ofOne, ofOther] = [one, other].map(({ family, given }) => (given.length > 0 ? given : family));
  return anyAlike(one.family, ofOther ?? []) && anyAlike(other.family, ofOne ?? []);
};

/** True for "de la Cruz" and "Delacruz", or "Al-Hassan" and "Alhassan". */
const areOneFamily = (one: NameGroup, other: NameGroup): boolean =>
  areAlike(one.wholeFamily, other.wholeFamily) || areAlike(one.family.join(''), other.family.join(''));

const anyAlike = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((word) => others.some((other) => areAlike(word, other)));

const allAlike = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((word) => others.some((other) => areAlike(word, other)));

/**
 * True when two words are the same name with typing errors: one error in four to seven letters, two in longer words.
 */
const areAlike = (one: string, other: string): boolean => {
  if (one === other) return true;
  if (!/^[a-z]+$/.test(one + other)) return false;
  const shorter = Math.min(one.length, other.length);
  const allowed = shorter < 4 ? 0 : shorter < 8 ? 1 : 2;
  return Math.abs(one.length - other.length) <= allowed && distance(one, other) <= allowed;
};

/** Counts the letters to insert, delete, replace or swap with a neighbor (optimal string alignment). */
const distance = (one: string, other: string): number => {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1));
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwapped) cost = Math.min(cost, at(before, column - 2) + 1);
      current.push(cost);
    }
    [before, last] = [last, current];
  }
  return at(last, other.length);
};

const at = (costs: readonly number[], index: number): number => costs[index] ?? Infinity;

/** Words that many family names contain, and titles that users type into names. */
const unspecific = new Set(
  (
    'van von vom zu zum zur der den de del della di da do dos das la le las los el al ul bin ibn ben bint abu ter ten te ' +
    'af av mc mac o y e und i st san santa dr prof med mr mrs ms miss herr frau sir jr sr ii iii iv phd md'
  ).split(' '),
);

/** Returns the words of a component to compare. Leaves out common words and titles, unless there are no others. */
const wordsOf = (component: string): string[] => {
  const words = allWordsOf(component);
  const specific = words.filter((word) => !unspecific.has(word));
  return (specific.length > 0 ? specific : words).map(sounded);
};

const allWordsOf = (component: string): string[] =>
  transliterated(component)
    .replaceAll(/['’`´ʼ]/g, '')
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word !== '');

/**
 * Reduces different spellings of a sound to one: "Müller" and "Mueller", "Meyer" and "Meier", "Schulz" and "Schultz",
 * "Novák" and "Nováková".
 */
const sounded = (word: string): string => {
  if (!/^[a-z]+$/.test(word)) return word;
  let sound = word;
  for (const [pattern, letters] of sounds) sound = sound.replace(pattern, letters);
  return sound;
};

const sounds: readonly (readonly [RegExp, string])[] = [
  [/^m[ou]ham+[aeo]d$/, 'muhamad'],
  [/(?<=.{3})ova$/, ''],
  [/ae/g, 'a'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
  [/ou/g, 'u'],
  [/oo/g, 'u'],
  [/ee/g, 'i'],
  [/ye$/, 'y'],
  [/[yj]/g, 'i'],
  [/ph/g, 'f'],
  [/w/g, 'v'],
  [/tch|tsch|sch|sh|sz|cz|ch|kh/g, 'c'],
  [/ck|q/g, 'k'],
  [/th/g, 't'],
  [/dt/g, 't'],
  [/tz|ts/g, 'z'],
  [/x/g, 'ks'],
  [/(?<=[bdg])h/g, ''],
  [/iev$/, 'ev'],
  [/iov$/, 'ov'],
  [/(.)\1+/g, '$1'],
];

/** Removes case, accents and marks. Converts Cyrillic and Greek letters to Latin, and Han characters to one form. */
const transliterated = (text: string): string => {
  const plain = inLatin(text.normalize('NFKC').toLowerCase());
  return inLatin(
    plain
      .normalize('NFD')
      .replaceAll(/\p{Mn}/gu, '')
      .normalize('NFC'),
  );
};

const inLatin = (text: string): string => text.replaceAll(/\p{L}/gu, (letter) => asLatin.get(letter) ?? letter);

const pairs = (letters: string): [string, string][] =>
  letters.split(' ').map((pair) => {
    const [letter = '', latin = ''] = pair.split(':');
    return [letter, latin];
  });

const asLatin: ReadonlyMap<string, string> = new Map([
  // Latin letters whose mark is not a separate accent.
  ...pairs('ß:ss ø:oe ł:l đ:d ð:d þ:th æ:ae œ:oe ı:i ŋ:n ħ:h ə:a ğ:g'),
  // Cyrillic letters as in passports (ICAO Doc 9303), and those of Ukrainian, Serbian and Macedonian.
  ...pairs('а:a б:b в:v г:g д:d е:e ё:e ж:zh з:z и:i й:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch'),
  ...pairs('ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:i є:e ґ:g ђ:d ј:j љ:lj њ:nj ћ:c џ:dz ў:u ѓ:g ќ:k ѕ:dz'),
  ...pairs('α:a β:v γ:g δ:d ε:e ζ:z η:i θ:th ι:i κ:k λ:l μ:m ν:n ξ:x ο:o π:p ρ:r σ:s ς:s τ:t υ:y φ:f χ:ch ψ:ps ω:o'),
  // Arabic letters that writers use for one another.
  ...pairs('أ:ا إ:ا آ:ا ٱ:ا ى:ي ة:ه ؤ:و ئ:ي ی:ي ک:ك'),
  // Katakana stays as it is. Han characters of family names take their simplified or new form.
  ...pairs(
    '陳:陈 張:张 劉:刘 黃:黄 吳:吴 趙:赵 鄭:郑 馬:马 蘇:苏 葉:叶 呂:吕 許:许 鄧:邓 馮:冯 謝:谢 楊:杨 蕭:萧 錢:钱 龍:龙',
  ),
  ...pairs(
    '邊:辺 邉:辺 齋:斎 齊:斉 澤:沢 濱:浜 廣:広 櫻:桜 國:国 髙:高 﨑:崎 嶋:島 羅:罗 孫:孙 韓:韩 鍾:钟 盧:卢 蔣:蒋 賴:赖',
  ),
]);
