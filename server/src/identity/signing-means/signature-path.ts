export type Point = { x: number; y: number };

/** One step of a pen: an SVG command in upper case, and its points in absolute coordinates. */
export type Step = { command: string; points: Point[] };

/** The kinds of numbers for each command, in order. Commands that signatures do not need, such as arcs, are missing. */
const commands = new Map(Object.entries({ M: 'xy', L: 'xy', H: 'x', V: 'y', C: 'xyxyxy', Q: 'xyxy', Z: '' }));

const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
/** Matches a command and its numbers. The letter "e" is part of a number. */
const command = /([a-df-z])([^a-df-z]*)/gi;

/** Returns the numbers in a list. Undefined if the list contains anything else. */
export const numbersIn = (list: string): number[] | undefined =>
  /^[\s,]*$/.test(list.replaceAll(number, ' ')) ? Array.from(list.matchAll(number), ([one]) => Number(one)) : undefined;

/** Returns the steps of an SVG path. Undefined if it contains anything but lines and curves. */
export const stepsOfPath = (path: string): Step[] | undefined => {
  if (!/^\s*m/i.test(path)) return undefined;
  const steps: Step[] = [];
  let start: Point = { x: 0, y: 0 };
  let at = start;
  for (const [, name = '', list = ''] of path.matchAll(command)) {
    const read = pointsOf(name, list, at);
    if (!read) return undefined;
    for (const [index, points] of read.entries()) {
      const capital = name.toUpperCase();
      // After a move, further points are lines. Steps along an axis count as lines too.
      steps.push({ command: 'HV'.includes(capital) || (capital === 'M' && index > 0) ? 'L' : capital, points });
      at = points.at(-1) ?? start;
      if (capital === 'M' && index === 0) start = at;
    }
  }
  return steps;
};

/** Returns the points of each repetition of a command. Undefined if the numbers do not fit the command. */
const pointsOf = (name: string, list: string, begin: Point): Point[][] | undefined => {
  const takes = commands.get(name.toUpperCase());
  const numbers = numbersIn(list);
  if (takes === undefined || !numbers) return undefined;
  if (takes === '') return numbers.length === 0 ? [[]] : undefined;
  if (numbers.length === 0 || numbers.length % takes.length > 0) return undefined;
  const isRelative = name !== name.toUpperCase();
  let at = begin;
  return Array.from({ length: numbers.length / takes.length }, (_, turn) => {
    const points = pointsFrom(takes, numbers.slice(turn * takes.length, (turn + 1) * takes.length), at, isRelative);
    at = points.at(-1) ?? at;
    return points;
  });
};

const pointsFrom = (takes: string, numbers: readonly number[], at: Point, isRelative: boolean): Point[] => {
  const [x, y] = isRelative ? [at.x, at.y] : [0, 0];
  const [first = 0] = numbers;
  if (takes === 'x') return [{ x: x + first, y: at.y }];
  if (takes === 'y') return [{ x: at.x, y: y + first }];
  return pairs(numbers).map((point) => ({ x: x + point.x, y: y + point.y }));
};

/** Groups numbers into points. An odd last number is dropped. */
export const pairs = (numbers: readonly number[]): Point[] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => ({
    x: numbers[2 * index] ?? 0,
    y: numbers[2 * index + 1] ?? 0,
  }));
