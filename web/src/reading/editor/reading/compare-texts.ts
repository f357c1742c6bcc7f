import { plural, t } from '@lingui/core/macro';
import { diffArrays } from 'diff';
import { inertDocument } from '#core/browser/inert-document.ts';

/** Unit of comparison: a word, a space, the start of a block, a picture or a table. */
export type TextToken = {
  kind: 'words' | 'block' | 'picture' | 'table' | 'line' | 'tick';
  /** The words, or the HTML of a picture or table. Empty for a checkbox. */
  text: string;
  /** The block that the unit begins or belongs to: "p", "h2", "li". */
  block: string;
  /** Formatting of the words, outermost first: "strong", "em". */
  marks: readonly string[];
  /** Link target of the words. */
  link?: string | undefined;
};

export type Change = 'same' | 'added' | 'removed';
export type ComparedPiece = TextToken & { change: Change };

export type Difference = {
  /** Both texts merged, in reading order. */
  pieces: ComparedPiece[];
  /** Summary for screen readers: "2 words added, 1 word removed". */
  summary: string;
};

const blocks = new Set('P H1 H2 H3 LI BLOCKQUOTE'.split(' '));
const marks = new Set('STRONG EM U S SUB SUP MARK'.split(' '));

/** Time limit in milliseconds. Texts with little in common are slow to compare. */
const patience = 500;

/**
 * Compares two texts word by word, and pictures and tables as a whole. A word with changed formatting counts as another
 * word.
 */
export const compareTexts = (before: string, after: string): Difference => {
  const [old, next] = [piecesOf(before), piecesOf(after)];
  const changes = diffArrays(old, next, { comparator: areSame, timeout: patience }) ?? [
    { value: old, added: false, removed: true },
    { value: next, added: true, removed: false },
  ];
  const pieces = changes.flatMap(({ value, added, removed }) => {
    const unchanged: Change = removed ? 'removed' : 'same';
    return value.map((piece): ComparedPiece => ({ ...piece, change: added ? 'added' : unchanged }));
  });
  return { pieces, summary: summaryOf(pieces) };
};

const areSame = (one: TextToken, other: TextToken): boolean =>
  one.kind === other.kind &&
  one.text === other.text &&
  (one.kind !== 'block' || one.block === other.block) &&
  one.marks.join() === other.marks.join() &&
  one.link === other.link;

const piecesOf = (html: string): TextToken[] => {
  const { body } = inertDocument(html);
  return Array.from(body.childNodes).flatMap((node) => read(node, 'p', []));
};

const read = (node: Node, block: string, around: readonly string[]): TextToken[] => {
  if (node instanceof Text) return wordsIn(node.data).map((text) => ({ kind: 'words', text, block, marks: around }));
  if (!(node instanceof Element)) return [];
  const { tagName } = node;
  const base = { text: node.outerHTML, block, marks: [] };
  if (tagName === 'TABLE') return [{ ...base, kind: 'table' }];
  if (tagName === 'IMG') return [{ ...base, kind: 'picture' }];
  if (tagName === 'BR' || tagName === 'HR') return [{ ...base, kind: 'line', text: tagName }];
  if (tagName === 'INPUT') return node.hasAttribute('checked') ? [{ ...base, kind: 'tick', text: '' }] : [];
  const children = Array.from(node.childNodes);
  if (marks.has(tagName)) return children.flatMap((child) => read(child, block, [...around, tagName.toLowerCase()]));
  const link = node.getAttribute('href');
  if (link !== null)
    return children.flatMap((child) => read(child, block, around)).map((piece) => ({ ...piece, link }));
  if (!blocks.has(tagName)) return children.flatMap((child) => read(child, block, around));
  // Whether this is a paragraph inside a list item or quotation. It then belongs to that block.
  const isWithin = tagName === 'P' && block !== 'p';
  const name = isWithin ? block : tagName.toLowerCase();
  const start: TextToken = { kind: 'block', text: '', block: name, marks: [] };
  const inside = children.flatMap((child) => read(child, name, around));
  if (!isWithin) return [start, ...inside];
  const isFirst = node.previousElementSibling?.tagName !== 'P';
  return isFirst ? inside : [{ ...base, kind: 'line', text: 'P' }, ...inside];
};

const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'word' }) : undefined;

/** Splits text into words, spaces and punctuation. */
export const wordsIn = (text: string): string[] =>
  segmenter
    ? Array.from(segmenter.segment(text), ({ segment }) => segment)
    : text.split(/(\s+|\p{P})/u).filter(Boolean);

const summaryOf = (pieces: readonly ComparedPiece[]): string => {
  const summaries = (['added', 'removed'] as const).flatMap((change) => {
    const changed = pieces.filter((piece) => piece.change === change);
    const words = changed.filter(({ kind, text }) => kind === 'words' && /[\p{L}\p{N}]/u.test(text)).length;
    const pictures = changed.filter(({ kind }) => kind === 'picture').length;
    const tables = changed.filter(({ kind }) => kind === 'table').length;
    const ticks = changed.filter(({ kind }) => kind === 'tick').length;
    const say = texts[change];
    return [
      words > 0 ? say.words(words) : '',
      pictures > 0 ? say.images(pictures) : '',
      tables > 0 ? say.tables(tables) : '',
      ticks > 0 ? say.ticks(ticks) : '',
    ];
  });
  const nonEmpty = summaries.filter((text) => text !== '');
  if (nonEmpty.length > 0) return nonEmpty.join(', ');
  return pieces.some(({ change }) => change !== 'same')
    ? t`Only punctuation, spaces or paragraphs differ`
    : t`No differences`;
};

const texts = {
  added: {
    words: (count: number) => t`${plural(count, { one: '# word added', other: '# words added' })}`,
    images: (count: number) => t`${plural(count, { one: '# image added', other: '# images added' })}`,
    tables: (count: number) => t`${plural(count, { one: '# table added', other: '# tables added' })}`,
    ticks: (count: number) => t`${plural(count, { one: '# check mark added', other: '# check marks added' })}`,
  },
  removed: {
    words: (count: number) => t`${plural(count, { one: '# word removed', other: '# words removed' })}`,
    images: (count: number) => t`${plural(count, { one: '# image removed', other: '# images removed' })}`,
    tables: (count: number) => t`${plural(count, { one: '# table removed', other: '# tables removed' })}`,
    ticks: (count: number) => t`${plural(count, { one: '# check mark removed', other: '# check marks removed' })}`,
  },
};
