import { cache, Enums, eventTarget, type Types, utilities, volumeLoader } from '@cornerstonejs/core';
import { damagedText, isForGood, reasonOf } from '#reading/viewer/engine/stack/image-arrival.ts';
import { largestVolumeSide } from '#reading/viewer/engine/loading/start-imaging.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { exceedsVolume } from '#reading/viewer/images/values/volume-values.ts';
import { leavePaddingOut } from './padded-slab.ts';
import { reasonTooLarge } from './volume-size.ts';

/** Progress of a volume: loaded slices, and failed slices with reasons. */
export type Arrival = { loaded: number; total: number; failed: readonly FailedSlice[] };

/** A slice that is missing. `isForGood`: loading it again would fail again. */
export type FailedSlice = { image: SeriesImage; reason: string; isForGood: boolean };

/** A series as one block of voxels. Planes can be cut through the volume while slices are still loading. */
export type Volume = {
  volumeId: string;
  images: readonly SeriesImage[];
  content: Types.IImageVolume;
  /** IDs of the loaded images. */
  loaded: Set<string>;
};

/** Returns whether all slices are loaded. Missing slices are black (`emptySlice`). */
export const isWhole = ({ images, loaded }: Volume): boolean => loaded.size === images.length;

/** Returns the highest value in the loaded slices. Undefined without loaded slices. */
export const highestIn = ({ images }: Volume): number | undefined => {
  const ends = images.flatMap(({ imageId }) => cache.getImage(imageId)?.maxPixelValue ?? []);
  return ends.length > 0 ? Math.max(...ends) : undefined;
};

let lastNumber = 0;

const { genericViewportDisplaySetMetadataProvider: displaySets } = utilities;

/** Size in bytes of each volume in use, by ID. */
const inUse = new Map<string, number>();

const bytesOfType: Record<string, number> = { Uint8Array: 1, Int16Array: 2, Uint16Array: 2, Float32Array: 4 };

const sizeOf = ({ dimensions, dataType }: Types.IImageVolume): number =>
  dimensions[0] * dimensions[1] * dimensions[2] * (bytesOfType[String(dataType)] ?? 4);

/**
 * Creates the volume of a suitable series (`volumeFitness`) without loading it. It belongs to one view box, whose
 * graphics card holds the voxels. Throws an Error with a message for the user if the image memory is too small. The
 * caller must call `releaseVolume`.
 */
export const makeVolume = async ({ engine }: ViewBox, images: readonly SeriesImage[]): Promise<Volume> => {
  lastNumber += 1;
  // The text before the colon selects the loader in the imaging library.
  const volumeId = `cornerstoneStreamingImageVolume:${engine.id}-${lastNumber}`;
  const content = await volumeLoader.createAndCacheVolume(volumeId, {
    imageIds: images.map(({ imageId }) => imageId),
  });
  const bytes = sizeOf(content);
  const others = [...inUse.values()].reduce((sum, size) => sum + size, 0);
  const reason = reasonTooLarge(
    { bytes, dimensions: content.dimensions },
    { bytes: cache.getMaxCacheSize() - others, side: largestVolumeSide() },
  );
  if (reason) {
    cache.removeVolumeLoadObject(volumeId);
    throw new VolumeTooLarge(reason);
  }
  inUse.set(volumeId, bytes);
  // Viewports find the volume by this ID. Crosshairs link viewports with the same volume.
  const { imageIds } = content;
  displaySets.add(volumeId, {
    kind: 'planar',
    imageIds,
    initialImageIdIndex: Math.floor(imageIds.length / 2),
    volumeId,
  });
  return { volumeId, images, content, loaded: new Set() };
};

export class VolumeTooLarge extends Error {}

/** Frees a volume, even while it loads. No viewport may show it any more. Its slices stay in the image cache. */
export const releaseVolume = ({ volumeId, content }: Volume) => {
  inUse.delete(volumeId);
  displaySets.remove(volumeId);
  if (!cache.getVolume(volumeId)) return;
  // The imaging library does not free the memory of the graphics card when it removes a volume.
  content.vtkOpenGLTexture.releaseGraphicsResources();
  cache.removeVolumeLoadObject(volumeId);
};

const { IMAGE_LOADED, IMAGE_LOAD_FAILED } = Enums.Events;

/**
 * Loads the slices of a volume. Reports progress, at most once per screen refresh. Returns a function that stops the
 * reports; `releaseVolume` stops loading. Calls `onBeyond` for an image whose values the volume cannot hold.
 */
export const loadVolume = (
  { images, content, loaded }: Volume,
  onArrival: (arrival: Arrival) => void,
  onBeyond: (image: SeriesImage) => void,
): (() => void) => {
  const waiting = new Map(images.map((image) => [image.imageId, image]));
  const failed: FailedSlice[] = [];
  let frameRequest = 0;
  const scheduleReport = () => {
    frameRequest ||= requestAnimationFrame(() => {
      frameRequest = 0;
      onArrival({ loaded: images.length - waiting.size - failed.length, total: images.length, failed: [...failed] });
    });
  };
  const settle = (imageId: string, failure?: Omit<FailedSlice, 'image'>) => {
    const image = waiting.get(imageId);
    if (!image) return;
    waiting.delete(imageId);
    if (failure) failed.push({ image, ...failure });
    else loaded.add(imageId);
    scheduleReport();
  };
  const onLoaded = ({ detail }: CustomEventInit<{ image: Types.IImage }>) => {
    // For incomplete data, a decoder may return an empty image instead of an error.
    const beyond = detail && exceedsVolume(String(content.dataType), detail.image);
    const image = beyond && waiting.get(detail.image.imageId);
    if (image) {
      onBeyond(image);
      return;
    }
    const isEmpty = detail?.image.rows === 0;
    if (detail && waiting.has(detail.image.imageId) && loaded.size === 0 && content.imageData) {
      leavePaddingOut(content.imageData, images, detail.image);
    }
    const failure = isEmpty ? { reason: damagedText(), isForGood: true } : undefined;
    if (detail) settle(detail.image.imageId, failure);
  };
  const onFailed = ({ detail }: CustomEventInit<{ imageId: string; error: unknown }>) => {
    if (detail) settle(detail.imageId, { reason: reasonOf(detail.error), isForGood: isForGood(detail.error) });
  };
  eventTarget.addEventListener(IMAGE_LOADED, onLoaded);
  eventTarget.addEventListener(IMAGE_LOAD_FAILED, onFailed);
  content.load();
  return () => {
    cancelAnimationFrame(frameRequest);
    eventTarget.removeEventListener(IMAGE_LOADED, onLoaded);
    eventTarget.removeEventListener(IMAGE_LOAD_FAILED, onFailed);
  };
};
