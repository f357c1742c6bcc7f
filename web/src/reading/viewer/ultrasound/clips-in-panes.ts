import { type Clip, firstClipOf } from '#reading/viewer/images/film/clips.ts';

/** Clip of each pane: the chosen one, or else the clips in order. */
export const clipsInPanes = (
  clips: readonly Clip[],
  chosen: readonly (Clip | undefined)[],
  panes: number,
): (Clip | undefined)[] => {
  const first = firstClipOf(clips);
  const start = first ? clips.indexOf(first) : 0;
  return Array.from({ length: panes }, (_, pane) => chosen[pane] ?? clips[start + pane]);
};

/** Clip at an offset from another. Undefined past either end. */
export const clipAtOffset = (clips: readonly Clip[], clip: Clip | undefined, by: number): Clip | undefined =>
  clips[(clip ? clips.indexOf(clip) : -1) + by];
