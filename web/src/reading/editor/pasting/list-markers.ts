/**
 * Marker of a list that was typed as text. `length` counts the marker and the space after it. Numbered items have a
 * `number`.
 */
export type ListMarker = {
  length: number;
  number?: number;
  /**
   * True if the text counts as a list item only when another list item is next to it. For example, "- 5 HU" alone is a
   * value.
   */
  isWeak: boolean;
};

const number = /^\s*(?:(\d{1,2})[.)]|\((\d{1,2})\))(\s+|(?=\p{L}))/u;
const bullet = /^\s*(?:[•·◦▪●■‣⁃\uF0B7\uF0A7\uF0D8]\s*|[o§]\t\s*)/u;
const dash = /^\s*[-–*]\s+/;

/**
 * Reads the list marker at the start of a text; undefined without a marker. "1.5 cm" and "2024." start with a value,
 * not with a marker.
 */
export const markerAtStart = (text: string): ListMarker | undefined => {
  const numbered = number.exec(text);
  if (numbered) {
    const value = Number(numbered[1] ?? numbered[2]);
    return { length: numbered[0].length, number: value, isWeak: value !== 1 || numbered[3] === '' };
  }
  const match = bullet.exec(text);
  if (match) return { length: match[0].length, isWeak: false };
  const dashed = dash.exec(text);
  return dashed ? { length: dashed[0].length, isWeak: true } : undefined;
};
