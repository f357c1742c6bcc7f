import { useCallback, useState } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { Clip } from '#reading/viewer/images/film/clips.ts';
import type { FilmPlayer } from '#reading/viewer/images/film/film-player.ts';
import { replaceItem } from '#reading/viewer/shell/replace-item.ts';
import { clipAtOffset, clipsInPanes } from './clips-in-panes.ts';

/** Clip on screen, with its view and player. */
export type ActiveClip = { clip: Clip; view: View; film: FilmPlayer };

/** Clip and player of each pane, and the current pane. */
export const useClipPanes = (clips: readonly Clip[], count: number) => {
  const [chosen, setChosen] = useState<readonly (Clip | undefined)[]>([]);
  const [activeClips, setActiveClips] = useState<readonly (ActiveClip | undefined)[]>([]);
  const [entered, enter] = useState(0);

  const current = Math.min(entered, count - 1);
  const clipIn = clipsInPanes(clips, chosen, count);
  const put = (clip: Clip, pane: number) => setChosen((before) => replaceItem(before, pane, clip));
  const onStanding = useCallback((pane: number, one: ActiveClip | undefined) => {
    setActiveClips((before) => replaceItem(before, pane, one));
  }, []);

  return {
    clipIn,
    current,
    enter,
    put,
    choose: (clip: Clip) => put(clip, current),
    step: (by: 1 | -1) => {
      const next = clipAtOffset(clips, clipIn[current], by);
      if (next) put(next, current);
    },
    onStanding,
    now: activeClips[current],
    films: activeClips.slice(0, count).flatMap((one) => one?.film ?? []),
  };
};

export type ClipPanes = ReturnType<typeof useClipPanes>;
