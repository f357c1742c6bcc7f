import type { Orientation, Pyramid, SlideLayer, SlideLevel } from './slide.ts';

export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
export type Box = { left: number; top: number; right: number; bottom: number };

/**
 * View of a slide: the place at the center of the screen, in pixels of the largest level, and the number of CSS pixels
 * for one of them. Width and height of a pyramid count in the same pixels.
 */
export type SlideView = Point & { scale: number; turn: Orientation };

/** Returns the vector on the screen of a vector on the slide. */
const turned = ({ x, y }: Point, { angle, isMirrored }: Orientation): Point => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = isMirrored ? -x : x;
  return { x: cos * along - sin * y, y: sin * along + cos * y };
};

const turnedBack = ({ x, y }: Point, { angle, isMirrored }: Orientation): Point => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = cos * x + sin * y;
  return { x: isMirrored ? -along : along, y: cos * y - sin * x };
};

/** Returns the place on the screen, in CSS pixels from the top left corner, of a place on the slide. */
export const toScreen = (view: SlideView, size: Size, place: Point): Point => {
  const { x, y } = turned({ x: (place.x - view.x) * view.scale, y: (place.y - view.y) * view.scale }, view.turn);
  return { x: x + size.width / 2, y: y + size.height / 2 };
};

/** Returns the place on the slide of a place on the screen. */
export const toSlide = (view: SlideView, size: Size, place: Point): Point => {
  const { x, y } = turnedBack({ x: place.x - size.width / 2, y: place.y - size.height / 2 }, view.turn);
  return { x: view.x + x / view.scale, y: view.y + y / view.scale };
};

const cornersOf = ({ left, top, right, bottom }: Box): Point[] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

const boxAround = (points: readonly Point[]): Box => ({
  left: Math.min(...points.map(({ x }) => x)),
  top: Math.min(...points.map(({ y }) => y)),
  right: Math.max(...points.map(({ x }) => x)),
  bottom: Math.max(...points.map(({ y }) => y)),
});

/** Returns the corners of the screen as places on the slide, clockwise on the screen. */
export const screenCorners = (view: SlideView, size: Size): Point[] =>
  cornersOf({ left: 0, top: 0, right: size.width, bottom: size.height }).map((corner) => toSlide(view, size, corner));

/** Returns the smallest box of the slide that contains everything on the screen. */
export const visibleBox = (view: SlideView, size: Size): Box => boxAround(screenCorners(view, size));

type Extent = Pick<Pyramid, 'width' | 'height'>;

/** Returns the view that shows the whole slide, with a small margin. */
export const fittedView = ({ width, height }: Extent, size: Size, turn: Orientation): SlideView => {
  const { left, top, right, bottom } = boxAround(
    cornersOf({ left: 0, top: 0, right: width, bottom: height }).map((corner) => turned(corner, turn)),
  );
  const scale = 0.96 * Math.min(size.width / (right - left), size.height / (bottom - top));
  return { x: width / 2, y: height / 2, scale: scale > 0 && Number.isFinite(scale) ? scale : 1, turn };
};

/** Largest magnification: CSS pixels for one pixel of the largest level. */
const mostZoom = 8;

/** Limits the view: at most `mostZoom`, not much smaller than the whole slide, and with its center on the slide. */
export const limitedView = (view: SlideView, pyramid: Extent, size: Size): SlideView => {
  const smallest = fittedView(pyramid, size, view.turn).scale / 2;
  return {
    ...view,
    scale: Math.min(Math.max(view.scale, Math.min(smallest, mostZoom)), Math.max(mostZoom, smallest)),
    x: Math.min(Math.max(view.x, 0), pyramid.width),
    y: Math.min(Math.max(view.y, 0), pyramid.height),
  };
};

/** Zooms by a factor. The place at a point of the screen stays there, unless the view reaches its limits. */
export const zoomedAt = (view: SlideView, pyramid: Extent, size: Size, at: Point, factor: number): SlideView => {
  const held = toSlide(view, size, at);
  const { scale } = limitedView({ ...view, scale: view.scale * factor }, pyramid, size);
  const moved = toSlide({ ...view, scale }, size, at);
  const next = { ...view, scale, x: view.x + held.x - moved.x, y: view.y + held.y - moved.y };
  return limitedView(next, pyramid, size);
};

