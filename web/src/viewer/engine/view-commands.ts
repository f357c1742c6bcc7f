import type { StackViewport, Types } from '@cornerstonejs/core';
import { annotation } from '@cornerstonejs/tools';
import { toast } from '#core/toasts.ts';
import type { GreyRange } from '#viewer/images/grey-window.ts';
import type { WindowPreset } from '#viewer/images/presets.ts';
import { giveUpDrawing } from './give-up.ts';
import { chooseTable, tableChosen } from './table-greys.ts';
import { resetGreys } from './reset-greys.ts';

/**
 * Moves so many images on, up to either end. It counts from where the last call wanted to go, so that holding a key
 * keeps its pace. Without the library's pause before an image that is not loaded: the timer of that pause survives a
 * step to an image that is, and then goes back to the one before (Cornerstone3D 5.14.0, StackViewport.scroll).
 */
export const moveBy = (viewport: StackViewport, images: number) => viewport.scroll(images, false);

/** Goes to an image of the stack, counted from 0. */
export const goToImage = (viewport: StackViewport, index: number) =>
  moveBy(viewport, index - viewport.getTargetImageIdIndex());

export const setWindow = (viewport: StackViewport, range: GreyRange) => {
  viewport.setProperties({ voiRange: range });
  viewport.render();
};

/** Shows greys as a preset has them. */
export const choosePreset = (viewport: StackViewport, { table, range }: WindowPreset) => {
  if (table === undefined || !chooseTable(viewport, table)) setWindow(viewport, range);
  else viewport.render();
};

export const invert = (viewport: StackViewport) => {
  viewport.setProperties({ invert: !viewport.getProperties().invert });
  viewport.render();
};

/** Turns the picture a quarter to the right. */
export const rotate = (viewport: StackViewport) => {
  viewport.setViewPresentation({ rotation: (viewport.getRotation() + 90) % 360 });
  viewport.render();
};

/** Mirrors the picture. The letters at its edges go with it. */
export const flip = (viewport: StackViewport, direction: 'flipHorizontal' | 'flipVertical') => {
  const camera: Types.ICamera = viewport.getCamera();
  viewport.setCamera({ [direction]: !camera[direction] });
  viewport.render();
};

/** Shows the whole picture as large as it fits. */
export const fit = (viewport: StackViewport) => {
  viewport.setZoom(1);
  viewport.setPan([0, 0]);
  viewport.render();
};

/** Magnifies to so many screen pixels for each pixel of the image, given how many there are now. */
export const magnify = (viewport: StackViewport, wanted: number, now: number) => {
  viewport.setZoom((viewport.getZoom() * wanted) / now);
  viewport.render();
};

/** Takes back window, inversion, turning, mirroring, zoom and pan. Measurements stay. */
export const reset = (viewport: StackViewport) => {
  viewport.resetCamera();
  resetGreys(viewport);
  viewport.render();
};

/** Gives up a measurement that is being drawn. */
export const cancelDrawing = (viewport: StackViewport) => {
  giveUpDrawing(viewport.element);
};

/** Removes the selected measurements, or else the one that was made last, and of them only what is on the image that is shown. */
export const removeMeasurement = (viewport: StackViewport) => {
  const imageIds = new Set(viewport.getImageIds());
  const asked = viewport.getCurrentImageId();
  // On what is still on its way nobody sees what would go.
  const shown = viewport.getCornerstoneImage()?.imageId === asked ? asked : undefined;
  const onStack = annotation.state
    .getAllAnnotations()
    .filter(({ metadata }) => imageIds.has(metadata?.referencedImageId ?? ''));
  const selected = onStack.filter(({ annotationUID = '' }) => annotation.selection.isAnnotationSelected(annotationUID));
  const seen = (selected.length > 0 ? selected : onStack).filter(
    ({ metadata }) => shown !== undefined && metadata?.referencedImageId === shown,
  );
  const mine = seen.filter(({ isLocked }) => !isLocked);
  if (seen.length < selected.length) {
    toast.info('The selected measurement is not on the image that is shown: it was not removed');
  }
  if (selected.length > 0 && mine.length < seen.length) toast.info('Only whoever drew a measurement may delete it');
  const going = selected.length > 0 ? mine : mine.slice(-1);
  for (const { annotationUID = '' } of going) annotation.state.removeAnnotation(annotationUID);
  viewport.render();
};

/** Tries again to load the image that did not come. The stack is set anew because the viewport would not ask twice. */
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
