import { cache, Enums, eventTarget, type Types, utilities, volumeLoader } from '@cornerstonejs/core';
import { reasonOf } from '#viewer/engine/image-arrival.ts';
import { largestVolumeSide } from '#viewer/engine/imaging.ts';
import type { ViewBox } from '#viewer/engine/view-box.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { reasonTooLarge } from './volume-size.ts';

/** How far a volume has come: how many of its slices are here, and which did not come and why. */
export type Arrival = { loaded: number; total: number; failed: readonly { image: SeriesImage; reason: string }[] };

/** A series as one block of numbers, of which planes can be cut while its slices still arrive. */
export type Volume = {
  volumeId: string;
  images: readonly SeriesImage[];
  content: Types.IImageVolume;
  /** The ids of the images that have come. */
  here: Set<string>;
};

/** Whether all its slices are there; what is missing is black in it. */
export const isWhole = ({ images, here }: Volume): boolean => here.size === images.length;

/** The highest number of those that have come; undefined when none has. */
export const highestIn = ({ images }: Volume): number | undefined => {
  const ends = images.flatMap(({ imageId }) => cache.getImage(imageId)?.maxPixelValue ?? []);
  return ends.length > 0 ? Math.max(...ends) : undefined;
};

let made = 0;

const { genericViewportDisplaySetMetadataProvider: displaySets } = utilities;

/** What the volumes that are looked at take, in bytes, by their ids. */
const inUse = new Map<string, number>();

const bytesOfType: Record<string, number> = { Uint8Array: 1, Int16Array: 2, Uint16Array: 2, Float32Array: 4 };

const sizeOf = ({ dimensions, dataType }: Types.IImageVolume): number =>
  dimensions[0] * dimensions[1] * dimensions[2] * (bytesOfType[String(dataType)] ?? 4);

/**
 * Makes a volume of a series that is fit for one (`volumeFitness`), without loading it yet. It belongs to one view box,
 * because its numbers lie on that box's graphics card. Throws an Error with words for people when it is too large for
 * the memory that is kept for images. Whoever makes one gives it back with `releaseVolume`.
 */
export const makeVolume = async ({ engine }: ViewBox, images: readonly SeriesImage[]): Promise<Volume> => {
  made += 1;
  // The library finds the loader by what stands before the colon.
  const volumeId = `cornerstoneStreamingImageVolume:${engine.id}-${made}`;
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
  // Viewports find it by this name. The crosshairs link those that show the same.
  const { imageIds } = content;
  displaySets.add(volumeId, {
    kind: 'planar',
    imageIds,
    initialImageIdIndex: Math.floor(imageIds.length / 2),
    volumeId,
  });
  return { volumeId, images, content, here: new Set() };
};

export class VolumeTooLarge extends Error {}

/** Frees a volume, also one that is still loading. Nothing may show it any more. Its slices stay in the image cache. */
export const releaseVolume = ({ volumeId, content }: Volume) => {
  inUse.delete(volumeId);
  displaySets.remove(volumeId);
  if (!cache.getVolume(volumeId)) return;
  // What the library calls removing leaves the numbers on the graphics card.
  content.vtkOpenGLTexture.releaseGraphicsResources();
  cache.removeVolumeLoadObject(volumeId);
};

const { IMAGE_LOADED, IMAGE_LOAD_FAILED } = Enums.Events;

/**
 * Fetches the slices of a volume and tells how far it has come, at most once for each time the screen is drawn.
 * Returns how to stop listening; the loading itself stops with `releaseVolume`.
 */
export const loadVolume = ({ images, content, here }: Volume, onArrival: (arrival: Arrival) => void): (() => void) => {
  const waiting = new Map(images.map((image) => [image.imageId, image]));
  const failed: { image: SeriesImage; reason: string }[] = [];
  let asked = 0;
  const tell = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      onArrival({ loaded: images.length - waiting.size - failed.length, total: images.length, failed: [...failed] });
    });
  };
  const settle = (imageId: string, reason?: string) => {
    const image = waiting.get(imageId);
    if (!image) return;
    waiting.delete(imageId);
    if (reason) failed.push({ image, reason });
    else here.add(imageId);
    tell();
  };
  const onLoaded = ({ detail }: CustomEventInit<{ image: Types.IImage }>) => {
    // A decoder that was given half a picture may answer with an empty one instead of an error.
    if (detail) settle(detail.image.imageId, detail.image.rows === 0 ? 'It could not be decoded.' : undefined);
  };
  const onFailed = ({ detail }: CustomEventInit<{ imageId: string; error: unknown }>) => {
    if (detail) settle(detail.imageId, reasonOf(detail.error));
  };
  eventTarget.addEventListener(IMAGE_LOADED, onLoaded);
  eventTarget.addEventListener(IMAGE_LOAD_FAILED, onFailed);
  content.load();
  return () => {
    cancelAnimationFrame(asked);
    eventTarget.removeEventListener(IMAGE_LOADED, onLoaded);
    eventTarget.removeEventListener(IMAGE_LOAD_FAILED, onFailed);
  };
};
