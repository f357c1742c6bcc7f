/**
 * A PN value the way people read it: "Family, Given Middle", with prefix and suffix where there are any, so
 * "Adams^John Robert Quincy^^Rev.^B.A." is "Adams, Rev. John Robert Quincy, B.A.". Of the three spellings a value
 * may have, divided by "=", the first one that is there is taken (PS3.5 §6.2.1).
 */
export const displayName = (personName: string): string => {
  const spelling = personName.split('=').find((group) => /[^\s^]/.test(group)) ?? '';
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = spelling
    .split('^')
    .map((component) => component.trim());
  return joined(', ', [family, joined(' ', [prefix, given, middle]), suffix]);
};

const joined = (separator: string, parts: string[]): string => parts.filter((part) => part !== '').join(separator);
