import { t } from '@lingui/core/macro';
import { archive } from '@radwork/contract/imaging/archive';
import { callStream, errorMessageOf } from '#core/http/api.ts';
import { callWithRetries, isRefusedForGood } from '#core/http/retry.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import { seriesHeaderOf, wadoPrefix } from '#reading/viewer/images/series/series-headers.ts';
import { jpegColorsOf } from './jpeg-colors.ts';
import type { Tile } from './slide-tiles.ts';

/** Study and series of a slide. */
export type SlidePlace = { studyUid: string; seriesUid: string };

/** A tile that arrived and cannot be shown. The message is for the reader. */
export class TileError extends Error {}

const fetchFrame = (
  place: SlidePlace,
  { instanceUid, frame, part }: Tile,
  isRendered: boolean,
  accept: string,
  signal: AbortSignal,
) =>
  callWithRetries(() =>
    callStream(wadoPrefix, isRendered ? archive.frameRendered : archive.frames, {
      params: { ...place, instanceUid, frames: String(frame) },
      ...(isRendered && part.window && { query: { window: part.window } }),
      headers: seriesHeaderOf(imageIdOf(place.studyUid, place.seriesUid, instanceUid, frame)),
      accept,
      signal,
    }),
  );

/** Decodes an image that the browser knows. Throws TileError for another size than the header says. */
const decoded = async (blob: Blob, { tileColumns, tileRows }: Tile, isRendered = false): Promise<ImageBitmap> => {
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new TileError(t`The tile is damaged.`);
  });
  if (bitmap.width === tileColumns && bitmap.height === tileRows) return bitmap;
  const { width, height } = bitmap;
  bitmap.close();
  // The server stretches pixels that are not square, so its picture may have another size.
  if (isRendered) return createImageBitmap(blob, { resizeWidth: tileColumns, resizeHeight: tileRows });
  throw new TileError(t`The tile has ${width} × ${height} pixels, but the header says ${tileColumns} × ${tileRows}.`);
};

/** PNG keeps the colors that the server decoded. A JPEG of a JPEG 2000 would lose details twice. */
const renderedTile = async (place: SlidePlace, tile: Tile, signal: AbortSignal): Promise<ImageBitmap> =>
  decoded(await (await fetchFrame(place, tile, true, 'image/png', signal)).blob(), tile, true);

const jpegTile = async (place: SlidePlace, tile: Tile, signal: AbortSignal): Promise<ImageBitmap> => {
  const response = await fetchFrame(place, tile, false, 'image/jpeg', signal);
  const bytes = new Uint8Array(await response.arrayBuffer());
  // A browser takes the colors from the JPEG and ignores the header. If the two differ, the server draws the tile.
  if (jpegColorsOf(bytes) !== (tile.part.isRgb ? 'rgb' : 'ybr')) return renderedTile(place, tile, signal);
  return decoded(new Blob([bytes], { type: 'image/jpeg' }), tile);
};

const rgbTile = async (place: SlidePlace, tile: Tile, signal: AbortSignal): Promise<ImageBitmap> => {
  const response = await fetchFrame(place, tile, false, 'application/octet-stream', signal);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const count = tile.tileColumns * tile.tileRows;
  if (bytes.length < 3 * count) throw new TileError(t`The tile is damaged.`);
  const pixels = new Uint8ClampedArray(4 * count);
  for (let at = 0; at < count; at += 1) {
    pixels[4 * at] = bytes[3 * at] ?? 0;
    pixels[4 * at + 1] = bytes[3 * at + 1] ?? 0;
    pixels[4 * at + 2] = bytes[3 * at + 2] ?? 0;
    pixels[4 * at + 3] = 255;
  }
  return createImageBitmap(new ImageData(pixels, tile.tileColumns, tile.tileRows));
};

const loaders = { jpeg: jpegTile, rgb: rgbTile, rendered: renderedTile };

/** Fetches and decodes a tile. Throws ApiError, TileError or the reason of the abort. */
export const loadTile = (place: SlidePlace, tile: Tile, signal: AbortSignal): Promise<ImageBitmap> =>
  loaders[tile.part.form](place, tile, signal);

/** Whether a tile would fail again: its data is damaged, or the server refuses its form. */
export const isTileLostForGood = (error: unknown): boolean => error instanceof TileError || isRefusedForGood(error);

/** Returns the reason why a tile is missing. */
export const tileReason = (error: unknown): string =>
  error instanceof TileError ? error.message : errorMessageOf(error, t`No response received from server`);
