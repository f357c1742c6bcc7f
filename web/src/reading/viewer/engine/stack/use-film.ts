import { Enums, type Types } from '@cornerstonejs/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createFilmPlayer, type FilmPlayer, type FilmState } from '#reading/viewer/images/film/film-player.ts';
import type { FilmTiming } from '#reading/viewer/images/film/film-timing.ts';
import { screenOf } from './film-screen.ts';
import type { View } from './shown-image.ts';

/**
 * Film player of a stack, or of some of its images; pauses when the user scrolls. Give the component a key for each
 * viewport and film.
 */
export const useFilm = (view: View, timing: FilmTiming, film: View['images'] = view.images): FilmPlayer => {
  const [player] = useState(() => createFilmPlayer(timing, screenOf(view, film)));
  const [frames] = useState(() => new Map(film.map((image, frame) => [image.imageId, frame])));

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

/** Pauses a film when the user draws, because a drawing belongs to a single frame. */
export const useStillUnderHand = (film: FilmPlayer, { viewport }: View, isDrawing: boolean) => {
  useEffect(() => {
    if (!isDrawing) return undefined;
    const { element } = viewport;
    const stop = () => film.pause();
    // Listens in the capture phase, to run before the imaging library.
    element.addEventListener('pointerdown', stop, { capture: true });
    return () => element.removeEventListener('pointerdown', stop, { capture: true });
  }, [isDrawing, viewport, film]);
};

export const useFilmState = (player: FilmPlayer): FilmState => useSyncExternalStore(player.subscribe, player.state);
