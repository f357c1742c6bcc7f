import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** A regular expression with its file, relative to the repository, and its line. */
export type Expression = { file: string; line: number; pattern: RegExp };
/** A place where the source builds an expression from strings. */
export type ComposedExpression = { file: string; line: number };

type Node = { type: string; start: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  if (!isNode(value)) return;
  yield value;
  for (const child of Object.values(value)) if (typeof child === 'object') yield* nodesOf(child);
}

const isRegex = (value: unknown): value is { pattern: string; flags: string } =>
  typeof value === 'object' && value !== null && 'pattern' in value;

const makesExpression = ({ type, callee }: Node): boolean =>
  (type === 'NewExpression' || type === 'CallExpression') && isNode(callee) && callee.name === 'RegExp';

/** Finds all expressions in our source without tests: literal expressions, and places that build expressions. */
export const ownExpressions = (): { written: Expression[]; composed: ComposedExpression[] } => {
  const written: Expression[] = [];
  const composed: ComposedExpression[] = [];
  const files = globSync('{contract,dicom,server,web}/src/**/*.{ts,tsx}', { cwd: root });
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name)).toSorted()) {
    const source = readFileSync(resolve(root, file), 'utf8');
    const lineOf = ({ start }: Node) => source.slice(0, start).split('\n').length;
    for (const node of nodesOf(parseSync(file, source).program.body)) {
      if (makesExpression(node)) composed.push({ file, line: lineOf(node) });
      if (!isRegex(node.regex)) continue;
      const { pattern, flags } = node.regex;
      written.push({ file, line: lineOf(node), pattern: new RegExp(pattern, flags) });
    }
  }
  return { written, composed };
};

/** Records the expressions that `work` and its modules create with `new RegExp`. */
export const madeBy = async (work: () => Promise<unknown>): Promise<RegExp[]> => {
  const patterns: RegExp[] = [];
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct: (target, [pattern, flags]: [string | RegExp, string?]) => {
      const expression = new target(pattern, flags);
      patterns.push(expression);
      return expression;
    },
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = Native;
  }
  return patterns;
};

/** Texts known to trigger ReDoS in any expression. */
const anywhere = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  ':',
  ';',
  '[',
  ']',
  '(',
  '{',
  '<',
  '>',
  '&',
  '"',
  "'",
  '-',
  '.',
  ',',
  '/',
  '=',
  '0',
  'a',
  'A',
  '\0',
  'é',
  '中',
  '1.',
  'a ',
  '1 ',
  'a\n',
  '- ',
  ': ',
];

/** A sample character for each character class. */
const ofClasses: Record<string, string> = {
  s: ' ',
  d: '1',
  w: 'a',
  p: 'A',
  S: 'a',
  D: 'a',
  W: '-',
  P: '-',
  n: '\n',
  r: '\r',
  t: '\t',
  0: '\0',
};

/**
 * Returns parts of an expression for test texts: its words, its single characters, and words with a character after
 * them.
 */
const unitsOf = ({ source }: RegExp): string[] => {
  const bare = source.replaceAll(/\\[pP]\{[^}]*\}/g, String.raw`\p`).replaceAll(/\\u\{?[0-9a-fA-F]+\}?/g, '');
  const plain = bare.replaceAll(/\\(.)/g, (_, sign: string) => ofClasses[sign] ?? sign);
  const words = [...new Set(plain.split(/[^\p{L}\p{N}<>&:!/@{}*_ -]+/u))]
    .filter((word) => word.length > 1)
    .slice(0, 12);
  const signs = [...new Set(plain)].filter((sign) => !/[A-Za-z]/.test(sign)).slice(0, 20);
  const pairs = signs.flatMap((sign) => ['a', ' '].map((other) => sign + other));
  return [
    ...signs,
    ...pairs,
    ...words,
    ...words.flatMap((word) => [' ', '1', '/', '-', ':'].map((sign) => word + sign)),
  ];
};

/** Texts around a repeated part. The end makes an anchored expression fail as late as possible. */
const around = (units: readonly string[]): [before: string, after: string][] => [
  ['', '\0'],
  ['a', '\n\0'],
  ...units.slice(0, 2).map((unit): [string, string] => [unit, '\0']),
];

/** Milliseconds of processor time of this thread, independent of other programs. */
const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Times the search for all matches, as in `replaceAll`, `matchAll` and `split`. This search is slower than `test`. */
const timeOf = (pattern: RegExp, text: string): number => {
  const everywhere = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  const began = processorTime();
  text.replaceAll(everywhere, '');
  return processorTime() - began;
};

export type WorstTime = { milliseconds: number; text: string };

/** A linear expression takes at most `suspicious` milliseconds for a text this short. */
const short = 2000;
const suspicious = 0.7;

/**
 * Returns the longest processor time in milliseconds that an expression takes for `length` characters, and the text
 * that took it. Stops if a text of a tenth of this length already takes longer than `bound`.
 */
export const worstTime = (pattern: RegExp, length: number, bound: number): WorstTime => {
  const units = [...new Set([...unitsOf(pattern), ...anywhere])];
  const timeOfWhole = (make: (size: number) => string): number => {
    const tenth = bestTimeOf(pattern, make(length / 10), bound);
    return tenth > bound ? tenth : bestTimeOf(pattern, make(length), bound);
  };
  let slowest = { milliseconds: -1, text: '', make: (_size: number) => '' };
  for (const unit of units) {
    for (const [before, after] of around(units)) {
      const make = (size: number) => before + unit.repeat(Math.ceil(size / unit.length)) + after;
      const text = `${before}${unit}…${after}`;
      const milliseconds = bestTimeOf(pattern, make(short), bound);
      if (milliseconds > bound) return { milliseconds, text };
      if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text, make };
      const fullTime = milliseconds > suspicious ? timeOfWhole(make) : 0;
      if (fullTime > bound) return { milliseconds: fullTime, text };
    }
  }
  return { milliseconds: timeOfWhole(slowest.make), text: slowest.text };
};

/** Garbage collection or a busy machine slows down single runs. The fastest run counts. */
const attempts = 10;

const bestTimeOf = (pattern: RegExp, text: string, bound: number): number => {
  let best = timeOf(pattern, text);
  for (let attempt = 1; attempt < attempts && best > bound && best < 10 * bound; attempt += 1) {
    best = Math.min(best, timeOf(pattern, text));
  }
  return best;
};
