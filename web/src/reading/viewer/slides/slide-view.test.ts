import { expect, test } from 'vitest';
import type { Pyramid, SlideLayer } from './slide.ts';
import { hasHoles, levelFor, mostTiles, smallestTiles, tilesIn, zoomedToTiles } from './slide-tiles.ts';
import {
  fittedView,
  limitedView,
  movedBy,
  toScreen,
  toSlide,
  turnedByQuarter,
  visibleBox,
  zoomedAt,
} from './slide-view.ts';

const part = (frames: number, first = 0, instanceUid = '1.2') => ({
  instanceUid,
  first,
  frames,
  form: 'jpeg' as const,
  isRgb: false,
});

const layer = (columns: number, rows: number, tile: number, more: Partial<SlideLayer> = {}): SlideLayer => {
  const [across, down] = [Math.ceil(columns / tile), Math.ceil(rows / tile)];
  const grid = { tileColumns: tile, tileRows: tile, across, down };
  return { path: '1', z: 0, parts: [part(across * down)], ...grid, places: { kind: 'full', first: 0 }, ...more };
};

const pyramidOf = (factors: readonly number[], { columns = 2000, rows = 1400, tile = 256 } = {}): Pyramid => ({
  width: columns,
  height: rows,
  levels: factors.map((factor) => ({
    columns: columns / factor,
    rows: rows / factor,
    wide: factor,
    tall: factor,
    layers: [layer(columns / factor, rows / factor, tile)],
  })),
  spacing: 0.0005,
  objective: 20,
  paths: [],
  planes: [0],
  turn: { angle: 0, isMirrored: false },
});

const size = { width: 1000, height: 700 };
const straight = { angle: 0, isMirrored: false };
const choice = { path: '1', z: 0 };

test.each([
  ['straight', straight],
  ['turned by a quarter', { angle: Math.PI / 2, isMirrored: false }],
  ['turned and mirrored', { angle: -0.7, isMirrored: true }],
])('a place of the slide is found again from its place on the screen: %s', (_, turn) => {
  const view = { x: 400, y: 300, scale: 0.7, turn };
  const place = { x: 123, y: 456 };

  const again = toSlide(view, size, toScreen(view, size, place));

  expect(again.x).toBeCloseTo(place.x);
  expect(again.y).toBeCloseTo(place.y);
});

test('a quarter turn moves the right side down, and mirroring moves it to the left', () => {
  const view = { x: 0, y: 0, scale: 1, turn: straight };
  const right = { x: 100, y: 0 };

  const down = toScreen(turnedByQuarter(view), size, right);
  const left = toScreen({ ...view, turn: { angle: 0, isMirrored: true } }, size, right);

  expect([Math.round(down.x), Math.round(down.y)]).toEqual([500, 450]);
  expect([Math.round(left.x), Math.round(left.y)]).toEqual([400, 350]);
});

test('a fitted view shows the whole slide, also turned by a quarter', () => {
  const pyramid = pyramidOf([1]);
  for (const angle of [0, Math.PI / 2]) {
    const view = fittedView(pyramid, size, { angle, isMirrored: false });
    const { left, top, right, bottom } = visibleBox(view, size);

    expect(left).toBeLessThan(0);
    expect(top).toBeLessThan(0);
    expect(right).toBeGreaterThan(2000);
    expect(bottom).toBeGreaterThan(1400);
  }
});

test('zooming keeps the place below the pointer', () => {
  const pyramid = pyramidOf([1]);
  const view = fittedView(pyramid, size, straight);
  const pointer = { x: 300, y: 300 };

  const before = toSlide(view, size, pointer);
  const after = toSlide(zoomedAt(view, pyramid, size, pointer, 2), size, pointer);

  expect(after.x).toBeCloseTo(before.x);
  expect(after.y).toBeCloseTo(before.y);
});

test('the view stays on the slide and within its magnification', () => {
  const pyramid = pyramidOf([1]);
  const view = fittedView(pyramid, size, straight);

  expect(movedBy(view, pyramid, size, { x: -100_000, y: 0 }).x).toBe(2000);
  expect(limitedView({ ...view, scale: 1000 }, pyramid, size).scale).toBe(8);
  expect(limitedView({ ...view, scale: 0 }, pyramid, size).scale).toBeCloseTo(view.scale / 2);
});

test.each([
  [0.1, 1, 2],
  [0.45, 1, 1],
  [0.45, 2, 0],
  [1, 1, 0],
  [4, 1, 0],
])('at scale %f and %i pixels of the screen for a CSS pixel, level %i is used', (scale, ratio, expected) => {
  const view = { x: 1000, y: 700, scale, turn: straight };

  expect(levelFor(pyramidOf([1, 2, 8]), view, size, { ratio, choice })).toBe(expected);
});

