import { dictionaryTable } from './dictionary-table.ts';

/** A tag as DICOM JSON writes it: eight upper-case hexadecimal digits, "00100010" (PS3.18 F.2.2). */
export type Tag = string;

export type DictionaryEntry = { tag: Tag; keyword: string; vr: string };

const byTag = new Map<Tag, DictionaryEntry>();
const byKeyword = new Map<string, DictionaryEntry>();
const repeating: { pattern: RegExp; entry: DictionaryEntry }[] = [];

for (const line of dictionaryTable.trim().split('\n')) {
  const [tag = '', vr = '', keyword = ''] = line.split(' ');
  const entry = { tag, vr, keyword };
  if (tag.includes('x')) {
    repeating.push({ pattern: new RegExp(`^${tag.replaceAll('x', '[0-9A-F]')}$`), entry });
  } else {
    byTag.set(tag, entry);
    byKeyword.set(keyword, entry);
  }
}

/** The tags of PS3.6 by their numbers, and such others as have been met. */
const byNumber = new Map<number, Tag>(Array.from(byTag.keys(), (tag) => [parseInt(tag, 16), tag]));

/** Far more than there are in PS3.6 and in the private elements of all scanners of an archive. */
const mostRemembered = 20_000;

/** The tag of a number: of 0x00100010 "00100010". Always the same string where it can be, which costs no memory. */
export const tagOfNumber = (number: number): Tag => {
  const known = byNumber.get(number);
  if (known !== undefined) return known;
  const tag = number.toString(16).toUpperCase().padStart(8, '0');
  if (byNumber.size < mostRemembered) byNumber.set(number, tag);
  return tag;
};

/**
 * What PS3.6 says of a tag, or undefined for a private or unknown one. Where PS3.6 leaves a choice
 * the VR reads "US|SS" or "OB|OW": the data set decides.
 */
export const entryOf = (tag: Tag): DictionaryEntry | undefined =>
  byTag.get(tag) ?? repeating.find(({ pattern }) => pattern.test(tag))?.entry;

/** The tag of a keyword, or undefined when PS3.6 has no such keyword: for keywords that somebody typed. */
export const findTag = (keyword: string): Tag | undefined => byKeyword.get(keyword)?.tag;

/** The keywords that the program itself asks for: so few that they stay at hand, as the whole of PS3.6 does not. */
const asked = new Map<string, Tag>();

/** The tag of a keyword: tagOf('PatientName') is "00100010". Throws when PS3.6 has no such keyword. */
export const tagOf = (keyword: string): Tag => {
  const known = asked.get(keyword);
  if (known !== undefined) return known;
  const tag = findTag(keyword);
  if (tag === undefined) throw new Error(`PS3.6 has no keyword ${keyword}`);
  asked.set(keyword, tag);
  return tag;
};
