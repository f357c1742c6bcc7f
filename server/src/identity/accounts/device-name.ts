/**
 * Browsers by a part of their user agent. The first match counts, because browsers also name other browsers that they
 * imitate.
 */
const programs: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).* Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^python-/i, 'Python'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

const nameIn = (known: [RegExp, string][], text: string) => known.find(([sign]) => sign.test(text))?.[1];

/** Returns a readable name for the device of a session: "Firefox on Windows". */
export const deviceNameOf = (userAgent: string): string => {
  const program = nameIn(programs, userAgent);
  const system = nameIn(systems, userAgent);
  if (program && system) return `${program} on ${system}`;
  return program ?? (system && `Unknown program on ${system}`) ?? 'Unknown program';
};
