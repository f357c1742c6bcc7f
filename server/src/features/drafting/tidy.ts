/**
 * A sentence with its spaces, units, first letter and full stop put right. No word and no number is added, left out or
 * exchanged.
 */
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

/** Words that begin with a small letter on purpose, such as "pT2" and "fMRI", keep it. */
const capitalized = (text: string): string => (/^\p{Ll}+(?![\p{Lu}\d])/u.test(text) ? upper(text) : text);

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const ended = (text: string): string => (text === '' || /[.!?:\]。！？।]$/.test(text) ? text : `${text}.`);
