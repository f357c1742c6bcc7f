import type { Graphic } from './annotations.ts';
import type { PixelPoint } from './image-references.ts';

/** Outline of a graphic: a line through the points, or a mark at each of them. */
export type Outline = { kind: 'line' | 'marks'; points: readonly PixelPoint[]; isClosed: boolean; isFilled: boolean };

const around = 96;

/** Returns the points of an ellipse, from its center and the ends of its half axes. */
const ellipse = (middle: PixelPoint, one: PixelPoint, other: PixelPoint): PixelPoint[] =>
  Array.from({ length: around }, (_, at) => {
    const [cosine, sine] = [Math.cos((2 * Math.PI * at) / around), Math.sin((2 * Math.PI * at) / around)];
    return {
      x: middle.x + cosine * one.x + sine * other.x,
      y: middle.y + cosine * one.y + sine * other.y,
    };
  });

const between = (from: PixelPoint, to: PixelPoint): PixelPoint => ({ x: to.x - from.x, y: to.y - from.y });
const half = ({ x, y }: PixelPoint): PixelPoint => ({ x: x / 2, y: y / 2 });

const isSame = (one: PixelPoint | undefined, other: PixelPoint | undefined): boolean =>
  one !== undefined && one.x === other?.x && one.y === other.y;

const steps = 12;

/** Returns a curve through points (Catmull-Rom). PS3.3 §C.10.5.1.2 does not define the kind of curve. */
const curve = (points: readonly PixelPoint[], isClosed: boolean): PixelPoint[] => {
  const own = isClosed ? points.slice(0, -1) : points;
  const at = (index: number): PixelPoint => {
    const place = isClosed ? (index + own.length) % own.length : Math.max(0, Math.min(own.length - 1, index));
    return own[place] ?? { x: 0, y: 0 };
  };
  const spans = isClosed ? own.length : own.length - 1;
  const curved = Array.from({ length: spans }, (_, span) => {
    const [before, from, to, after] = [at(span - 1), at(span), at(span + 1), at(span + 2)];
    return Array.from({ length: steps }, (__, step) => {
      const t = step / steps;
      const blend = (axis: 'x' | 'y'): number =>
        0.5 *
        (2 * from[axis] +
          (to[axis] - before[axis]) * t +
          (2 * before[axis] - 5 * from[axis] + 4 * to[axis] - after[axis]) * t ** 2 +
          (3 * from[axis] - before[axis] - 3 * to[axis] + after[axis]) * t ** 3);
      return { x: blend('x'), y: blend('y') };
    });
  }).flat();
  return isClosed ? curved : [...curved, at(own.length - 1)];
};

/** Returns the outline of a graphic whose points are in image pixels. */
export const outlineOf = ({ type, isFilled }: Graphic, points: readonly PixelPoint[]): Outline => {
  const [first = { x: 0, y: 0 }, second = first, third = first, fourth = first] = points;
  if (type === 'POINT') return { kind: 'marks', points, isClosed: false, isFilled: false };
  if (type === 'CIRCLE') {
    const radius = between(first, second);
    const across = { x: -radius.y, y: radius.x };
    return { kind: 'line', points: ellipse(first, radius, across), isClosed: true, isFilled };
  }
  if (type === 'ELLIPSE') {
    const middle = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
    const [major, minor] = [half(between(first, second)), half(between(third, fourth))];
    return { kind: 'line', points: ellipse(middle, major, minor), isClosed: true, isFilled };
  }
  const isClosed = points.length > 3 && isSame(first, points.at(-1));
  const line = type === 'INTERPOLATED' ? curve(points, isClosed) : points;
  return { kind: 'line', points: line, isClosed, isFilled: isFilled && isClosed };
};
