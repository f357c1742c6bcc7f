/**
 * Fields to fill in are written in square brackets: "[size in mm]". Templates, macros and empty merge fields create
 * them, Tab moves between them, and the checks before signing find unfilled ones.
 */
export const longestPlaceholder = 200;

/** Matches every unfilled field. Returns a new expression each time, since a shared one keeps its position. */
export const placeholders = (): RegExp => new RegExp(`\\[[^\\[\\]\\n]{1,${longestPlaceholder}}\\]`, 'g');

/** Writes a field. Removes characters that its name cannot have. */
export const placeholder = (name: string): string =>
  `[${name
    .replaceAll(/[[\]\n]+/g, ' ')
    .trim()
    .slice(0, longestPlaceholder)}]`;
