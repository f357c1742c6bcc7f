import { between, plus, times, unit, type Point } from './geometry.ts';
import { tube, type Ellipsoid, type Shape } from './painter.ts';
import { randomFrom } from './random.ts';

type Branch = { start: Point; direction: Point; length: number; radius: number };

const thinnest = 1;

/**
 * The arteries and veins of a lung, branching from its root until they are too thin to see. Random but reproducible.
 * They end before the edge of the lung.
 */
export const vesselsOf = <Tissue extends string>(tissue: Tissue, lung: Ellipsoid, root: Point): Shape<Tissue>[] => {
  const random = randomFrom(`vessels from ${root.join()}`);
  const anyDirection = (): Point => unit([random() - 0.5, random() - 0.5, random() - 0.5]);

  const grow = ({ start, direction, length, radius }: Branch): Shape<Tissue>[] => {
    const end = plus(start, times(direction, length));
    if (radius < thinnest || depthIn(lung, end) > 0.92) return [];
    const children = [0.85, 0.7, 0.6].map((share) => ({
      start: end,
      direction: unit(plus(direction, times(anyDirection(), 0.9))),
      length: length * (0.7 + 0.3 * random()),
      radius: radius * share,
    }));
    return [...tube(tissue, [radius, radius * 0.85], start, end), ...children.flatMap(grow)];
  };

  return Array.from({ length: 9 }, anyDirection)
    .map((scatter) => unit(plus(times(unit(between(root, lung.centre)), 0.5), scatter)))
    .flatMap((direction) => grow({ start: root, direction, length: 24, radius: 3.6 }));
};

/** 0 in the center of a solid, 1 on its surface. */
const depthIn = ({ centre, radii }: Ellipsoid, point: Point): number => {
  const [left, posterior, superior] = between(centre, point);
  return Math.hypot(left / radii[0], posterior / radii[1], superior / radii[2]);
};
