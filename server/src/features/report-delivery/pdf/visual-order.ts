import bidi from 'bidi-js';

/** A piece that pdfmake draws at once: a word with the blanks that follow, `x` points from the start of its line. */
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

/** A line as pdfmake has laid it out: its inlines in the order in which they are read. */
export type Line = { inlines: Inline[]; leadingCut?: number; isInVisualOrder?: boolean };

const algorithm = bidi();

/** Letters and numbers of scripts that are written from right to left (Unicode, UAX #9: R and AL). */
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u202b\u202e\u2067]/u;
const strong = /\p{L}/u;

export const hasRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** Whether a paragraph runs from right to left: its first letter decides (UAX #9, P2 and P3). */
export const runsRightToLeft = (text: string): boolean => {
  const first = strong.exec(text)?.[0];
  return first !== undefined && rightToLeft.test(first);
};

/** A mark without a shape that keeps what follows in the order of a line from left to right (UAX #9: LRM). */
const leftToRightMark = '\u200e';

/** Sets words such as a name apart from others: a number that follows a Hebrew or Arabic name still follows it. */
export const setApart = (text: string): string => (hasRightToLeft(text) ? `${text}${leftToRightMark}` : text);

/**
 * Puts the inlines of a line in the order in which they stand on the paper (Unicode Bidirectional Algorithm, UAX #9), cut
 * where the direction changes within one. The font itself turns the letters of a Hebrew or Arabic word.
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
  // Blanks at the end of a line have the level of its paragraph (UAX #9, L1).
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

/** A part of an inline in one direction; `start` is where its text begins in the line's. */
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

/** The pieces with those turned around that lie in a range of the line's text. */
const reversed = (pieces: readonly Piece[], start: number, end: number): Piece[] => {
  const isWithin = (piece: Piece) => piece.start >= start && piece.start <= end;
  const first = pieces.findIndex(isWithin);
  const last = pieces.findLastIndex(isWithin);
  if (first === -1) return [...pieces];
  return [...pieces.slice(0, first), ...pieces.slice(first, last + 1).toReversed(), ...pieces.slice(last + 1)];
};

/** In a paragraph from right to left the blanks at the end of a line are the leftmost. */
const trailingWidth = (pieces: readonly Piece[]): number => {
  const [first] = pieces;
  if (!first) return 0;
  const { text, font, fontSize, fontFeatures } = first.inline;
  const blanks = text.slice(text.trimEnd().length);
  return blanks ? font.widthOfString(blanks, fontSize, fontFeatures) : 0;
};

/** Brackets turned around; signs alone, which no font turns, in the order in which they stand. */
const mirrored = (text: string): string => {
  const characters = Array.from(text, (character) => algorithm.getMirroredCharacter(character) ?? character);
  return (hasRightToLeft(text) ? characters : characters.toReversed()).join('');
};
