import { Enums, type Types } from '@cornerstonejs/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createCinePlayer, type CinePlayer, type CineState } from '#reading/viewer/images/cine/cine-player.ts';
import type { CineTiming } from '#reading/viewer/images/cine/cine-timing.ts';
import { screenOf } from './cine-screen.ts';
import type { View } from './shown-image.ts';

/**
 * Cine player of a stack, or of some of its images; pauses when the user scrolls. Give the component a key for each
 * viewport and cine.
 */
export const useCine = (view: View, timing: CineTiming, cineImages: View['images'] = view.images): CinePlayer => {
  const [player] = useState(() => createCinePlayer(timing, screenOf(view, cineImages)));
  const [frames] = useState(() => new Map(cineImages.map((image, frame) => [image.imageId, frame])));

  useEffect(() => {
    const { element } = view.viewport;
    const close = player.open();
    const onScroll = (event: Event) => {
      const { newImageIdIndex } = (event as Types.EventTypes.StackViewportScrollEvent).detail;
      player.yield(frames.get(view.images[newImageIdIndex]?.imageId ?? '') ?? player.state().frame);
    };
    element.addEventListener(Enums.Events.STACK_VIEWPORT_SCROLL, onScroll);
    return () => {
      element.removeEventListener(Enums.Events.STACK_VIEWPORT_SCROLL, onScroll);
      close();
    };
  }, [view, player, frames]);

  return player;
};

/** Pauses a cine when the user draws, because a drawing belongs to a single frame. */
export const useStillUnderHand = (player: CinePlayer, { viewport }: View, isDrawing: boolean) => {
  useEffect(() => {
    if (!isDrawing) return undefined;
    const { element } = viewport;
    const stop = () => player.pause();
    // Listens in the capture phase, to run before the imaging library.
    element.addEventListener('pointerdown', stop, { capture: true });
    return () => element.removeEventListener('pointerdown', stop, { capture: true });
  }, [isDrawing, viewport, player]);
};

export const useCineState = (player: CinePlayer): CineState => useSyncExternalStore(player.subscribe, player.state);