test('a view that would need too many tiles uses a smaller level, or none', () => {
  const huge = { columns: 100_000, rows: 80_000, tile: 256 };
  const view = fittedView({ width: 100_000, height: 80_000 }, size, straight);

  expect(levelFor(pyramidOf([1], huge), view, size, { ratio: 1, choice })).toBeUndefined();
  expect(levelFor(pyramidOf([1, 64], huge), view, size, { ratio: 1, choice })).toBe(1);
});

test('huge tiles count by their pixels, and four of them are always allowed', () => {
  const view = { x: 20_000, y: 20_000, scale: 0.3, turn: straight };
  const huge = (tile: number) => pyramidOf([1, 8], { columns: 40_000, rows: 40_000, tile });

  expect(levelFor(huge(1024), view, size, { ratio: 1, choice })).toBe(0);
  expect(levelFor(huge(1024), view, size, { ratio: 1, choice, pixels: 8_000_000 })).toBe(1);
  expect(levelFor(huge(40_000), view, size, { ratio: 1, choice })).toBe(0);
});

test('zooming to tiles ends at a view that has few enough of them', () => {
  const pyramid = pyramidOf([1], { columns: 100_000, rows: 80_000, tile: 256 });
  const view = zoomedToTiles(fittedView(pyramid, size, straight), pyramid, size, { choice });

  expect(levelFor(pyramid, view, size, { ratio: 1, choice })).toBe(0);
  expect(tilesIn(pyramid, 0, choice, visibleBox(view, size)).length).toBeLessThanOrEqual(mostTiles);
});

test('tiles in order are numbered by rows, the nearest to the middle first', () => {
  const pyramid = pyramidOf([1]);

  const tiles = tilesIn(pyramid, 0, choice, { left: 1500, top: 250, right: 1800, bottom: 500 });

  expect(tiles.map(({ frame }) => frame).toSorted((one, other) => one - other)).toEqual([6, 7, 8, 14, 15, 16]);
  expect(tiles[0]).toMatchObject({ frame: 15, left: 1536, top: 256, columns: 256, rows: 256 });
});

test('padding of the last tiles does not count', () => {
  const [tile] = tilesIn(pyramidOf([1]), 0, choice, { left: 1990, top: 1390, right: 2100, bottom: 1500 });

  expect(tile).toMatchObject({ frame: 48, columns: 2000 - 7 * 256, rows: 1400 - 5 * 256, tileColumns: 256 });
});

test('tiles of a concatenation come from the instance that has their frame', () => {
  const pyramid = pyramidOf([1], { columns: 512, rows: 512, tile: 256 });
  const [level] = pyramid.levels;
  if (level) level.layers = [layer(512, 512, 256, { parts: [part(3, 0, 'first'), part(1, 3, 'second')] })];

  const tiles = tilesIn(pyramid, 0, choice, { left: 0, top: 0, right: 512, bottom: 512 });

  expect(tiles.map(({ instanceUid, frame }) => `${instanceUid} ${frame}`).toSorted()).toEqual([
    'first 1',
    'first 2',
    'first 3',
    'second 1',
  ]);
});

/** Sparse level of 2 x 2 cells with one tile, at a place that is not aligned with the cells. */
const sparse = (): Pyramid => {
  const pyramid = pyramidOf([1], { columns: 512, rows: 512, tile: 256 });
  const places = {
    kind: 'sparse' as const,
    starts: Int32Array.of(0, 1, 1, 1, 1),
    frames: Int32Array.of(0),
    lefts: Int32Array.of(100),
    tops: Int32Array.of(50),
  };
  const [level] = pyramid.levels;
  if (level) level.layers = [layer(512, 512, 256, { parts: [part(1)], places })];
  return pyramid;
};

test('a sparse tile is found in each cell into which it reaches, and nowhere else', () => {
  const at = (x: number, y: number) => tilesIn(sparse(), 0, choice, { left: x, top: y, right: x + 1, bottom: y + 1 });

  expect(at(300, 200)).toMatchObject([{ frame: 1, left: 100, top: 50 }]);
  expect(at(120, 290)).toHaveLength(1);
  expect(at(90, 60)).toEqual([]);
  expect(at(400, 400)).toEqual([]);
});

test('holes of a sparse level count only where no smaller level has a tile', () => {
  const box = { left: 0, top: 0, right: 512, bottom: 512 };
  const alone = sparse();
  const [level] = pyramidOf([2], { columns: 512, rows: 512, tile: 256 }).levels;

  expect(hasHoles(alone, 0, choice, box)).toBe(true);
  expect(hasHoles({ ...alone, levels: [...alone.levels, ...(level ? [level] : [])] }, 0, choice, box)).toBe(false);
});

test('a smallest level with many tiles is not loaded as a whole', () => {
  expect(smallestTiles(pyramidOf([1, 8]), choice)).toHaveLength(1);
  expect(smallestTiles(pyramidOf([1], { columns: 100_000, rows: 80_000, tile: 256 }), choice)).toEqual([]);
});
