import { type Clip, firstClipOf } from '#reading/viewer/images/cine/clips.ts';

/**
 * Returns the clip of each pane: the clip that the user chose. Without a choice, or after the chosen clip was rejected, the
 * panes show consecutive clips from the first suitable clip on.
 */
export const clipsInPanes = (
  clips: readonly Clip[],
  chosenClips: readonly (Clip | undefined)[],
  panes: number,
): (Clip | undefined)[] => {
  const first = firstClipOf(clips);
  const start = first ? clips.indexOf(first) : 0;
  // A series that was loaded again has other objects for the same clips.
  const byKey = new Map(clips.map((clip) => [clip.key, clip]));
  return Array.from({ length: panes }, (_, pane) => byKey.get(chosenClips[pane]?.key ?? '') ?? clips[start + pane]);
};

/** Returns the clip at an offset from another clip. Undefined before the first or after the last clip. */
export const clipAtOffset = (clips: readonly Clip[], clip: Clip | undefined, by: number): Clip | undefined =>
  clips[(clip ? clips.indexOf(clip) : -1) + by];
