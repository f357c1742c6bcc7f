import { lookOf } from '#reading/viewer/engine/stack/image-look.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { whyShownWrong } from '#reading/viewer/images/header/browser-decoding.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { ImageToMark } from './use-key-images.ts';

/** Returns the SOP instance and the frame that identify a key image. */
export const placeOf = ({ header, frame }: SeriesImage) => ({
  sopInstanceUID: textOf(header, tag.SOPInstanceUID),
  frame,
});

/**
 * Returns the image on the screen and how it is displayed. Undefined if the requested image is missing, not drawn yet,
 * or decoded wrongly. The viewport then hides what it has drawn.
 */
export const imageToMark = ({ viewport, images }: View, seriesInstanceUID: string): ImageToMark | undefined => {
  const requestedId = viewport.getCurrentImageId();
  const look = viewport.getCornerstoneImage()?.imageId === requestedId ? lookOf(viewport) : undefined;
  const image = images.find(({ imageId }) => imageId === requestedId);
  if (!look || !image || whyShownWrong(requestedId)) return undefined;
  return { seriesInstanceUID, ...placeOf(image), look };
};