/** Moves the content of the screen by a number of CSS pixels. */
export const movedBy = (view: SlideView, pyramid: Extent, size: Size, by: Point): SlideView => {
  const { x, y } = turnedBack(by, view.turn);
  return limitedView({ ...view, x: view.x - x / view.scale, y: view.y - y / view.scale }, pyramid, size);
};

/** Turns the view clockwise by a quarter. */
export const turnedByQuarter = (view: SlideView): SlideView => ({
  ...view,
  turn: { ...view.turn, angle: (view.turn.angle + Math.PI / 2) % (2 * Math.PI) },
});

/** Returns the layer of a level for an optical path, with the focal plane nearest to `z` micrometers. */
export const layerOf = ({ layers }: SlideLevel, { path, z }: { path: string; z: number }): SlideLayer | undefined =>
  layers
    .filter((layer) => layer.path === path)
    .toSorted((one, other) => Math.abs(one.z - z) - Math.abs(other.z - z))[0];

/** Cells of a grid of tiles. The last ones are not included. */
type Cells = { left: number; top: number; right: number; bottom: number };

const cellsIn = ({ wide, tall }: SlideLevel, layer: SlideLayer, box: Box): Cells => {
  const { tileColumns, tileRows, across, down } = layer;
  const cell = (place: number, length: number, most: number) => Math.min(Math.max(place / length, 0), most);
  return {
    left: Math.floor(cell(box.left, wide * tileColumns, across)),
    top: Math.floor(cell(box.top, tall * tileRows, down)),
    right: Math.ceil(cell(box.right, wide * tileColumns, across)),
    bottom: Math.ceil(cell(box.bottom, tall * tileRows, down)),
  };
};

const countOf = ({ left, top, right, bottom }: Cells): number => Math.max(0, right - left) * Math.max(0, bottom - top);

/** Number of tiles of a level in a box. */
export const tileCount = (level: SlideLevel, layer: SlideLayer, box: Box): number =>
  countOf(cellsIn(level, layer, box));

/** Most tiles that one view may need. */
export const mostTiles = 600;

/** Most pixels of the tiles that one view may need: 4 bytes each, within the memory for tiles. */
export const mostPixels = { desktop: 48_000_000, handheld: 20_000_000 } as const;

/** Most tiles of a layer that one view may need. A few are always allowed, even if they are huge. */
const tileLimit = ({ tileColumns, tileRows }: SlideLayer, pixels: number): number =>
  Math.min(Math.max(Math.floor(pixels / (tileColumns * tileRows)), 4), mostTiles);

/** A level is enlarged up to this factor before the next larger level is used. */
const slightBlur = 1.2;

type Choice = { path: string; z: number };

/**
 * Returns the index of the level for a view: the smallest one with at least a pixel for each pixel of the screen.
 * `ratio` is the number of pixels of the screen for a CSS pixel. If the view would need too many of its tiles, or more
 * than `pixels` in them, returns a smaller level. Undefined if no level has few enough tiles.
 */
export const levelFor = (
  { levels }: Pick<Pyramid, 'levels'>,
  view: SlideView,
  size: Size,
  { ratio, choice, pixels = mostPixels.desktop }: { ratio: number; choice: Choice; pixels?: number },
): number | undefined => {
  const box = visibleBox(view, size);
  const usable = levels.flatMap((level, index) => {
    const layer = layerOf(level, choice);
    return layer && tileCount(level, layer, box) <= tileLimit(layer, pixels) ? [{ index, wide: level.wide }] : [];
  });
  const sharp = usable.findLast(({ wide }) => view.scale * ratio * wide <= slightBlur);
  return (sharp ?? usable[0])?.index;
};

/** Tile of a level: its frame, and its place and size in pixels of the level. Padding does not count. */
export type Tile = {
  key: string;
  instanceUid: string;
  /** From 1, as in paths. */
  frame: number;
  part: SlideLayer['parts'][number];
  level: number;
  left: number;
  top: number;
  columns: number;
  rows: number;
  /** Size of the whole tile with its padding. */
  tileColumns: number;
  tileRows: number;
};

