/** A LIKE pattern that finds what the user typed, lower-cased as search_text is: their % and _ mean themselves. */
export const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
