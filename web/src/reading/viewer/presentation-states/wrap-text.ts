type WidthOf = (text: string) => number;

/** Splits a word that is too wide for a line. */
const splitWord = (word: string, width: number, widthOf: WidthOf): string[] => {
  const rows: string[] = [];
  for (const letter of word) {
    const longer = `${rows.at(-1) ?? ''}${letter}`;
    if (rows.length > 0 && widthOf(longer.trimEnd()) <= width) rows[rows.length - 1] = longer;
    else rows.push(letter);
  }
  return rows;
};

const wrappedLine = (line: string, width: number, widthOf: WidthOf): string[] => {
  const rows = [''];
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    const longer = `${rows.at(-1) ?? ''}${word}`;
    if (widthOf(longer.trimEnd()) <= width) rows[rows.length - 1] = longer;
    else rows.push(...splitWord(word, width, widthOf));
  }
  return rows[0] === '' && rows.length > 1 ? rows.slice(1) : rows;
};

/** Wraps text to a width, between words where possible. Keeps the line breaks of the text. */
export const wrapText = (text: string, width: number, widthOf: WidthOf): string[] =>
  text.split('\n').flatMap((line) => wrappedLine(line, width, widthOf));

let pen: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text of a presentation state, in screen pixels. */
export const widthOf: WidthOf = (text) => {
  pen ??= document.createElement('canvas').getContext('2d');
  if (!pen) return text.length * 7;
  pen.font = '13px Inter Variable, Inter, system-ui, sans-serif';
  return pen.measureText(text).width;
};
