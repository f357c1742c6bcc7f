import { lookOf } from '#viewer/engine/image-look.ts';
import type { View } from '#viewer/engine/shown-image.ts';
import { whyShownWrong } from '#viewer/images/browser-decoding.ts';
import { tag, textOf } from '#viewer/images/dicom-json.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import type { Seen } from './use-key-images.ts';

/** What a key image is known by. */
export const placeOf = ({ header, frame }: SeriesImage) => ({
  sopInstanceUID: textOf(header, tag.SOPInstanceUID),
  frame,
});

/**
 * The image that a person sees, and how. Undefined when there is none to see: after an image that did not come, or that
 * was decoded wrongly, what is drawn lies under a veil and is not what was asked for.
 */
export const seenIn = ({ viewport, images }: View, seriesInstanceUID: string): Seen | undefined => {
  const wanted = viewport.getCurrentImageId();
  const look = viewport.getCornerstoneImage()?.imageId === wanted ? lookOf(viewport) : undefined;
  const image = images.find(({ imageId }) => imageId === wanted);
  if (!look || !image || whyShownWrong(wanted)) return undefined;
  return { seriesInstanceUID, ...placeOf(image), look };
};
