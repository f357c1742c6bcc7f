import { t } from '@radwork/contract/core/translate';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements within a line. All other elements begin a new line or cell. */
const inLine = new Set('a b em i mark s span strong sub sup u'.split(' '));

/**
 * Returns why a passage cannot be quoted from a text. Undefined if it can. The passage must occur exactly once,
 * unchanged, and consist of whole words, so that a correction strikes out exactly one place. The text is HTML from
 * `rebuildReportHtml`. In the passage, a space stands for the border between two lines or cells.
 */
export const refuseQuote = (html: string, passage: string): string | undefined => {
  const [text, words] = [spaced(linesOf(html)), spaced(passage)];
  const places = placesOf(text, words);
  if (places.length === 0) return t`The passage was not found in the corrected text`;
  const bounds = wordBounds(text);
  const wordPlaces = places.filter((place) => bounds.has(place) && bounds.has(place + words.length));
  if (wordPlaces.length === 0) return t`The passage begins or ends within a word. Select whole words.`;
  if (wordPlaces.length === 1) return undefined;
  const count = wordPlaces.length;
  return t`The passage occurs ${count} times in the corrected text. Select a longer passage.`;
};

/** Replaces white space of any length by one space. */
export const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const linesOf = (html: string): string => parseFragment(html).childNodes.map(lineOf).join('');

const lineOf = (node: Node): string => {
  if ('value' in node) return node.value;
  if (!('childNodes' in node)) return '';
  const words = node.childNodes.map(lineOf).join('');
  return inLine.has(node.tagName) ? words : `\n${words}\n`;
};

const placesOf = (text: string, words: string): number[] => {
  const places: number[] = [];
  for (let place = text.indexOf(words); place !== -1; place = text.indexOf(words, place + 1)) places.push(place);
  return places;
};

/** Returns where words, numbers and the text between them begin and end, also in scripts without spaces. */
const wordBounds = (text: string): Set<number> => {
  const segments = new Intl.Segmenter('en', { granularity: 'word' }).segment(text);
  return new Set([...Array.from(segments, ({ index }) => index), text.length]);
};
