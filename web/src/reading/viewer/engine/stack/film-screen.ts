import { cache, Enums } from '@cornerstonejs/core';
import type { Screen } from '#reading/viewer/images/film/film-player.ts';
import type { View } from './shown-image.ts';

/** Adapts a stack viewport to the screen of a film player. `film` holds the images played, all in the stack. */
export const screenOf = ({ viewport, images }: View, film: View['images'] = images): Screen => {
  const frameOf = new Map(film.map(({ imageId }, frame) => [imageId, frame]));
  const indexOf = new Map(images.map(({ imageId }, index) => [imageId, index]));
  const drawnFrame = () => frameOf.get(viewport.getCornerstoneImage()?.imageId ?? '');
  let tell: Parameters<Screen['onShown']>[0] = () => {};

  const show = async (frame: number) => {
    if (viewport.isDisabled) return;
    await viewport.setImageIdIndex(indexOf.get(film[frame]?.imageId ?? '') ?? frame).catch(() => undefined);
    if (viewport.isDisabled) return;
    // The viewport shows another image or none. Reports the frame as missing, so that the film continues.
    if (drawnFrame() !== frame) tell(frame, true);
    // Renders again, because a frame that is already drawn fires no event.
    else viewport.render();
  };

  return {
    isHere: (frame) => cache.isLoaded(film[frame]?.imageId ?? ''),
    show: (frame) => void show(frame),
    onShown: (shown) => {
      tell = shown;
      const onRendered = () => {
        const frame = drawnFrame();
        if (frame !== undefined) shown(frame, false);
      };
      viewport.element.addEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
      // A film may start on a frame that is on the screen already.
      onRendered();
      return () => {
        tell = () => {};
        viewport.element.removeEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
      };
    },
    beforeNextDrawing: (run) => {
      const request = requestAnimationFrame(run);
      return () => cancelAnimationFrame(request);
    },
  };
};
