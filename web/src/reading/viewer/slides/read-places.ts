import { type DicomJson, itemsOf, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { TilePlaces } from './slide.ts';

/** Grid of tiles over a matrix of pixels. */
export type Grid = {
  columns: number;
  rows: number;
  tileColumns: number;
  tileRows: number;
  across: number;
  down: number;
};

/** Returns the grid of tiles with which a matrix is covered. Tiles at the right and lower edge may reach beyond it. */
export const gridOf = (columns: number, rows: number, tileColumns: number, tileRows: number): Grid => ({
  columns,
  rows,
  tileColumns,
  tileRows,
  across: Math.ceil(columns / tileColumns),
  down: Math.ceil(rows / tileRows),
});

/** Frames of one optical path and focal plane, with the pixel at their top left corner, from 0. */
export type PlacedFrames = { path: string; z: number; frames: number[]; lefts: number[]; tops: number[] };

const roundedHeight = (micrometers: number): number => Math.round(micrometers * 1000) / 1000;

/**
 * Reads the places of frames from their functional groups (PS3.3 §C.8.12.6.1), by optical path and focal plane. `isFlat`
 * ignores the focal plane. Also returns the number of frames without a place, or with a place outside the matrix.
 */
export const placedFrames = (
  items: readonly DicomJson[],
  { columns, rows }: Grid,
  { usualPath, isFlat }: { usualPath: string; isFlat: boolean },
): { layers: PlacedFrames[]; lost: number } => {
  const layers = new Map<string, PlacedFrames>();
  let lost = 0;
  for (const [index, item] of items.entries()) {
    const [place = {}] = itemsOf(item, tag.PlanePositionSlideSequence);
    const left = (numberOf(place, tag.ColumnPositionInTotalImagePixelMatrix) ?? 0) - 1;
    const top = (numberOf(place, tag.RowPositionInTotalImagePixelMatrix) ?? 0) - 1;
    if (left < 0 || top < 0 || left >= columns || top >= rows) {
      lost += 1;
      continue;
    }
    const [pathItem = {}] = itemsOf(item, tag.OpticalPathIdentificationSequence);
    const path = textOf(pathItem, tag.OpticalPathIdentifier) || usualPath;
    const z = isFlat ? 0 : roundedHeight(numberOf(place, tag.ZOffsetInSlideCoordinateSystem) ?? 0);
    const key = `${z} ${path}`;
    let layer = layers.get(key);
    if (!layer) {
      layer = { path, z, frames: [], lefts: [], tops: [] };
      layers.set(key, layer);
    }
    layer.frames.push(index);
    layer.lefts.push(left);
    layer.tops.push(top);
  }
  return { layers: [...layers.values()], lost };
};

/** Sorts frames by the cell of the grid that has their top left corner. */
export const sparsePlaces = ({ frames, lefts, tops }: PlacedFrames, grid: Grid): TilePlaces => {
  const { tileColumns, tileRows, across, down } = grid;
  const cellOf = (at: number): number =>
    Math.floor((tops[at] ?? 0) / tileRows) * across + Math.floor((lefts[at] ?? 0) / tileColumns);
  const starts = new Int32Array(across * down + 1);
  for (const at of frames.keys()) starts[cellOf(at) + 1] = (starts[cellOf(at) + 1] ?? 0) + 1;
  for (let cell = 0; cell < across * down; cell += 1) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const next = starts.slice();
  const sorted = {
    frames: new Int32Array(frames.length),
    lefts: new Int32Array(frames.length),
    tops: new Int32Array(frames.length),
  };
  for (const at of frames.keys()) {
    const cell = cellOf(at);
    const entry = next[cell] ?? 0;
    next[cell] = entry + 1;
    sorted.frames[entry] = frames[at] ?? 0;
    sorted.lefts[entry] = lefts[at] ?? 0;
    sorted.tops[entry] = tops[at] ?? 0;
  }
  return { kind: 'sparse', starts, ...sorted };
};
