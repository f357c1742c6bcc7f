import { type Clip, firstClipOf } from '#viewer/images/clips.ts';

/** Which clip stands in each of so many panes: the one that was put there, else they follow each other from the first film on. */
export const clipsInPanes = (
  clips: readonly Clip[],
  chosen: readonly (Clip | undefined)[],
  panes: number,
): (Clip | undefined)[] => {
  const first = firstClipOf(clips);
  const start = first ? clips.indexOf(first) : 0;
  return Array.from({ length: panes }, (_, pane) => chosen[pane] ?? clips[start + pane]);
};

/** The clip so many on from one; none beyond either end. */
export const clipBeside = (clips: readonly Clip[], clip: Clip | undefined, by: number): Clip | undefined =>
  clips[(clip ? clips.indexOf(clip) : -1) + by];
