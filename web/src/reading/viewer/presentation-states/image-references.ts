/** Referenced images: SOPInstanceUID with frame numbers (from 1), or [] for all frames. */
export type ImageReferences = ReadonlyMap<string, readonly number[]>;

/**
 * Part of a state, with the images to which it applies. If `images` is undefined, it applies to all images of the
 * state.
 */
export type ForImages<Part> = { images: ImageReferences | undefined; part: Part };

/** Point in image pixels. The first pixel covers 0 to 1 (PS3.3 §C.10.5.1.2). */
export type PixelPoint = { x: number; y: number };

/** Returns whether references include a frame of an image. */
export const isFor = (images: ImageReferences | undefined, sopInstanceUID: string, frame: number): boolean => {
  if (!images) return true;
  const frames = images.get(sopInstanceUID);
  return frames !== undefined && (frames.length === 0 || frames.includes(frame));
};

/** References of a state by SeriesInstanceUID. */
export type References = ReadonlyMap<string, ImageReferences>;

/** Returns whether a state applies to a frame (from 1) of an image. */
export const isOfImage = ({ references }: { references: References }, sopInstanceUID: string, frame: number): boolean =>
  [...references.values()].some((images) => isFor(images, sopInstanceUID, frame));
