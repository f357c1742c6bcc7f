import { reportHighlights, reportTextColors } from '@radwork/contract/reading/report-colors';

const textColors = new Set<string>(Object.values(reportTextColors).map(({ print }) => print));
const backgrounds = new Set<string>(Object.values(reportHighlights));

/** Converts the color notations of browsers to hexadecimal, such as "#b3261e". */
const hexadecimal = (color: string): string => {
  const [, ...parts] = /^rgb\((\d{1,3}), ?(\d{1,3}), ?(\d{1,3})\)$/.exec(color.trim()) ?? [];
  if (parts.length === 0) return color.trim().toLowerCase();
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
};

const oneOf = (known: Set<string>, color: string | null | undefined): string | null => {
  const hex = hexadecimal(color ?? '');
  return known.has(hex) ? hex : null;
};

/** Returns a text color if reports allow it. Other colors may be unreadable on paper or on screen. */
export const knownTextColor = (color: string | null | undefined) => oneOf(textColors, color);

/** Returns a background color of text or a cell if reports allow it. */
export const knownBackground = (color: string | null | undefined) => oneOf(backgrounds, color);
