import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { lookOf } from '#reading/viewer/engine/stack/image-look.ts';
import { type ShownImage, describeShown, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { whyShownWrong } from '#reading/viewer/images/header/browser-decoding.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { calibrationOf, calibrationText } from '#reading/viewer/measuring/manual-calibration.ts';
import { unsavedStateParts, unsavedPartsText } from '#reading/viewer/presentation-states/unsaved-state-parts.ts';
import type { ListedState } from '#reading/viewer/presentation-states/read-states.ts';
import { captureScreen } from './capture-screen.ts';
import type { Layers, Picture, CaptureResult } from './picture.ts';
import { wholeImageOf } from './whole-image.ts';

/** Describes the drawn image. Undefined while the requested image is hidden or loading. */
const seenIn = (view: View) => {
  const { viewport } = view;
  const requestedId = viewport.getCurrentImageId();
  const drawnImage = viewport.getCornerstoneImage();
  if (!drawnImage || drawnImage.imageId !== requestedId || drawnImage.rows === 0 || whyShownWrong(requestedId))
    return undefined;
  const shown = describeShown(view);
  return shown && { key: JSON.stringify([requestedId, shown.window, lookOf(viewport)]), shown };
};

/**
 * Returns a function that draws the whole image, or the reason why this is not possible. The whole image is drawn with
 * window and rotation only.
 */
const wholeOf = (
  { viewport }: View,
  { image }: ShownImage,
  state: ListedState | undefined,
  { over }: Layers,
): Pick<Picture, 'drawWhole' | 'whyNotWhole'> => {
  // Ignores annotations of the state, because the picture includes them in any case.
  const beyond = unsavedStateParts(state, image).filter((unsavedStatePart) => unsavedStatePart !== 'drawn');
  if (state && beyond.length > 0) {
    const more = unsavedPartsText(state, beyond);
    const whyNotWhole = t`The whole image is drawn with window and rotation only. ${more} Turn the presentation state off to save the whole image.`;
    return { whyNotWhole };
  }
  const drawWhole = wholeImageOf(viewport, over);
  return drawWhole ? { drawWhole } : {};
};

type ShownSeries = { study: StudyDetails; series: SeriesSummary };

/** Captures the image of a viewport as shown with its presentation state. */
export const captureStack = async (
  view: View | undefined,
  shown: ShownSeries | undefined,
  state?: ListedState,
): Promise<CaptureResult> => {
  if (!view || !shown) return t`There is no image to save.`;
  const { viewport, images } = view;
  const captured = await captureScreen(viewport, () => seenIn(view));
  if (!captured) return t`The image is not ready. Wait until it is shown, or pause the cine, then save again.`;
  const { layers } = captured;
  const { image, index, window, isInverted, location, thickness, edges } = captured.seen.shown;
  const calibration = calibrationOf(image.imageId);
  const number = index + 1;
  const total = images.length;
  const { frame, numberOfFrames } = image;
  return {
    study: shown.study,
    series: [shown.series],
    headers: [image.header],
    sopInstanceUID: textOf(image.header, tag.SOPInstanceUID),
    layers,
    edges,
    facts: [
      t`Image ${number} of ${total}`,
      ...(numberOfFrames > 1 ? [t`Frame ${frame} of ${numberOfFrames}`] : []),
      ...[isInverted ? t`${window}  inverted` : window, location, thickness].map((fact) => fact.trim()).filter(Boolean),
      ...(calibration ? [calibrationText(calibration)] : []),
      ...captured.text.facts,
    ],
    titles: captured.text.titles,
    place: t`image ${number}`,
    ...wholeOf(view, captured.seen.shown, state, layers),
  };
};
