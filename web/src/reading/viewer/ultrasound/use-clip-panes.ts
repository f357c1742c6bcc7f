import { useCallback, useState } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import type { CinePlayer } from '#reading/viewer/images/cine/cine-player.ts';
import { replaceItem } from '#reading/viewer/shell/replace-item.ts';
import { clipAtOffset, clipsInPanes } from './clips-in-panes.ts';

/** Clip on screen, with its view and player. */
export type ActiveClip = { clip: Clip; view: View; player: CinePlayer };

/** Clip and player of each pane, and the current pane. */
export const useClipPanes = (clips: readonly Clip[], count: number) => {
  const [chosen, setChosen] = useState<readonly (Clip | undefined)[]>([]);
  const [activeClips, setActiveClips] = useState<readonly (ActiveClip | undefined)[]>([]);
  const [entered, enter] = useState(0);

  const current = Math.min(entered, count - 1);
  const clipIn = clipsInPanes(clips, chosen, count);
  const put = (clip: Clip, pane: number) => setChosen((before) => replaceItem(before, pane, clip));
  const onActiveClip = useCallback((pane: number, one: ActiveClip | undefined) => {
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
    onStanding: onActiveClip,
    now: activeClips[current],
    players: activeClips.slice(0, count).flatMap((activeClip) => activeClip?.player ?? []),
  };
};

export type ClipPanes = ReturnType<typeof useClipPanes>;
