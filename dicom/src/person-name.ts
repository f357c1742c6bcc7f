/**
 * Formats a PN value for display: "Family, Prefix Given Middle, Suffix". "Adams^John Robert Quincy^^Rev.^B.A." becomes
 * "Adams, Rev. John Robert Quincy, B.A.". Of the three representations, separated by "=", it uses the first that is not
 * empty (PS3.5 §6.2.1).
 */
export const displayName = (personName: string): string => {
  const spelling = personName.split('=').find((group) => /[^\s^]/.test(group)) ?? '';
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = spelling
    .split('^')
    .map((component) => component.trim());
  return joined(', ', [family, joined(' ', [prefix, given, middle]), suffix]);
};

const joined = (separator: string, parts: string[]): string => parts.filter((part) => part !== '').join(separator);
