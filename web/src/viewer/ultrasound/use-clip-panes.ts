import { useCallback, useState } from 'react';
import type { View } from '#viewer/engine/shown-image.ts';
import type { Clip } from '#viewer/images/clips.ts';
import type { FilmPlayer } from '#viewer/images/film-player.ts';
import { withItem } from '#viewer/shell/with-item.ts';
import { clipBeside, clipsInPanes } from './clip-panes.ts';

/** Clip on screen, with its view and player. */
export type StandingClip = { clip: Clip; view: View; film: FilmPlayer };

/** Clip and player of each pane, and the current pane. */
export const useClipPanes = (clips: readonly Clip[], count: number) => {
  const [chosen, setChosen] = useState<readonly (Clip | undefined)[]>([]);
  const [standing, setStanding] = useState<readonly (StandingClip | undefined)[]>([]);
  const [entered, enter] = useState(0);

  const current = Math.min(entered, count - 1);
  const clipIn = clipsInPanes(clips, chosen, count);
  const put = (clip: Clip, pane: number) => setChosen((before) => withItem(before, pane, clip));
  const onStanding = useCallback((pane: number, one: StandingClip | undefined) => {
    setStanding((before) => withItem(before, pane, one));
  }, []);

  return {
    clipIn,
    current,
    enter,
    put,
    choose: (clip: Clip) => put(clip, current),
    step: (by: 1 | -1) => {
      const next = clipBeside(clips, clipIn[current], by);
      if (next) put(next, current);
    },
    onStanding,
    now: standing[current],
    films: standing.slice(0, count).flatMap((one) => one?.film ?? []),
  };
};

export type ClipPanes = ReturnType<typeof useClipPanes>;
