import bidi from 'bidi-js';

/** A piece that pdfmake draws: a word with the spaces after it, `x` points from the start of the line. */
export type Inline = {
  text: string;
  x: number;
  width: number;
  font: { widthOfString: (text: string, size: number, features?: unknown) => number };
  fontSize: number;
  fontFeatures?: unknown;
  /** Whether its paragraph runs from right to left. */
  isRightToLeft?: boolean;
};

/** A line that pdfmake has laid out. Its inlines are in reading order. */
export type Line = { inlines: Inline[]; leadingCut?: number; isInVisualOrder?: boolean };

const algorithm = bidi();

/** Letters and numbers of right-to-left scripts (Unicode, UAX #9: R and AL). */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202b\u202e\u2067]/u;
const strong = /\p{L}/u;

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** Returns whether a paragraph runs from right to left. The first letter decides (UAX #9, P2 and P3). */
export const runsRightToLeft = (text: string): boolean => {
  const first = strong.exec(text)?.[0];
  return first !== undefined && rightToLeft.test(first);
};

/** An invisible mark. The text after it stays in left-to-right order (UAX #9: LRM). */
const leftToRightMark = '\u200e';

/** Separates a Hebrew or Arabic name from the text after it, so that a number in this text stays after the name. */
export const setApart = (text: string): string => (hasRightToLeft(text) ? `${text}${leftToRightMark}` : text);

/**
 * Reorders the inlines of a line for display (Unicode Bidirectional Algorithm, UAX #9). An inline is split where its
 * direction changes. The font reverses the letters of Hebrew and Arabic words.
 */
export const putInVisualOrder = (line: Line): void => {
  if (line.isInVisualOrder) return;
  line.isInVisualOrder = true;
  const text = line.inlines.map((inline) => inline.text).join('');
  if (!hasRightToLeft(text)) return;

  const base = line.inlines.some((inline) => inline.isRightToLeft) ? 'rtl' : 'ltr';
  const embedding = algorithm.getEmbeddingLevels(text, base);
  const segments: readonly number[][] = algorithm.getReorderSegments(text, embedding);
  const levels = embedding.levels.slice();
  // Trailing spaces have the level of the paragraph (UAX #9, L1).
  for (let at = text.length - 1; at >= 0 && /\s/.test(text.charAt(at)); at -= 1) levels[at] = base === 'rtl' ? 1 : 0;

  let pieces = piecesOf(line.inlines, levels);
  for (const [start = 0, end = 0] of segments) pieces = reversed(pieces, start, end);
  let x = -(base === 'rtl' ? trailingWidth(pieces) : (line.leadingCut ?? 0));
  line.inlines = pieces.map(({ inline, level }) => {
    const piece = { ...inline, text: level % 2 === 1 ? mirrored(inline.text) : inline.text, x };
    x += inline.width;
    return piece;
  });
};

/** A part of an inline with a single direction. `start` is its position in the text of the line. */
type Piece = { inline: Inline; level: number; start: number };

const piecesOf = (inlines: readonly Inline[], levels: Uint8Array): Piece[] => {
  const pieces: Piece[] = [];
  let start = 0;
  for (const inline of inlines) {
    const end = start + inline.text.length;
    for (let from = start; from < end;) {
      let to = from + 1;
      while (to < end && levels[to] === levels[from]) to += 1;
      pieces.push({ inline: partOf(inline, from - start, to - start), level: levels[from] ?? 0, start: from });
      from = to;
    }
    start = end;
  }
  return pieces;
};

const partOf = (inline: Inline, from: number, to: number): Inline => {
  if (from === 0 && to === inline.text.length) return inline;
  const text = inline.text.slice(from, to);
  return { ...inline, text, width: inline.font.widthOfString(text, inline.fontSize, inline.fontFeatures) };
};

/** Reverses the pieces within a range of the line's text. */
const reversed = (pieces: readonly Piece[], start: number, end: number): Piece[] => {
  const isWithin = (piece: Piece) => piece.start >= start && piece.start <= end;
  const first = pieces.findIndex(isWithin);
  const last = pieces.findLastIndex(isWithin);
  if (first === -1) return [...pieces];
  return [...pieces.slice(0, first), ...pieces.slice(first, last + 1).toReversed(), ...pieces.slice(last + 1)];
};

/** In a right-to-left paragraph, the trailing spaces of a line are leftmost. */
const trailingWidth = (pieces: readonly Piece[]): number => {
  const [first] = pieces;
  if (!first) return 0;
  const { text, font, fontSize, fontFeatures } = first.inline;
  const blanks = text.slice(text.trimEnd().length);
  return blanks ? font.widthOfString(blanks, fontSize, fontFeatures) : 0;
};

/**
 * Mirrors brackets. Also reverses text without Hebrew or Arabic letters, because the font of such text does not reverse
 * it.
 */
const mirrored = (text: string): string => {
  const characters = Array.from(text, (character) => algorithm.getMirroredCharacter(character) ?? character);
  return (hasRightToLeft(text) ? characters : characters.toReversed()).join('');
};
