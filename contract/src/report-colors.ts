/**
 * The colours a report may carry. Each is stored as it is printed; the screen, which is dark, shows its counterpart
 * (design/ui.md, decision 12). Any other colour is dropped and its words kept: pasted black would vanish on the
 * screen, and white on paper.
 */
export const reportTextColors = {
  red: { print: '#b3261e', screen: '#ff8078' },
  amber: { print: '#8a5a00', screen: '#f0b34a' },
  green: { print: '#1e6b3c', screen: '#5fcb8b' },
  blue: { print: '#1f55b5', screen: '#7db0ff' },
  grey: { print: '#5a6573', screen: '#a3adba' },
} as const;

/** Backgrounds of highlighted words and of table cells, the same on paper and on the screen, under dark text. */
export const reportHighlights = {
  yellow: '#ffe08a',
  green: '#bfe6c9',
  blue: '#bbddf5',
  red: '#f8c9cc',
  violet: '#e3d4f5',
} as const;
