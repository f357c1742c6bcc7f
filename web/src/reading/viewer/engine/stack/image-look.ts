import { Enums, type StackViewport } from '@cornerstonejs/core';
import type { ImageLook } from '@radwork/contract/reading/key-images';
import { fittedScale } from '#reading/viewer/images/geometry/fitted-scale.ts';
import { tableShown } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { resetGray } from '#reading/viewer/engine/gray/reset-gray.ts';

type DrawnImage = ReturnType<StackViewport['getCornerstoneImage']>;

const fittedScaleOf = ({ element }: StackViewport, drawnImage: DrawnImage): number =>
  fittedScale(
    {
      width: drawnImage.columns * (drawnImage.columnPixelSpacing || 1),
      height: drawnImage.rows * (drawnImage.rowPixelSpacing || 1),
    },
    { width: element.clientWidth, height: element.clientHeight },
  );

/** Returns the units of the image plane per pixel of the screen. */
const unitsPerPixel = ({ element }: StackViewport, parallelScale: number): number =>
  (2 * parallelScale) / element.clientHeight;

/** Rounds to thousandths, then limits to [0, 360) as the contract requires: 359.99999999 becomes 0. */
const wholeTurn = (degrees: number): number => (((Math.round(degrees * 1000) / 1000) % 360) + 360) % 360;

/**
 * Returns rotation, zoom, pan and window of the drawn image, independent of the screen size. Undefined before an image
 * is drawn.
 */
export const lookOf = (viewport: StackViewport): ImageLook | undefined => {
  const drawnImage = viewport.getCornerstoneImage();
  const { parallelScale, flipHorizontal = false, flipVertical = false } = viewport.getCamera();
  if (!drawnImage || !parallelScale) return undefined;
  const { voiRange, invert = false } = viewport.getProperties();
  const isPlain = drawnImage.color && voiRange?.lower === 0 && voiRange.upper === 255;
  const [panX, panY] = viewport.getPan();
  const unit = unitsPerPixel(viewport, parallelScale);
  return {
    window:
      voiRange && !isPlain && tableShown(viewport) === undefined
        ? { lower: voiRange.lower, upper: voiRange.upper }
        : null,
    isInverted: invert !== drawnImage.invert,
    rotation: wholeTurn(viewport.getRotation()),
    isMirroredAcross: flipHorizontal,
    isMirroredDown: flipVertical,
    zoom: fittedScaleOf(viewport, drawnImage) / parallelScale,
    pan: [panX * unit, panY * unit],
  };
};

/** Applies a saved view to the drawn image. */
const applyLook = (viewport: StackViewport, look: ImageLook) => {
  const drawnImage = viewport.getCornerstoneImage();
  viewport.resetCamera();
  resetGray(viewport);
  // Rotates and mirrors before panning, because both move an image that is not centered.
  if (look.isMirroredAcross) viewport.setCamera({ flipHorizontal: true });
  if (look.isMirroredDown) viewport.setCamera({ flipVertical: true });
  viewport.setViewPresentation({ rotation: look.rotation });
  const { parallelScale = 1 } = viewport.getCamera();
  const targetScale = fittedScaleOf(viewport, drawnImage) / look.zoom;
  viewport.setZoom((viewport.getZoom() * parallelScale) / targetScale);
  const unit = unitsPerPixel(viewport, targetScale);
  viewport.setPan([look.pan[0] / unit, look.pan[1] / unit]);
  viewport.setProperties({
    ...(look.window && { voiRange: look.window }),
    invert: drawnImage.invert !== look.isInverted,
  });
  viewport.render();
};

/** Applies a saved view as soon as the image is drawn. Does nothing if the user first moves to another image. */
export const showAs = (viewport: StackViewport, imageId: string, look: ImageLook) => {
  const { IMAGE_RENDERED } = Enums.Events;
  const isDrawn = () => viewport.getCornerstoneImage()?.imageId === imageId;
  const onDrawn = () => {
    if (viewport.getCurrentImageId() === imageId && !isDrawn()) return;
    viewport.element.removeEventListener(IMAGE_RENDERED, onDrawn);
    if (viewport.getCurrentImageId() === imageId) applyLook(viewport, look);
  };
  if (isDrawn() && viewport.getCurrentImageId() === imageId) applyLook(viewport, look);
  else viewport.element.addEventListener(IMAGE_RENDERED, onDrawn);
};
