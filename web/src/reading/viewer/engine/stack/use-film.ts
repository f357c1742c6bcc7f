import { Enums, type Types } from '@cornerstonejs/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createFilmPlayer, type FilmPlayer, type FilmState } from '#reading/viewer/images/film/film-player.ts';
import type { FilmTiming } from '#reading/viewer/images/film/film-timing.ts';
import { screenOf } from './film-screen.ts';
import type { View } from './shown-image.ts';

/** Film player of a stack. Pauses when the user scrolls. Give each viewport its own React key. */
export const useFilm = (view: View, timing: FilmTiming): FilmPlayer => {
  const [player] = useState(() => createFilmPlayer(timing, screenOf(view)));

  useEffect(() => {
    const { element } = view.viewport;
    const close = player.open();
    const onScroll = (event: Event) =>
      player.yield((event as Types.EventTypes.StackViewportScrollEvent).detail.newImageIdIndex);
    element.addEventListener(Enums.Events.STACK_VIEWPORT_SCROLL, onScroll);
    return () => {
      element.removeEventListener(Enums.Events.STACK_VIEWPORT_SCROLL, onScroll);
      close();
    };
  }, [view, player]);

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
