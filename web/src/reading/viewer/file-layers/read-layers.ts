import { t } from '@lingui/core/macro';
import type { Color } from '@radwork/dicom/cielab';
import {
  bitmapShutterOf,
  shutterColorOf,
  shutterItemOf,
  type Shutter,
  shuttersOf,
  unreadShutters,
} from '@radwork/dicom/display-shutter';
import { isOnFrame, isWholePlane, type PlaneBits, planeBitsIn, planeBitsOf } from '@radwork/dicom/overlay-planes';
import { colorBytesOf } from '@radwork/dicom/supplemental-palette';
import { queryOptions } from '@tanstack/react-query';
import { fetchBytes } from '#core/http/api.ts';
import { supplementalPaletteOf } from '#reading/viewer/images/gray/lookup-tables.ts';
import { numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { fileLayersOf } from '#reading/viewer/images/header/file-layers.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Bitmap, bitmapOfColors, bitmapOfPlanes, bitmapOfShutter } from './layer-bitmaps.ts';
import { storedPixels, storedValuesOf } from './stored-pixels.ts';

/** The layers of one image, ready to be drawn. */
export type ReadLayers = {
  /** Colors of a supplemental palette. */
  colors: Bitmap | undefined;
  planes: Bitmap | undefined;
  shutters: readonly Shutter[];
  /** Color of the hidden area. */
  shutterColor: Color;
  /** Pixels that a bitmap shutter hides (PS3.3 §C.7.6.15), in its color. */
  shutterPixels: Bitmap | undefined;
  /** Messages about parts that are not drawn. */
  notDrawn: readonly string[];
};

/** Bytes of a plane in multi-frame images of a few hundred frames. */
const longestPlane = 64 << 20;

const pathOf = (imageId: string): string => instanceOf(imageId).replace(/^wadors:/, '');

const bytesAt = async (path: string, most: number, accept: string, signal: AbortSignal): Promise<Uint8Array> =>
  new Uint8Array(await (await fetchBytes(path, { accept, most, signal })).arrayBuffer());

const octets = 'application/octet-stream';

const dataOf = async ({ imageId, header }: SeriesImage, group: string, signal: AbortSignal): Promise<Uint8Array> => {
  const { InlineBinary, BulkDataURI = '' } = header[`${group}3000`] ?? {};
  if (InlineBinary) return Uint8Array.from(atob(InlineBinary), (character) => character.charCodeAt(0));
  const place = `${pathOf(imageId)}${BulkDataURI.slice(BulkDataURI.indexOf('/bulkdata/'))}`;
  return bytesAt(place, longestPlane, octets, signal);
};

const read = async (image: SeriesImage, signal: AbortSignal): Promise<ReadLayers> => {
  const { header, frame, imageId } = image;
  const size = { rows: numberOf(header, tag.Rows) ?? 0, columns: numberOf(header, tag.Columns) ?? 0 };
  const { planes, isSupplemented } = fileLayersOf(header);
  const onFrame = planes.filter((plane) => isOnFrame(plane, frame));
  const needsPixels = isSupplemented || onFrame.some(({ isInPixels }) => isInPixels);
  const pixels = needsPixels ? await storedPixels(image, signal) : new Uint8Array();
  const bits = await Promise.all(
    onFrame.map(async (plane): Promise<PlaneBits> =>
      plane.isInPixels
        ? planeBitsIn(plane, pixels)
        : planeBitsOf(plane, await dataOf(image, plane.group, signal), frame),
    ),
  );
  const palette = isSupplemented ? supplementalPaletteOf(imageId) : undefined;
  const item = shutterItemOf(header, frame - 1);
  const shutterColor = shutterColorOf(item);
  const shutterGroup = bitmapShutterOf(item, header)?.group;
  const isShutter = ({ plane }: PlaneBits) => plane.group === shutterGroup;
  return {
    colors: palette && bitmapOfColors(storedValuesOf(image, pixels), colorBytesOf(palette), size),
    planes: bitmapOfPlanes(
      bits.filter((one) => !isShutter(one)),
      size,
    ),
    shutters: shuttersOf(item),
    shutterColor,
    shutterPixels: bitmapOfShutter(bits.find(isShutter), size, shutterColor),
    notDrawn: [
      ...(bits.every(isWholePlane) ? [] : [t`Overlay planes of the file are incomplete`]),
      ...(isSupplemented && !palette ? [t`Not drawn: colors of the file (damaged)`] : []),
      ...(unreadShutters(item, header) > 0 ? [t`Not drawn: shutter of the file`] : []),
    ],
  };
};

/** Query for the layers of an image. Kept briefly, because a bitmap is as large as its image. */
export const layersOf = (image: SeriesImage) =>
  queryOptions({
    queryKey: ['viewer', 'file layers', image.imageId],
    queryFn: ({ signal }) => read(image, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
