import { areParallel, distanceFrom, middleOf, shareFrame, type Slice } from './slice.ts';

/** How two stacks can be scrolled together: at the same place of the patient, or so many mm apart as they were; or not. */
export type Link = 'position' | 'offset';

type Stack = readonly (Slice | undefined)[];

const firstOf = (stack: Stack): Slice | undefined => stack.find((slice) => slice !== undefined);

/** How a stack can follow a slice: one that holds no parallel slice never does. */
export const linkOf = (leader: Slice, stack: Stack): Link | undefined => {
  const parallel = stack.filter((slice) => slice && areParallel(leader, slice));
  const first = firstOf(parallel);
  if (!first) return undefined;
  return shareFrame(leader, first) ? 'position' : 'offset';
};

/** How far a slice that leads lies before another one, in mm: what stays the same while they are linked by offset. */
export const offsetBetween = (leader: Slice, follower: Slice): number => distanceFrom(follower, middleOf(leader));

/** Nearer than this two slices lie at the same place, in mm. */
const samePlace = 0.01;

/**
 * The slice of a stack that lies nearest to the middle of one that leads, `offset` mm apart, and how many mm are
 * missing. Where several lie at one place (phases, echoes) it is the one nearest to the number shown `now`. Undefined
 * when none is parallel.
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

/** The slices of a stack from its lowest to its highest along the normal of another one, in mm from that. */
const reachOf = (stack: Stack, along: Slice): [number, number] | undefined => {
  const depths = stack.flatMap((slice) =>
    slice && areParallel(slice, along) ? [distanceFrom(along, middleOf(slice))] : [],
  );
  return depths.length > 0 ? [Math.min(...depths), Math.max(...depths)] : undefined;
};

/**
 * With which image a stack of another examination begins beside one that is shown: at the same place where both share
 * a frame of reference, else as far along the body, as a share of what each of them covers. 0 when neither can be said.
 */
export const firstBeside = (shown: Stack, index: number, other: Stack): number => {
  const [leader, follower] = [shown[index], firstOf(other)];
  if (!leader || !follower || !areParallel(leader, follower)) return 0;
  if (shareFrame(leader, follower)) return sliceNearest(leader, other, 0)?.index ?? 0;
  const [mine, theirs] = [reachOf(shown, follower), reachOf(other, follower)];
  if (!mine || !theirs) return 0;
  const depth = distanceFrom(follower, middleOf(leader));
  const share = mine[1] > mine[0] ? (depth - mine[0]) / (mine[1] - mine[0]) : 0;
  const wanted = theirs[0] + share * (theirs[1] - theirs[0]);
  return sliceNearest(leader, other, 0, depth - wanted)?.index ?? 0;
};
