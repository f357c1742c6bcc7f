import { type Clip, firstClipOf } from '#reading/viewer/images/cine/clips.ts';

/**
 * Returns the clip of each pane: the clip that the user chose. Without a choice, the panes show consecutive clips from
 * the first suitable clip on.
 */
export const clipsInPanes = (
  clips: readonly Clip[],
  chosenClips: readonly (Clip | undefined)[],
  panes: number,
): (Clip | undefined)[] => {
  const first = firstClipOf(clips);
  const start = first ? clips.indexOf(first) : 0;
  return Array.from({ length: panes }, (_, pane) => chosenClips[pane] ?? clips[start + pane]);
};

/** Returns the clip at an offset from another clip. Undefined before the first or after the last clip. */
export const clipAtOffset = (clips: readonly Clip[], clip: Clip | undefined, by: number): Clip | undefined =>
  clips[(clip ? clips.indexOf(clip) : -1) + by];
