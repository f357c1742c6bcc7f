import { dot, plus, times, type Point } from './geometry.ts';
import { contains, sphere, type Ellipsoid, type Shape } from './painter.ts';

export type BrainTissue = 'fluid' | 'grey matter' | 'white matter';

type Part = Shape<BrainTissue>;

const outside: Ellipsoid = { centre: [0, 1, 20], radii: [65, 85, 84] };
const cortexThickness = 3.5;
const furrowDepth = 17;
const foldLength = 29;

/**
 * The brain folds on the zeros of the gyroid: sin x cos y + sin y cos z + sin z cos x. The surface winds through space
 * without crossing itself, like the cortex. Returns its value and gradient.
 */
const gyroidAt = ([left, posterior, superior]: Point): { value: number; slope: Point } => {
  const turns = (2 * Math.PI) / foldLength;
  const x = turns * (left + 5 * Math.sin(posterior / 17));
  const y = turns * (posterior + 5 * Math.sin(superior / 19));
  const z = turns * (superior + 5 * Math.sin(left / 15));
  return {
    value: Math.sin(x) * Math.cos(y) + Math.sin(y) * Math.cos(z) + Math.sin(z) * Math.cos(x),
    slope: [
      turns * (Math.cos(x) * Math.cos(y) - Math.sin(z) * Math.sin(x)),
      turns * (Math.cos(y) * Math.cos(z) - Math.sin(x) * Math.sin(y)),
      turns * (Math.cos(z) * Math.cos(x) - Math.sin(y) * Math.sin(z)),
    ],
  };
};

/** Points on the folds, about `step` mm apart, near the surface or midline of the brain. */
const foldPoints = (step: number): Point[] => {
  const points: Point[] = [];
  const [lefts, posteriors, superiors] = gridOver(outside, step);
  for (const left of lefts) {
    for (const posterior of posteriors) {
      for (const superior of superiors) {
        const point = nearestOnFold([left, posterior, superior], step / 2);
        if (point) points.push(point);
      }
    }
  }
  return points;
};

const gridOver = ({ centre, radii }: Ellipsoid, step: number): [number[], number[], number[]] => {
  const along = (axis: 0 | 1 | 2): number[] => {
    const reach = Math.ceil(radii[axis] / step);
    return Array.from({ length: 2 * reach + 1 }, (_, index) => centre[axis] + (index - reach) * step);
  };
  return [along(0), along(1), along(2)];
};

const nearestOnFold = (point: Point, farthest: number): Point | undefined => {
  if (!isNearSurface(point)) return undefined;
  const { value, slope } = gyroidAt(point);
  const slopeSquared = dot(slope, slope);
  if (value ** 2 >= farthest ** 2 * slopeSquared) return undefined;
  return plus(point, times(slope, -value / slopeSquared));
};

const isNearSurface = (point: Point): boolean => {
  const nearMidline = Math.abs(point[0]) < 10;
  return contains(outside, point) && (nearMidline || !contains(shrunk(outside, furrowDepth), point));
};

const shrunk = ({ centre, radii }: Ellipsoid, thickness: number): Ellipsoid => ({
  centre,
  radii: [radii[0] - thickness, radii[1] - thickness, radii[2] - thickness],
});

/** The cerebrum: gray matter outside and along the folds, white matter inside, and the cleft in the middle. */
export const cerebrum = (): Part[] => [
  { substance: 'grey matter', ...outside },
  { substance: 'white matter', ...shrunk(outside, cortexThickness) },
  { substance: 'grey matter', centre: [0, 1, 32], radii: [4.5, 84, 72] },
  ...foldPoints(3).map((point) => sphere<BrainTissue>('grey matter', point, 3.9)),
  ...foldPoints(1.8).map((point) => sphere<BrainTissue>('fluid', point, 1.15)),
  { substance: 'fluid', centre: [0, 1, 34], radii: [1.3, 85, 72] },
];
