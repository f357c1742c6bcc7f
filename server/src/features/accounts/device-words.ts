/** The first that fits counts: browsers name those that they want to be taken for, too. */
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

/** What people call the device that a session was begun on: "Firefox on Windows". */
export const deviceWords = (userAgent: string): string => {
  const program = nameIn(programs, userAgent);
  const system = nameIn(systems, userAgent);
  if (program && system) return `${program} on ${system}`;
  return program ?? (system && `A program on ${system}`) ?? 'An unknown program';
};
