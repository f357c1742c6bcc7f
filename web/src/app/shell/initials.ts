/**
 * Matches titles before names in English, German and French. Does not match "M.", because it is more often an initial
 * than a title.
 */
const title =
  'dr|drs|dre|prof|professor|professeur|pr|doctor|docteur|doktor|mr|mrs|ms|miss|mx|sir|dame|herr|frau|hr|fr|' +
  'monsieur|madame|mademoiselle|mme|mlle|(?:le|la)\\s+dr|pd|priv\\.?-?doz|privatdozent|dipl\\.?-?(?:ing|med)|mag\\.';
/** Further parts of a title, such as "med. dent." in "Dr. med. dent." */
const field = 'med|dent|vet|univ|habil|rer\\.?\\s*nat';
const separator = '(?:\\.\\s*|\\s+)';

const titles = new RegExp(`^(?:${title})${separator}(?:(?:${title}|${field})${separator})*`, 'i');
const credential = /^(?:m\.?d|ph\.?d|m\.?sc|facr|frcr)\.?$/i;

/** Returns the initials of the first and last name of a person without titles: "AW" for "Dr Anna Weiss". */
export const initialsOf = (name: string): string => {
  const [called = ''] = name.trim().replace(titles, '').split(',');
  const words = called.split(/\s/).filter(Boolean);
  const names = words.filter((word, at) => at === 0 || !credential.test(word));
  const parts = names.flatMap((word) => word.split('.')).filter(Boolean);
  return parts
    .filter((_, at) => at === 0 || at === parts.length - 1)
    .map((part) => part.charAt(0).toUpperCase())
    .join('');
};
