import { Enums, type StackViewport, type Types } from '@cornerstonejs/core';
import { type Turn, turnOf } from '#reading/viewer/hanging/projection.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';

const placements = {
  'as recorded': { rotation: 0, flipHorizontal: false, flipVertical: false },
  'half turn': { rotation: 180, flipHorizontal: false, flipVertical: false },
  'mirror across': { rotation: 0, flipHorizontal: true, flipVertical: false },
  'mirror down': { rotation: 0, flipHorizontal: false, flipVertical: true },
} as const satisfies Record<Turn | 'as recorded', object>;

const placementOf = (turn: Turn | undefined) => placements[turn ?? 'as recorded'];

/** Whether an image is shown with a turn. */
export const isTurned = (viewport: StackViewport, turn: Turn | undefined): boolean => {
  const { rotation, ...flips } = placementOf(turn);
  const { flipHorizontal = false, flipVertical = false } = viewport.getCamera();
  const isSameWay = Math.abs(viewport.getRotation() - rotation) < 0.01;
  return isSameWay && flipHorizontal === flips.flipHorizontal && flipVertical === flips.flipVertical;
};

/** Rotates or flips an image. `undefined` shows the image as recorded. The caller must render. */
export const turnTo = (viewport: StackViewport, turn: Turn | undefined) => {
  if (isTurned(viewport, turn)) return;
  const { rotation, ...flips } = placementOf(turn);
  viewport.setViewPresentation({ rotation: 0 });
  viewport.setCamera(flips);
  viewport.setViewPresentation({ rotation });
};

/**
 * Rotates each image of a series with several views as its own view needs. Skips an image that the user has turned or
 * shows as recorded.
 */
export const hangPerImage = (viewport: StackViewport, images: readonly SeriesImage[]) => {
  const turns = new Map(images.map(({ imageId, header }) => [imageId, turnOf(header)]));
  if (new Set(turns.values()).size < 2) return;
  let appliedTurn = turns.get(viewport.getCurrentImageId());
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, (event) => {
    const { imageId } = (event as CustomEvent<Types.EventTypes.StackNewImageEventDetail>).detail;
    const ownTurn = turns.get(imageId);
    if (ownTurn === appliedTurn || !isTurned(viewport, appliedTurn)) return;
    appliedTurn = ownTurn;
    turnTo(viewport, ownTurn);
    viewport.render();
  });
};
