/**
 * Text colors of a report. The stored color is for print; dark screens show another color for it. Text in other colors
 * loses its color: pasted black would be invisible on screen, and white on paper.
 */
export const reportTextColors = {
  red: { print: '#b3261e', screen: '#ff8078' },
  amber: { print: '#8a5a00', screen: '#f0b34a' },
  green: { print: '#1e6b3c', screen: '#5fcb8b' },
  blue: { print: '#1f55b5', screen: '#7db0ff' },
  grey: { print: '#5a6573', screen: '#a3adba' },
} as const;

/** Background colors of highlighted text and table cells, below dark text. They are the same on paper and screen. */
export const reportHighlights = {
  yellow: '#ffe08a',
  green: '#bfe6c9',
  blue: '#bbddf5',
  red: '#f8c9cc',
  violet: '#e3d4f5',
} as const;
