/**
 * Longest name of an unfilled field, which is written in square brackets: "[size in mm]". Templates, macros and empty
 * merge fields create such fields. Tab moves between them, and the checks before signing find them.
 */
export const longestPlaceholder = 200;

/**
 * Returns an expression that matches every unfilled field. Creates a new expression for each call, because a shared
 * expression would keep the position of its last match.
 */
export const placeholders = (): RegExp => new RegExp(`\\[[^\\[\\]\\n]{1,${longestPlaceholder}}\\]`, 'g');

/** Returns a field with this name. Removes characters that the name must not contain. */
export const placeholder = (name: string): string =>
  `[${name
    .replaceAll(/[[\]\n]+/g, ' ')
    .trim()
    .slice(0, longestPlaceholder)}]`;
