import { useEffect } from 'react';
import { indexOfPhase } from '#reading/viewer/images/series/phase-axes.ts';
import type { View } from './shown-image.ts';
import { goToImage } from './view-commands.ts';

/** Whether a series shows the same positions in several phases. */
export const hasPhases = (view: Pick<View, 'images'> | undefined): boolean =>
  view?.images.some(({ phase }) => phase !== undefined) === true;

/** Moves by a number of phases at the same position and stops at either end. Counts from the last requested image. */
export const moveByPhase = ({ viewport, images }: View, by: number) => {
  const index = indexOfPhase(images, viewport.getTargetImageIdIndex(), by);
  if (index !== undefined) goToImage(viewport, index);
};

/** Shift and wheel move by phases. The tools of the library ignore a wheel with a modifier. */
export const usePhaseWheel = (view: View) => {
  useEffect(() => {
    if (!hasPhases(view)) return undefined;
    const { element } = view.viewport;
    const onWheel = (event: WheelEvent) => {
      // Chrome and Safari report a horizontal wheel movement while Shift is held.
      const turn = event.deltaY || event.deltaX;
      if (!event.shiftKey || turn === 0) return;
      event.preventDefault();
      moveByPhase(view, Math.sign(turn));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [view]);
};
