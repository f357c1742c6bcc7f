import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSync } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** A regular expression and where the source has it: the file below the repository, and the line. */
export type Expression = { file: string; line: number; pattern: RegExp };
/** A place where the source makes an expression of texts. */
export type Composed = { file: string; line: number };

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

/** All expressions of our own source, tests left out: as they are written, and where they are composed. */
export const ownExpressions = (): { written: Expression[]; composed: Composed[] } => {
  const written: Expression[] = [];
  const composed: Composed[] = [];
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

/** Expressions that `work` makes with `new RegExp`, of whatever modules it loads. */
export const madeBy = async (work: () => Promise<unknown>): Promise<RegExp[]> => {
  const made: RegExp[] = [];
  const Native = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Native, {
    construct: (target, [pattern, flags]: [string | RegExp, string?]) => {
      const expression = new target(pattern, flags);
      made.push(expression);
      return expression;
    },
  });
  try {
    await work();
  } finally {
    globalThis.RegExp = Native;
  }
  return made;
};

/** Texts that the issue of ReDoS is known by, whatever the expression is. */
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

/** Signs that stand for a class within an expression. */
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

/** The signs of an expression: its words, its single signs, and each word with a sign after it. */
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

/** Texts around a repeated one; the end makes an expression that is anchored there fail as late as it can. */
const around = (units: readonly string[]): [before: string, after: string][] => [
  ['', '\0'],
  ['a', '\n\0'],
  ...units.slice(0, 2).map((unit): [string, string] => [unit, '\0']),
];

/** Milliseconds of this thread's processor: other programs do not count. */
const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** All matches in a text: what `replaceAll`, `matchAll` and `split` look for, and more than `test` does. */
const timeOf = (pattern: RegExp, text: string): number => {
  const everywhere = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`);
  const began = processorTime();
  text.replaceAll(everywhere, '');
  return processorTime() - began;
};

export type Worst = { milliseconds: number; text: string };

/** A linear expression takes, for a text this short, no longer than `suspicious` milliseconds. */
const short = 2000;
const suspicious = 0.7;

/**
 * The longest time that an expression takes for a text of `length` signs, in milliseconds of the processor, and the text.
 * One that takes as long as `bound` for a tenth of the length is not tried further.
 */
export const worstTime = (pattern: RegExp, length: number, bound: number): Worst => {
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
      const whole = milliseconds > suspicious ? timeOfWhole(make) : 0;
      if (whole > bound) return { milliseconds: whole, text };
    }
  }
  return { milliseconds: timeOfWhole(slowest.make), text: slowest.text };
};

/** A collection of garbage or a busy machine slows single runs; the fastest says what the expression needs. */
const attempts = 10;

const bestTimeOf = (pattern: RegExp, text: string, bound: number): number => {
  let best = timeOf(pattern, text);
  for (let attempt = 1; attempt < attempts && best > bound && best < 10 * bound; attempt += 1) {
    best = Math.min(best, timeOf(pattern, text));
  }
  return best;
};
