import { cache, imageLoader, StreamingImageVolume, type Types, utilities, volumeLoader } from '@cornerstonejs/core';
import { damagedText, isForGood, reasonOf } from '#reading/viewer/engine/stack/image-arrival.ts';
import { largestVolumeSide } from '#reading/viewer/engine/loading/start-imaging.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { exceedsVolume } from '#reading/viewer/images/values/volume-values.ts';
import { leavePaddingOut } from './padded-slab.ts';
import { queueSlices, type SliceQueue } from './slice-queue.ts';
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
  /** IDs of the images that the planes show. */
  loaded: Set<string>;
  /** IDs of the images that could not be loaded. */
  missing: Set<string>;
  /** Slices that are still to be fetched, once loading has begun. */
  queue: { current: SliceQueue | undefined };
};

/** Returns whether slices are still arriving. Planes hatch them until then. */
export const isLoading = ({ images, loaded, missing }: Volume): boolean => loaded.size + missing.size < images.length;

/** Returns whether all slices are loaded. Planes hatch missing slices. */
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
  return { volumeId, images, content, loaded: new Set(), missing: new Set(), queue: { current: undefined } };
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

/** Shortest pause between two updates of the planes while slices arrive, in milliseconds. */
const shortestPause = 100;

/** Longest share of the time that updates may take. Without a graphics card, each takes longer than to load a slice. */
const shareOfUpdates = 1 / 6;

/** Returns the position of a point along the slices of a volume, counted from the center of the first slice. */
const placeOf = ({ origin, direction, spacing }: Types.IImageVolume, point: Vector): number =>
  [0, 1, 2].reduce((sum, axis) => {
    const away = (point[axis as 0 | 1 | 2] ?? 0) - (origin[axis] ?? 0);
    return sum + (away * (direction[6 + axis] ?? 0)) / (spacing[2] || 1);
  }, 0);

/** Loads the slices around a point of the patient next, because the reader looks at it. */
export const loadAround = ({ content, queue }: Volume, point: Vector) =>
  queue.current?.focusOn(placeOf(content, point));

/**
 * Loads the slices of a volume, the middle first, and gives them to the planes. Reports progress with each update of the
 * planes. Returns a function that stops both. Calls `onBeyond` for an image whose values the volume cannot hold.
 */
export const loadVolume = (
  volume: Volume,
  onArrival: (arrival: Arrival) => void,
  onBeyond: (image: SeriesImage) => void,
): (() => void) => {
  const { images, content, loaded, missing, queue } = volume;
  if (!(content instanceof StreamingImageVolume)) throw new Error('The imaging library made another kind of volume');
  const { imageIds } = content;
  const imagesById = new Map(images.map((image) => [image.imageId, image]));
  const arrived: Types.IImage[] = [];
  const failed: FailedSlice[] = [];
  // For PET, reading the options sets the scale of the volume, from which its first window follows.
  const options = imageIds.map((imageId) => content.getLoaderImageOptions(imageId));
  let isStopped = false;
  let lastUpdate = Number.NEGATIVE_INFINITY;
  let pause = shortestPause;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Makes the pause as long as drawing requires. The planes are drawn in the next animation frame. */
  const timeDrawing = () => {
    requestAnimationFrame((begin) =>
      setTimeout(() => {
        pause = Math.max(shortestPause, (performance.now() - begin) / shareOfUpdates);
      }),
    );
  };

  const update = () => {
    timer = undefined;
    lastUpdate = performance.now();
    timeDrawing();
    for (const image of arrived.splice(0)) {
      loaded.add(image.imageId);
      content.successCallback(image.imageId, image);
    }
    onArrival({ loaded: loaded.size, total: images.length, failed: [...failed] });
  };

  /** Updates the planes at once for the first slice and the last, and otherwise together with the next slices. */
  const scheduleUpdate = () => {
    const isFirst = loaded.size === 0;
    const isLast = loaded.size + arrived.length + failed.length === images.length;
    if (isFirst || isLast) clearTimeout(timer);
    else if (timer !== undefined) return;
    timer = setTimeout(update, isFirst || isLast ? 0 : Math.max(0, lastUpdate + pause - performance.now()));
  };

  const stop = () => {
    isStopped = true;
    clearTimeout(timer);
    queue.current?.stop();
  };

  const fail = (image: SeriesImage, failure: Omit<FailedSlice, 'image'>, error: unknown) => {
    failed.push({ image, ...failure });
    missing.add(image.imageId);
    content.errorCallback(image.imageId, true, error);
    scheduleUpdate();
  };

  const take = (of: SeriesImage, image: Types.IImage) => {
    if (exceedsVolume(String(content.dataType), image)) {
      stop();
      onBeyond(of);
      return;
    }
    // For incomplete data, a decoder may return an empty or a shorter image instead of an error.
    if (image.rows === 0 || image.getPixelData().length < content.dimensions[0] * content.dimensions[1]) {
      fail(of, { reason: damagedText(), isForGood: true }, undefined);
      return;
    }
    if (loaded.size + arrived.length === 0 && content.imageData) leavePaddingOut(content.imageData, images, image);
    arrived.push(image);
    scheduleUpdate();
  };

  const load = async (slice: number) => {
    const image = imagesById.get(imageIds[slice] ?? '');
    const optionsOfSlice = options[slice];
    if (!image || !optionsOfSlice) return;
    try {
      const loadedImage = await imageLoader.loadAndCacheImage(image.imageId, { ...optionsOfSlice, priority: 5 });
      if (!isStopped) take(image, loadedImage);
    } catch (error) {
      if (!isStopped) fail(image, { reason: reasonOf(error), isForGood: isForGood(error) }, error);
    }
  };

  // The imaging library would load the slices in the order of their positions, and draw all planes for each of them.
  content.loadImages = () => {
    queue.current = queueSlices(imageIds.length, Math.floor(imageIds.length / 2), load);
    return Promise.resolve(true);
  };
  content.load(() => undefined);
  return stop;
};