/** Returns the tiles of a level in a box, the nearest to the middle of the box first. */
export const tilesIn = (pyramid: Pyramid, levelIndex: number, choice: Choice, box: Box): Tile[] => {
  const level = pyramid.levels[levelIndex];
  const layer = level && layerOf(level, choice);
  if (!layer) return [];
  const { places, across, tileColumns, tileRows } = layer;
  const cells = cellsIn(level, layer, box);
  const tiles: Tile[] = [];
  const add = (index: number, left: number, top: number) => {
    const part = layer.parts.find(({ first, frames }) => index >= first && index < first + frames);
    if (!part) return;
    const { instanceUid } = part;
    const frame = index - part.first + 1;
    const columns = Math.min(tileColumns, level.columns - left);
    const rows = Math.min(tileRows, level.rows - top);
    const key = `${instanceUid} ${frame}`;
    tiles.push({ key, instanceUid, frame, part, level: levelIndex, left, top, columns, rows, tileColumns, tileRows });
  };
  // A tile that is not aligned with the grid may reach into the next cell.
  const [fromRow, fromColumn] =
    places.kind === 'full' ? [cells.top, cells.left] : [Math.max(0, cells.top - 1), Math.max(0, cells.left - 1)];
  for (let row = fromRow; row < cells.bottom; row += 1) {
    for (let column = fromColumn; column < cells.right; column += 1) {
      const cell = row * across + column;
      if (places.kind === 'full') {
        add(places.first + cell, column * tileColumns, row * tileRows);
        continue;
      }
      for (let at = places.starts[cell] ?? 0; at < (places.starts[cell + 1] ?? 0); at += 1) {
        const [left = 0, top = 0] = [places.lefts[at], places.tops[at]];
        const isInBox =
          (left + tileColumns) * level.wide > box.left &&
          left * level.wide < box.right &&
          (top + tileRows) * level.tall > box.top &&
          top * level.tall < box.bottom;
        if (isInBox) add(places.frames[at] ?? 0, left, top);
      }
    }
  }
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const distance = ({ left, top, columns, rows }: Tile) =>
    Math.hypot((left + columns / 2) * level.wide - middle.x, (top + rows / 2) * level.tall - middle.y);
  return tiles.toSorted((one, other) => distance(one) - distance(other));
};

/** Most tiles and pixels of the smallest level that are loaded at once, for the minimap and below other levels. */
const mostOfSmallest = { tiles: 64, pixels: 4_000_000 };

const wholeOf = ({ width, height }: Extent): Box => ({ left: 0, top: 0, right: width, bottom: height });

/** Returns the tiles of the smallest level. Empty if they are many. */
export const smallestTiles = (pyramid: Pyramid, choice: Choice): Tile[] => {
  const index = pyramid.levels.findLastIndex((level) => layerOf(level, choice) !== undefined);
  const level = pyramid.levels[index];
  const layer = level && layerOf(level, choice);
  if (!level || !layer || level.columns * level.rows > mostOfSmallest.pixels) return [];
  if (tileCount(level, layer, wholeOf(pyramid)) > mostOfSmallest.tiles) return [];
  return tilesIn(pyramid, index, choice, wholeOf(pyramid));
};

/** Whether a sparse level lacks tiles in a box, in places where no smaller level has a tile either. */
export const hasHoles = (pyramid: Pyramid, target: number, choice: Choice, box: Box): boolean => {
  const level = pyramid.levels[target];
  const layer = level && layerOf(level, choice);
  if (!level || layer?.places.kind !== 'sparse') return false;
  const { left, top, right, bottom } = cellsIn(level, layer, box);
  const [width, height] = [layer.tileColumns * level.wide, layer.tileRows * level.tall];
  const isCovered = (x: number, y: number) =>
    pyramid.levels.slice(target).some((_, index) => {
      const point = { left: x, top: y, right: x + level.wide, bottom: y + level.tall };
      return tilesIn(pyramid, target + index, choice, point).length > 0;
    });
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const cell = row * layer.across + column;
      const isEmpty = layer.places.starts[cell] === layer.places.starts[cell + 1];
      if (isEmpty && !isCovered(column * width, row * height)) return true;
    }
  }
  return false;
};

/** Zooms in around the center until a level has few enough tiles. */
export const zoomedToTiles = (
  view: SlideView,
  pyramid: Pyramid,
  size: Size,
  needs: { choice: Choice; pixels?: number },
): SlideView => {
  let next = view;
  while (levelFor(pyramid, next, size, { ratio: 1, ...needs }) === undefined && next.scale < mostZoom) {
    next = { ...next, scale: next.scale * 1.25 };
  }
  return limitedView(next, pyramid, size);
};
