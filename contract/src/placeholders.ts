/**
 * What is left for the writer to fill in stands in square brackets: "[size in mm]". Templates, macros and empty merge
 * fields make such places, Tab goes from one to the next, and the checks before signing find those that are left.
 */
export const longestPlaceholder = 200;

/** Finds every place that is still to be filled in. A new expression each time: a shared one remembers where it was. */
export const placeholders = (): RegExp => new RegExp(`\\[[^\\[\\]\\n]{1,${longestPlaceholder}}\\]`, 'g');

/** A place to fill in. What cannot stand in one is left out of its name. */
export const placeholder = (name: string): string =>
  `[${name
    .replaceAll(/[[\]\n]+/g, ' ')
    .trim()
    .slice(0, longestPlaceholder)}]`;
