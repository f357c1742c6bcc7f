import { dictionaryTable } from './dictionary-table.ts';

/** A tag as in DICOM JSON: eight upper-case hexadecimal digits, "00100010" (PS3.18 F.2.2). */
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

/** The tags of PS3.6 whose numbers are written as text, with their VR. */
export const tagsOfTextNumbers: ReadonlyMap<Tag, string> = new Map(
  [...byTag.values()].filter(({ vr }) => vr === 'DS' || vr === 'IS').map(({ tag, vr }) => [tag, vr]),
);

/** The tags of PS3.6 by number, and other tags seen so far. */
const byNumber = new Map<number, Tag>(Array.from(byTag.keys(), (tag) => [parseInt(tag, 16), tag]));

/**
 * Maximum number of remembered tags. It is far above the number of tags in PS3.6 and of private elements in one
 * archive.
 */
const mostRemembered = 20_000;

/** Converts a number to a tag: 0x00100010 to "00100010". Reuses one string for each tag to save memory. */
export const tagOfNumber = (number: number): Tag => {
  const known = byNumber.get(number);
  if (known !== undefined) return known;
  const tag = number.toString(16).toUpperCase().padStart(8, '0');
  if (byNumber.size < mostRemembered) byNumber.set(number, tag);
  return tag;
};

/**
 * The PS3.6 entry of a tag. Undefined for a private or unknown tag. A VR such as "US|SS" or "OB|OW" depends on the data
 * set.
 */
export const entryOf = (tag: Tag): DictionaryEntry | undefined =>
  byTag.get(tag) ?? repeating.find(({ pattern }) => pattern.test(tag))?.entry;

/** The tag of a keyword that a user typed, or undefined if PS3.6 does not have it. */
export const findTag = (keyword: string): Tag | undefined => byKeyword.get(keyword)?.tag;

/** Caches the few keywords that the program itself uses. */
const cache = new Map<string, Tag>();

/** The tag of a keyword: tagOf('PatientName') is "00100010". Throws if PS3.6 does not have it. */
export const tagOf = (keyword: string): Tag => {
  const known = cache.get(keyword);
  if (known !== undefined) return known;
  const tag = findTag(keyword);
  if (tag === undefined) throw new Error(`PS3.6 has no keyword ${keyword}`);
  cache.set(keyword, tag);
  return tag;
};
