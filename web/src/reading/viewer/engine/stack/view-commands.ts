import { t } from '@lingui/core/macro';
import type { StackViewport, Types } from '@cornerstonejs/core';
import { annotation } from '@cornerstonejs/tools';
import { toast } from '#core/browser/toasts.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import type { WindowPreset } from '#reading/viewer/images/values/window-presets.ts';
import { discardDrawing } from '#reading/viewer/engine/tools/discard-drawing.ts';
import { chooseTable, tableChosen } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { resetGray } from '#reading/viewer/engine/gray/reset-gray.ts';

/**
 * Moves by a number of images and stops at both ends. Counts from the image requested last, so that a held key keeps
 * its pace. Avoids the scroll function of the imaging library, which delays images that are not loaded. Its timer
 * continues after a step to a loaded image and then returns to the image before (Cornerstone3D 5.14.0,
 * StackViewport.scroll).
 */
export const moveBy = (viewport: StackViewport, images: number) => viewport.scroll(images, false);

/** Moves to an image of the stack, counted from 0. */
export const goToImage = (viewport: StackViewport, index: number) =>
  moveBy(viewport, index - viewport.getTargetImageIdIndex());

export const setWindow = (viewport: StackViewport, range: GrayRange) => {
  viewport.setProperties({ voiRange: range });
  viewport.render();
};

/** Applies the window or VOI LUT of a preset. */
export const choosePreset = (viewport: StackViewport, { table, range }: WindowPreset) => {
  if (table === undefined || !chooseTable(viewport, table)) setWindow(viewport, range);
  else viewport.render();
};

export const invert = (viewport: StackViewport) => {
  viewport.setProperties({ invert: !viewport.getProperties().invert });
  viewport.render();
};

/** Rotates the image by 90° clockwise. */
export const rotate = (viewport: StackViewport) => {
  viewport.setViewPresentation({ rotation: (viewport.getRotation() + 90) % 360 });
  viewport.render();
};

/** Mirrors the image together with its orientation letters. */
export const flip = (viewport: StackViewport, direction: 'flipHorizontal' | 'flipVertical') => {
  const camera: Types.ICamera = viewport.getCamera();
  viewport.setCamera({ [direction]: !camera[direction] });
  viewport.render();
};

/** Fits the whole image into the viewport. */
export const fit = (viewport: StackViewport) => {
  viewport.setZoom(1);
  viewport.setPan([0, 0]);
  viewport.render();
};

/** Zooms to `target` screen pixels per image pixel. `now` is the current number. */
export const magnify = (viewport: StackViewport, target: number, now: number) => {
  viewport.setZoom((viewport.getZoom() * target) / now);
  viewport.render();
};

/** Resets window, inversion, rotation, flips, zoom and pan. Measurements stay. */
export const reset = (viewport: StackViewport) => {
  viewport.resetCamera();
  resetGray(viewport);
  viewport.render();
};

/** Cancels the measurement that the user is drawing. */
export const cancelDrawing = (viewport: StackViewport) => {
  discardDrawing(viewport.element);
};

/** Deletes the selected measurements on the shown image, or else its last measurement. */
export const removeMeasurement = (viewport: StackViewport) => {
  const imageIds = new Set(viewport.getImageIds());
  const requestedId = viewport.getCurrentImageId();
  // While another image loads, the user could not see the deleted measurement.
  const shownId = viewport.getCornerstoneImage()?.imageId === requestedId ? requestedId : undefined;
  const onStack = annotation.state
    .getAllAnnotations()
    .filter(({ metadata }) => imageIds.has(metadata?.referencedImageId ?? ''));
  const selected = onStack.filter(({ annotationUID = '' }) => annotation.selection.isAnnotationSelected(annotationUID));
  const visibleDrawings = (selected.length > 0 ? selected : onStack).filter(
    ({ metadata }) => shownId !== undefined && metadata?.referencedImageId === shownId,
  );
  const mine = visibleDrawings.filter(({ isLocked }) => !isLocked);
  if (visibleDrawings.length < selected.length) {
    toast.info(t`The selected measurement is on another image and was not removed`);
  }
  if (selected.length > 0 && mine.length < visibleDrawings.length)
    toast.info(t`Only the author of a measurement can delete it`);
  const going = selected.length > 0 ? mine : mine.slice(-1);
  for (const { annotationUID = '' } of going) annotation.state.removeAnnotation(annotationUID);
  viewport.render();
};

/** Loads a failed image again. Sets the whole stack again, because a viewport does not request the same image twice. */
export const retry = async (viewport: StackViewport) => {
  const { voiRange, invert: isInverted, isComputedVOI } = viewport.getProperties();
  const [presentation, table] = [viewport.getViewPresentation(), tableChosen(viewport)];
  await viewport.setStack(viewport.getImageIds(), viewport.getCurrentImageIdIndex());
  if (!viewport.getCornerstoneImage()) return;
  viewport.setProperties({
    ...(voiRange && !isComputedVOI && table === undefined && { voiRange }),
    ...(isInverted !== undefined && { invert: isInverted }),
  });
  viewport.setViewPresentation(presentation);
  viewport.render();
};
