import { reportHighlights, reportTextColors } from '@radwork/contract/report-colors';

const textColors = new Set<string>(Object.values(reportTextColors).map(({ print }) => print));
const backgrounds = new Set<string>(Object.values(reportHighlights));

/** "#b3261e" for both ways in which browsers write a colour. */
const hexadecimal = (color: string): string => {
  const [, ...parts] = /^rgb\((\d{1,3}), ?(\d{1,3}), ?(\d{1,3})\)$/.exec(color.trim()) ?? [];
  if (parts.length === 0) return color.trim().toLowerCase();
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
};

const oneOf = (known: Set<string>, color: string | null | undefined): string | null => {
  const found = hexadecimal(color ?? '');
  return known.has(found) ? found : null;
};

/** The colour of words, if it is one that a report may carry: any other would be unreadable on paper or on the screen. */
export const knownTextColor = (color: string | null | undefined) => oneOf(textColors, color);

/** The background of words or of a cell, if it is one that a report may carry. */
export const knownBackground = (color: string | null | undefined) => oneOf(backgrounds, color);
