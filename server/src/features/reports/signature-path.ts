export type Point = { x: number; y: number };

/** One step of a pen: an SVG command in capitals, and the points that it is written with, as they stand on the paper. */
export type Step = { command: string; points: Point[] };

/** Which numbers each command takes, in turn. What signatures have no use for, as arcs, is not among them. */
const commands = new Map(Object.entries({ M: 'xy', L: 'xy', H: 'x', V: 'y', C: 'xyxyxy', Q: 'xyxy', Z: '' }));

const number = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
/** A command and what follows it. The "e" is of a number. */
const command = /([a-df-z])([^a-df-z]*)/gi;

/** The numbers of a list; undefined where it holds anything else. */
export const numbersIn = (list: string): number[] | undefined =>
  /^[\s,]*$/.test(list.replaceAll(number, ' ')) ? Array.from(list.matchAll(number), ([one]) => Number(one)) : undefined;

/** The steps of an SVG path; undefined where it is none of lines and curves. */
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
      // Further points after a move are lines; what runs along an axis is a line, too.
      steps.push({ command: 'HV'.includes(capital) || (capital === 'M' && index > 0) ? 'L' : capital, points });
      at = points.at(-1) ?? start;
      if (capital === 'M' && index === 0) start = at;
    }
  }
  return steps;
};

/** The points of a command, for each time that it is given; undefined where its numbers are not those that it takes. */
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

/** Numbers two by two; one that is left over is dropped. */
export const pairs = (numbers: readonly number[]): Point[] =>
  Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => ({
    x: numbers[2 * index] ?? 0,
    y: numbers[2 * index + 1] ?? 0,
  }));
