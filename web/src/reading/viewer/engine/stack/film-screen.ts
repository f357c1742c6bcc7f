import { cache, Enums } from '@cornerstonejs/core';
import type { Screen } from '#reading/viewer/images/film/film-player.ts';
import type { View } from './shown-image.ts';

/** Adapts a stack viewport to the `Screen` interface of a film player. */
export const screenOf = ({ viewport, images }: View): Screen => {
  const frameOf = new Map(images.map(({ imageId }, frame) => [imageId, frame]));
  const drawnFrame = () => frameOf.get(viewport.getCornerstoneImage()?.imageId ?? '');
  let tell: Parameters<Screen['onShown']>[0] = () => {};

  const show = async (frame: number) => {
    if (viewport.isDisabled) return;
    await viewport.setImageIdIndex(frame).catch(() => undefined);
    if (viewport.isDisabled) return;
    // The viewport shows another image or none. Reports the frame as missing, so that the film continues.
    if (drawnFrame() !== frame) tell(frame, true);
    // Renders again, because a frame that is already drawn fires no event.
    else viewport.render();
  };

  return {
    isHere: (frame) => cache.isLoaded(images[frame]?.imageId ?? ''),
    show: (frame) => void show(frame),
    onShown: (shown) => {
      tell = shown;
      const onRendered = () => {
        const frame = drawnFrame();
        if (frame !== undefined) shown(frame, false);
      };
      viewport.element.addEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
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
