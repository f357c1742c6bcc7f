import type { Pyramid, SlideLayer, SlideLevel } from './slide.ts';
import { type Box, type Extent, limitedView, mostZoom, type Size, type SlideView, visibleBox } from './slide-view.ts';

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

/** Chosen optical path and focal plane, in micrometers. */
export type Choice = { path: string; z: number };

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
