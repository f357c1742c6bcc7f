import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** What stands in a line with the words around it; all else begins a line or a cell of its own. */
const inLine = new Set('a b em i mark s span strong sub sup u'.split(' '));

/**
 * Why a passage cannot be quoted from a text; undefined when it can: it stands there word for word, once, from the
 * beginning of a word to the end of one. What a correction strikes must not be anything else, nor leave it open which of
 * several places it means. The text is HTML as `rebuildReportHtml` writes it; between lines and cells a passage has blanks.
 */
export const refuseQuote = (html: string, passage: string): string | undefined => {
  const [text, words] = [spaced(linesOf(html)), spaced(passage)];
  const places = placesOf(text, words);
  if (places.length === 0) return 'These words do not stand in the text that is corrected';
  const bounds = wordBounds(text);
  const whole = places.filter((place) => bounds.has(place) && bounds.has(place + words.length));
  if (whole.length === 0) return 'The quoted words begin or end within a word. Select whole words';
  if (whole.length === 1) return undefined;
  return `These words stand ${whole.length} times in the text that is corrected. Select more words around them`;
};

/** A text with a blank wherever a passage may have any number of them. */
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

/** Where words, numbers and what stands between them begin and end, in scripts without blanks as well. */
const wordBounds = (text: string): Set<number> => {
  const segments = new Intl.Segmenter('en', { granularity: 'word' }).segment(text);
  return new Set([...Array.from(segments, ({ index }) => index), text.length]);
};
