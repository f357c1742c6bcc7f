/** Which images something is for: by SOPInstanceUID, with the frames (from 1), or [] for all of them. */
export type ImageReferences = ReadonlyMap<string, readonly number[]>;

/** Something of a state that is for some of its images, or for all of them where `images` is undefined. */
export type ForImages<Part> = { images: ImageReferences | undefined; part: Part };

/** A point in pixels of the image: the first pixel reaches from 0 to 1 (PS3.3 §C.10.5.1.2). */
export type PixelPoint = { x: number; y: number };

/** Whether something that names images names this frame of this one. */
export const isFor = (images: ImageReferences | undefined, sopInstanceUID: string, frame: number): boolean => {
  if (!images) return true;
  const frames = images.get(sopInstanceUID);
  return frames !== undefined && (frames.length === 0 || frames.includes(frame));
};

/** What a state is for, by SeriesInstanceUID. */
export type References = ReadonlyMap<string, ImageReferences>;

/** Whether a state is for a frame (from 1) of an image. */
export const isOfImage = ({ references }: { references: References }, sopInstanceUID: string, frame: number): boolean =>
  [...references.values()].some((images) => isFor(images, sopInstanceUID, frame));
