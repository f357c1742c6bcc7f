import { areParallel, distanceFrom, middleOf, shareFrame, type Slice } from './slice.ts';

/**
 * Relation of two stacks that scroll together. They stay at the same position in the patient, or at a fixed distance in
 * mm.
 */
export type Link = 'position' | 'offset';

type Stack = readonly (Slice | undefined)[];

const firstOf = (stack: Stack): Slice | undefined => stack.find((slice) => slice !== undefined);

/** Returns how a stack can follow a slice. Undefined if it has no parallel slice. */
export const linkOf = (leader: Slice, stack: Stack): Link | undefined => {
  const parallel = stack.filter((slice) => slice && areParallel(leader, slice));
  const first = firstOf(parallel);
  if (!first) return undefined;
  return shareFrame(leader, first) ? 'position' : 'offset';
};

/**
 * Returns the distance from the follower to the leader in mm. The distance stays constant while the two stacks are
 * linked by `offset`.
 */
export const offsetBetween = (leader: Slice, follower: Slice): number => distanceFrom(follower, middleOf(leader));

/** Largest distance between slices at the same position, in mm. */
const samePlace = 0.01;

/**
 * Finds the slice of a stack that is nearest to the center of the leader plus `offset` mm. Also returns the remaining
 * distance in mm. Several slices may lie at one position (phases, echoes). The slice nearest to index `now` is then
 * chosen. Undefined if no slice is parallel.
 */
export const sliceNearest = (
  leader: Slice,
  stack: Stack,
  now: number,
  offset = 0,
): { index: number; away: number } | undefined => {
  const middle = middleOf(leader);
  let best: { index: number; away: number } | undefined;
  for (const [index, slice] of stack.entries()) {
    if (!slice || !areParallel(leader, slice)) continue;
    const away = Math.abs(distanceFrom(slice, middle) - offset);
    const isAsGood = best !== undefined && Math.abs(away - best.away) < samePlace;
    const isNearer = !best || away < best.away - samePlace;
    if (isNearer || (isAsGood && best && Math.abs(index - now) < Math.abs(best.index - now))) best = { index, away };
  }
  return best;
};

/**
 * Returns the lowest and highest position of a stack along the normal of a slice, in mm from that slice. Undefined if
 * no slice of the stack is parallel.
 */
const reachOf = (stack: Stack, along: Slice): [number, number] | undefined => {
  const depths = stack.flatMap((slice) =>
    slice && areParallel(slice, along) ? [distanceFrom(along, middleOf(slice))] : [],
  );
  return depths.length > 0 ? [Math.min(...depths), Math.max(...depths)] : undefined;
};

/**
 * Returns the index of the image of `other` to show first next to the shown image. With a shared frame of reference, it
 * has the same position in the patient. Otherwise it has the same relative position in its stack. Returns 0 if a
 * position is unknown or the stacks are not parallel.
 */
export const firstImageNextTo = (stack: Stack, index: number, other: Stack): number => {
  const [leader, follower] = [stack[index], firstOf(other)];
  if (!leader || !follower || !areParallel(leader, follower)) return 0;
  if (shareFrame(leader, follower)) return sliceNearest(leader, other, 0)?.index ?? 0;
  const [mine, theirs] = [reachOf(stack, follower), reachOf(other, follower)];
  if (!mine || !theirs) return 0;
  const depth = distanceFrom(follower, middleOf(leader));
  const share = mine[1] > mine[0] ? (depth - mine[0]) / (mine[1] - mine[0]) : 0;
  const targetDepth = theirs[0] + share * (theirs[1] - theirs[0]);
  return sliceNearest(leader, other, 0, depth - targetDepth)?.index ?? 0;
};
