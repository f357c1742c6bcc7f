import { cache, Enums } from '@cornerstonejs/core';
import type { Screen } from '#reading/viewer/images/cine/cine-player.ts';
import type { View } from './shown-image.ts';

/** Adapts a stack viewport to the screen of a cine player. `cineImages` holds the images played, all in the stack. */
export const screenOf = ({ viewport, images }: View, cineImages: View['images'] = images): Screen => {
  const frameOf = new Map(cineImages.map(({ imageId }, frame) => [imageId, frame]));
  const indexOf = new Map(images.map(({ imageId }, index) => [imageId, index]));
  const drawnFrame = () => frameOf.get(viewport.getCornerstoneImage()?.imageId ?? '');
  let notifyShown: Parameters<Screen['onShown']>[0] = () => {};

  const show = async (frame: number) => {
    if (viewport.isDisabled) return;
    await viewport.setImageIdIndex(indexOf.get(cineImages[frame]?.imageId ?? '') ?? frame).catch(() => undefined);
    if (viewport.isDisabled) return;
    // The viewport shows another image or none. Reports the frame as missing, so that the cine continues.
    if (drawnFrame() !== frame) notifyShown(frame, true);
    // Renders again, because a frame that is already drawn fires no event.
    else viewport.render();
  };

  return {
    isHere: (frame) => cache.isLoaded(cineImages[frame]?.imageId ?? ''),
    show: (frame) => void show(frame),
    onShown: (listener) => {
      notifyShown = listener;
      const onRendered = () => {
        const frame = drawnFrame();
        if (frame !== undefined) listener(frame, false);
      };
      viewport.element.addEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
      // A cine may start on a frame that is on the screen already.
      onRendered();
      return () => {
        notifyShown = () => {};
        viewport.element.removeEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
      };
    },
    beforeNextDrawing: (run) => {
      const request = requestAnimationFrame(run);
      return () => cancelAnimationFrame(request);
    },
  };
};
