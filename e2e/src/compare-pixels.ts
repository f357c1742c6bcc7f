import { expect } from '@playwright/test';
import type { ExpectedImage } from './expected-pixels.ts';
import { type Picture, type Placement, placementOf, type Point } from './viewer-steps.ts';

/** Distance between compared canvas pixels, in both directions. */
const step = 7;

/**
 * Mean difference between canvas and expected image, in gray levels. `turned` maps each canvas point before it is read.
 */
const distance = (picture: Picture, expected: ExpectedImage, turned: (point: Point) => Point): number => {
  const { scale, of } = placementOf(picture, expected);
  const [first, last] = [of({ row: 0, column: 0 }), of({ row: expected.rows - 1, column: expected.columns - 1 })];
  let [sum, count] = [0, 0];
  for (let y = Math.ceil(first.y); y < last.y; y += step) {
    for (let x = Math.ceil(first.x); x < last.x; x += step) {
      const middle = { x: x + 0.5, y: y + 0.5 };
      const [red, green, blue] = expected.at({
        row: (middle.y - first.y) / (scale * (expected.tall ?? 1)),
        column: (middle.x - first.x) / scale,
      });
      const pixel = picture.at(turned(middle));
      sum += (Math.abs(pixel.red - red) + Math.abs(pixel.green - green) + Math.abs(pixel.blue - blue)) / 3;
      count += 1;
    }
  }
  return sum / count;
};

/**
 * Checks that an image clearly differs from its mirrored and recolored versions, so that a comparison can detect them.
 */
export const isDecodable = (expected: ExpectedImage): boolean => {
  const { rows, columns, at } = expected;
  const asPicture: Picture = {
    width: columns,
    height: rows,
    at: ({ x, y }) => {
      const [red, green, blue] = at({
        row: Math.min(rows - 1, Math.floor(y)),
        column: Math.min(columns - 1, Math.floor(x)),
      });
      return { red, green, blue };
    },
  };
  return farthest(asPicture, expected) > 5;
};

/** Largest difference from the expected image among both mirrored versions and exchanged colors. */
const farthest = (picture: Picture, expected: ExpectedImage): number =>
  Math.max(
    distance(picture, expected, ({ x, y }) => ({ x: picture.width - x, y })),
    distance(picture, expected, ({ x, y }) => ({ x, y: picture.height - y })),
    distance(otherColours(picture), expected, (point) => point),
  );

/**
 * Expects the canvas to show an image pixel by pixel. Also checks that the test can fail: the image must differ clearly
 * from its mirrored versions and from versions with exchanged colors.
 */
export const expectPicture = (picture: Picture, expected: ExpectedImage) => {
  expect(distance(picture, expected, (point) => point)).toBeLessThan(1);
  expect(farthest(picture, expected)).toBeGreaterThan(3);
};

/** The same image with colors exchanged: green in red, blue in green, red in blue. */
const otherColours = ({ at, ...size }: Picture): Picture => ({
  ...size,
  at: (point) => {
    const { red, green, blue } = at(point);
    return { red: green, green: blue, blue: red };
  },
});

/** A sphere in a slice: its center projected onto the image, and its radius there, in image pixels. */
type Ball = { row: number; column: number; radius: number; grey: number };

/**
 * Expects a sphere of one gray at the right place and size; `areaWithin` is the tolerated share of its area. The
 * background must have another gray.
 */
export const expectBall = (picture: Picture, placement: Placement, ball: Ball, areaWithin: number) => {
  const middle = placement.of(ball);
  const radius = ball.radius * placement.scale;
  const around = meanGrey(picture, ringAround(middle, radius * 1.5));
  const inside = picture.at(middle).red;
  const isBall = (grey: number) => Math.abs(grey - inside) < Math.abs(grey - around);
  const insidePoints = pointsWithin(middle, radius * 1.4).filter((point) => isBall(picture.at(point).red));

  expect(Math.abs(inside - ball.grey), `grey ${inside} instead of ${ball.grey}`).toBeLessThan(4);
  expect(Math.abs(around - inside), 'the ball stands out').toBeGreaterThan(20);
  expect(Math.abs(mean(insidePoints.map(({ x }) => x)) - middle.x), 'centre of mass across').toBeLessThan(1.5);
  expect(Math.abs(mean(insidePoints.map(({ y }) => y)) - middle.y), 'centre of mass down').toBeLessThan(1.5);
  expect(Math.abs(insidePoints.length / (Math.PI * radius ** 2) - 1), 'area').toBeLessThan(areaWithin);
};

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

const meanGrey = (picture: Picture, points: readonly Point[]): number =>
  mean(points.map((point) => picture.at(point).red));

const ringAround = ({ x, y }: Point, radius: number): Point[] =>
  Array.from({ length: 24 }, (_, step) => {
    const angle = (step / 24) * 2 * Math.PI;
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) };
  });

/** Centers of the canvas pixels in a disc. */
const pointsWithin = ({ x, y }: Point, radius: number): Point[] => {
  const points: Point[] = [];
  for (let row = Math.floor(y - radius); row <= y + radius; row += 1) {
    for (let column = Math.floor(x - radius); column <= x + radius; column += 1) {
      const point = { x: column + 0.5, y: row + 0.5 };
      if (Math.hypot(point.x - x, point.y - y) <= radius) points.push(point);
    }
  }
  return points;
};
