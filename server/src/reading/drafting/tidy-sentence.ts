/** Corrects spaces, units, the first letter and the full stop. Words and numbers stay unchanged. */
export const tidy = (sentence: string): string => {
  const spaced = sentence
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,;.!?])(?= |$)/g, '$1')
    .replaceAll(/(\d)(mm|cm|ml|mL|HU|mGy|Gy|kg|bpm)\b/g, '$1 $2')
    .replaceAll(/(\d)\s*[x×*]\s*(?=\d)/g, '$1 × ')
    .replace(/;$/, '.');
  return ended(capitalized(spaced));
};

/**
 * Capitalizes a text. Leaves a first term such as "pT2" or "fMRI", which is always written with a small first letter.
 */
const capitalized = (text: string): string => (/^\p{Ll}+(?![\p{Lu}\d])/u.test(text) ? upper(text) : text);

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ended = (text: string): string => (text === '' || /[.!?:\]。！？।]$/.test(text) ? text : `${text}.`);
