import type { SeriesImage } from './series-loader.ts';

type Images = readonly SeriesImage[];

/**
 * Returns the images at the same place as one image, sorted by phase. If the series has no phases, returns only that
 * image.
 */
export const phasesAt = (images: Images, index: number): SeriesImage[] => {
  const shownImage = images[index];
  if (!shownImage?.phase) return shownImage ? [shownImage] : [];
  const { place } = shownImage.phase;
  return images.filter(({ phase }) => phase?.place === place);
};

/**
 * Returns the index of the image that is `by` phases later at the same place. Stops at the first and the last phase.
 * Undefined without phases.
 */
export const indexOfPhase = (images: Images, index: number, by: number): number | undefined => {
  const shownImage = images[index];
  if (!shownImage?.phase) return undefined;
  const phases = phasesAt(images, index);
  const targetIndex = Math.max(0, Math.min(phases.length - 1, phases.indexOf(shownImage) + by));
  return images.findIndex((image) => image === phases[targetIndex]);
};

/**
 * Returns the images that a cine plays, starting from one image. If the phases are times, it plays all phases at the
 * place of that image. Otherwise, as for b-values, it plays all places of its phase, if there are several. Without
 * phases, it plays the whole series.
 */
export const cineAt = (images: Images, index: number): Images => {
  const phase = images[index]?.phase;
  if (!phase) return images;
  if (phase.isTime) return phasesAt(images, index);
  const inPhase = images.filter((image) => image.phase?.at === phase.at);
  return inPhase.length > 1 ? inPhase : phasesAt(images, index);
};
