const numbers = /\d+(?:[.,]\d+)*/g;
/** Lists that a model numbers say nothing of the patient. Blanks of one line only: across lines each would be read again. */
const listNumber = /^[^\S\n\r\u2028\u2029]*\d{1,2}[.)]\s+/gm;

/** "1,5" and "1.5" are the same number. */
const numbersIn = (text: string): string[] =>
  Array.from(text.matchAll(numbers), ([number]) => number.replaceAll(',', '.'));

/** The numbers of an answer that stand in none of the texts that it was made from, each once, as the answer has them. */
export const strangeNumbers = (answer: string, given: readonly string[]): string[] => {
  const known = new Set(given.flatMap(numbersIn));
  return [...new Set(numbersIn(answer.replaceAll(listNumber, '')))].filter((number) => !known.has(number));
};
