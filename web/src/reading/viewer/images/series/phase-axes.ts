import type { SeriesImage } from './series-loader.ts';

type Images = readonly SeriesImage[];

/** Images at the place of one image, in the order of their phases. Only that image in a series without phases. */
export const phasesAt = (images: Images, index: number): SeriesImage[] => {
  const shown = images[index];
  if (!shown?.phase) return shown ? [shown] : [];
  const { place } = shown.phase;
  return images.filter(({ phase }) => phase?.place === place);
};

/** Index of the image `by` phases on at the same place, up to either end. Undefined without phases. */
export const indexOfPhase = (images: Images, index: number, by: number): number | undefined => {
  const shown = images[index];
  if (!shown?.phase) return undefined;
  const there = phasesAt(images, index);
  const wanted = Math.max(0, Math.min(there.length - 1, there.indexOf(shown) + by));
  return images.findIndex((image) => image === there[wanted]);
};

/**
 * Images that a cine plays from one image on: along the time at its place, or through the places of its phase if the
 * phases are no times, such as b-values. The whole series without phases.
 */
export const filmAt = (images: Images, index: number): Images => {
  const phase = images[index]?.phase;
  if (!phase) return images;
  if (phase.isTime) return phasesAt(images, index);
  const inPhase = images.filter((image) => image.phase?.at === phase.at);
  return inPhase.length > 1 ? inPhase : phasesAt(images, index);
};
