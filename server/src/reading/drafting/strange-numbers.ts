const numbers = /\d+(?:[.,]\d+)*/g;
/**
 * Numbers of list items are not patient data. The spaces must be on one line; otherwise matching would take quadratic
 * time.
 */
const listNumber = /^[^\S\n\r\u2028\u2029]*\d{1,2}[.)]\s+/gm;

/** "1,5" and "1.5" are the same number. */
const numbersIn = (text: string): string[] =>
  Array.from(text.matchAll(numbers), ([number]) => number.replaceAll(',', '.'));

/** Returns the numbers in an answer that are in none of its source texts, each once. */
export const numbersNotGiven = (answer: string, sources: readonly string[]): string[] => {
  const known = new Set(sources.flatMap(numbersIn));
  return [...new Set(numbersIn(answer.replaceAll(listNumber, '')))].filter((number) => !known.has(number));
};
