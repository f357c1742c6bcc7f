import { t } from '@radwork/contract/core/translate';
import { invalid } from '#core/http/problem.ts';
import { numbersIn, pairs, type Point, type Step, stepsOfPath } from './signature-path.ts';

/** The image of a signature in pixels: the lines of a pen, and dots where the pen only touched the paper. */
export type Drawing = { width: number; height: number; lines: Line[]; dots: Dot[] };
type Line = { steps: Step[]; width: number; colour: string };
type Dot = Point & { radius: number; colour: string };

const largest = { width: 960, height: 240 };

/**
 * Limits in pixels, far above what a signature needs. The time for drawing increases with the number of points and with
 * the way of the pen, measured along its control points. A dot takes as long as eight points.
 */
const limits = { points: 4000, way: 60 * largest.width, penWidth: 24, coordinate: 10_000, dotInPoints: 8 };

const notStrokes = () => invalid({ signatureData: t`An SVG signature can contain strokes only` });
const notPicture = () => invalid({ signatureData: t`The signature must be a PNG or SVG image` });
const tooMuch = () => invalid({ signatureData: t`The SVG signature has too many or too wide strokes` });

type Element = { name: string; attributes: ReadonlyMap<string, string> };

const pen = ['stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'fill'];
/** Elements that signature software writes. None of them refers to other content, repeats itself or contains text. */
const known = new Map([
  ['svg', new Set(['xmlns', 'xmlns:xlink', 'version', 'viewBox', 'width', 'height'])],
  ['path', new Set(['d', ...pen])],
  ['polyline', new Set(['points', ...pen])],
  ['line', new Set(['x1', 'y1', 'x2', 'y2', ...pen])],
  ['circle', new Set(['cx', 'cy', 'r', 'fill'])],
]);

/**
 * Reads an SVG as the strokes of a pen. Throws a problem for any other content, and for more strokes than a signature
 * has.
 */
export const readStrokes = (svg: string): Drawing => {
  const [root, ...shapes] = elementsOf(svg);
  if (!root || shapes.length === 0) throw notPicture();
  const paper = paperOf(root);
  const spend = budget();
  return {
    width: paper.width,
    height: paper.height,
    lines: shapes.filter(({ name }) => name !== 'circle').map((shape) => lineOf(shape, paper, spend)),
    dots: shapes.filter(({ name }) => name === 'circle').map((shape) => dotOf(shape, paper, spend)),
  };
};

const declaration = /^\s*(?:<\?xml [^<>?]*\?>\s*)?/;
const tag = /<(\/?)([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<>&]*"|'[^'<>&]*'))*)\s*(\/?)>\s*/y;
const attribute = /(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Returns the elements in order. The first element is the parent of all other elements. */
const elementsOf = (svg: string): Element[] => {
  const elements: Element[] = [];
  const open: string[] = [];
  let at = declaration.exec(svg)?.[0].length ?? 0;
  while (at < svg.length) {
    tag.lastIndex = at;
    const [, closes, name, attributes = '', isEmpty] = tag.exec(svg) ?? [];
    if (name === undefined) throw svg.includes('>', at) ? notStrokes() : notPicture();
    at = tag.lastIndex;
    if (closes && open.pop() !== name) throw notPicture();
    if (closes) continue;
    const isInPlace = name === 'svg' ? elements.length === 0 : open.length === 1;
    if (!isInPlace) throw notStrokes();
    elements.push(elementOf(name, attributes));
    if (!isEmpty) open.push(name);
  }
  if (open.length > 0) throw notPicture();
  return elements;
};

const elementOf = (name: string, source: string): Element => {
  const matches = source.matchAll(attribute);
  const attributes = new Map(Array.from(matches, ([, key = '', one, other]) => [key, (one ?? other ?? '').trim()]));
  const allowed = known.get(name);
  if (!allowed || ![...attributes.keys()].every((key) => allowed.has(key))) throw notStrokes();
  return { name, attributes };
};

/** The origin of the image in SVG units, the pixels per unit, and the size in pixels. */
type Paper = { left: number; top: number; scale: number; width: number; height: number };

const paperOf = ({ attributes }: Element): Paper => {
  const [width, height] = ['width', 'height'].map((key) => inPixels(attributes.get(key) ?? ''));
  const box = numbersIn(attributes.get('viewBox') ?? `0 0 ${width} ${height}`);
  if (box?.length !== 4) throw notPicture();
  const [left = 0, top = 0, wide = 0, high = 0] = box;
  const scale = Math.min(largest.width / wide, largest.height / high);
  if (!(wide > 0 && high > 0 && scale > 0)) throw notPicture();
  const pixels = (length: number) => Math.max(1, Math.round(length * scale));
  return { left, top, scale, width: pixels(wide), height: pixels(high) };
};

const inPixels = (length: string): string => length.replace(/px$/, '');

type Spend = (points: number, way: number) => void;

/** Counts the points and the way of the pen. Throws a problem above the limits. */
const budget = (): Spend => {
  let { points, way } = limits;
  return (spentPoints, spentWay) => {
    points -= spentPoints;
    way -= spentWay;
    // The comparison is negated, so that it also refuses NaN.
    if (!(points >= 0 && way >= 0)) throw tooMuch();
  };
};

const dotOf = ({ attributes }: Element, paper: Paper, spend: Spend): Dot => {
  const [x, y, r] = ['cx', 'cy', 'r'].map((key) => numberOf(attributes.get(key) ?? ''));
  if (x === undefined || y === undefined || r === undefined) throw notStrokes();
  const radius = penWidth(2 * r, paper) / 2;
  spend(limits.dotInPoints, 0);
  return { ...onPaper({ x, y }, paper), radius, colour: colorOf(attributes.get('fill') ?? 'black') };
};

const lineOf = ({ name, attributes }: Element, paper: Paper, spend: Spend): Line => {
  // Refuses filled shapes, because a pen fills nothing. A line without the attribute counts as not filled, although an
  // SVG fills shapes by default.
  if ((attributes.get('fill') ?? 'none') !== 'none') throw notStrokes();
  const width = penWidth(numberOf(inPixels(attributes.get('stroke-width') ?? '1')), paper);
  const steps = stepsOf(name, attributes).map(({ command, points }) => ({
    command,
    points: points.map((point) => onPaper(point, paper)),
  }));
  const points = steps.flatMap((step) => step.points);
  spend(steps.length + points.length, wayAlong(points));
  return { steps, width, colour: colorOf(attributes.get('stroke') ?? '') };
};

const stepsOf = (name: string, attributes: Element['attributes']): Step[] => {
  const steps = name === 'path' ? stepsOfPath(attributes.get('d') ?? '') : stepsThrough(numbersOf(name, attributes));
  if (!steps) throw notStrokes();
  return steps;
};

const numbersOf = (name: string, attributes: Element['attributes']): number[] | undefined => {
  const keys = name === 'line' ? ['x1', 'y1', 'x2', 'y2'] : ['points'];
  return numbersIn(keys.map((key) => attributes.get(key) ?? '').join(' '));
};

const stepsThrough = (numbers: readonly number[] = []): Step[] | undefined =>
  numbers.length < 4 || numbers.length % 2 > 0
    ? undefined
    : pairs(numbers).map((point, index) => ({ command: index === 0 ? 'M' : 'L', points: [point] }));

const numberOf = (text: string): number | undefined => numbersIn(text)?.[0];

const penWidth = (width: number | undefined, { scale }: Paper): number => {
  if (width === undefined || !(width > 0)) throw notStrokes();
  if (width * scale > limits.penWidth) throw tooMuch();
  return rounded(width * scale);
};

/** Names and numbers of colors. Every other value of stroke and fill is refused. */
const color = /^(?:[a-z]{3,20}|#[\da-f]{3}|#[\da-f]{6}|rgb\(\s*\d{1,3}\s*,\s*\d{1,3}\s*,\s*\d{1,3}\s*\))$/i;

const colorOf = (value: string): string => {
  if (value === 'none' || !color.test(value)) throw notStrokes();
  return value;
};

const onPaper = ({ x, y }: Point, { left, top, scale }: Paper): Point => {
  const point = { x: rounded((x - left) * scale), y: rounded((y - top) * scale) };
  if (!(Math.abs(point.x) <= limits.coordinate && Math.abs(point.y) <= limits.coordinate)) throw tooMuch();
  return point;
};

/** Rounds to hundredths of a pixel. */
const rounded = (pixels: number): number => Math.round(pixels * 100) / 100;

const wayAlong = (points: readonly Point[]): number =>
  points.reduce((way, { x, y }, index) => {
    const before = points[index - 1] ?? { x, y };
    return way + Math.hypot(x - before.x, y - before.y);
  }, 0);
