import { Enums } from '@cornerstonejs/core';
import { useEffect, useRef } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';
import { offsetBetween, sliceNearest } from '#reading/viewer/images/geometry/linked-slices.ts';
import { areParallel, shareFrame } from '#reading/viewer/images/geometry/slice.ts';
import { drawnSlice, slicesOf } from './stack-links.ts';

const { STACK_NEW_IMAGE } = Enums.Events;

type Offsets = Map<string, number>;

const pairOf = (leader: View, follower: View) => `${leader.viewport.id} ${follower.viewport.id}`;

/**
 * Stores the offset between two views, once both show an image. The offset stays while the views are linked. Returns
 * true if it is new.
 */
const noteOffset = (offsets: Offsets, leader: View, follower: View): boolean => {
  const pair = pairOf(leader, follower);
  const [ahead, behind] = [drawnSlice(leader), drawnSlice(follower)];
  if (offsets.has(pair) || !ahead || !behind || !areParallel(ahead.slice, behind.slice)) return false;
  const isSameFrame = shareFrame(ahead.slice, behind.slice);
  offsets.set(pair, isSameFrame ? 0 : offsetBetween(ahead.slice, behind.slice));
  return true;
};

/**
 * Slices of a view. If the view has phases, slices of other phases than the shown phase are undefined, so that a
 * follower keeps its phase.
 */
const slicesInPhase = ({ images }: View, now: number) => {
  const phase = images[now]?.phase?.at;
  const slices = slicesOf(images);
  return phase === undefined
    ? slices
    : slices.map((slice, at) => (images[at]?.phase?.at === phase ? slice : undefined));
};

const follow = (offsets: Offsets, leader: View, follower: View) => {
  const offset = offsets.get(pairOf(leader, follower));
  const ahead = drawnSlice(leader);
  if (offset === undefined || !ahead) return;
  const now = follower.viewport.getTargetImageIdIndex();
  const nearest = sliceNearest(ahead.slice, slicesInPhase(follower, now), now, offset);
  if (nearest && nearest.index !== now) goToImage(follower.viewport, nearest.index);
};

/**
 * Scrolls the other views with the current view. Views with the same frame of reference move to the nearest slice.
 * Other views, such as priors, keep their offset. Views that are not parallel do not move.
 */
export const useLinkedScroll = (views: readonly (View | undefined)[], current: number, isLinked: boolean) => {
  const offsets = useRef<Offsets>(new Map());
  const leader = views[current];
  const mountedViews = views.filter((view) => view !== undefined);
  const followers = mountedViews.filter((view) => view !== leader);
  // Uses a ref, because each render creates new lists of the same views.
  const latest = useRef(followers);
  useEffect(() => {
    latest.current = followers;
  });
  const ids = mountedViews.map(({ viewport }) => viewport.id).join(' ');

  useEffect(() => {
    if (!isLinked) offsets.current.clear();
  }, [isLinked]);

  useEffect(() => {
    if (!isLinked || !leader) return undefined;
    const { current: known } = offsets;
    const others = latest.current;
    /** Moves each newly added view to the position of the current view. */
    const join = () => {
      for (const follower of others) if (noteOffset(known, leader, follower)) follow(known, leader, follower);
    };
    const moveFollowers = () => {
      join();
      for (const follower of others) follow(known, leader, follower);
    };
    let isOver = false;
    /**
     * Joins after the event of the new image. The imaging library (Cornerstone3D 5.14.0, StackViewport.successCallback)
     * sets the index of that image again after the event, so a move within it would be lost.
     */
    const joinAfterEvent = () =>
      queueMicrotask(() => {
        if (!isOver) join();
      });
    const isLinkedJustNow = known.size === 0;
    // When another pane becomes current, no view moves. Measures the offsets again from the positions at that moment.
    for (const pair of known.keys()) if (pair.startsWith(`${leader.viewport.id} `)) known.delete(pair);
    if (isLinkedJustNow) join();
    else for (const follower of others) noteOffset(known, leader, follower);
    leader.viewport.element.addEventListener(STACK_NEW_IMAGE, moveFollowers);
    for (const { viewport } of others) viewport.element.addEventListener(STACK_NEW_IMAGE, joinAfterEvent);
    return () => {
      isOver = true;
      leader.viewport.element.removeEventListener(STACK_NEW_IMAGE, moveFollowers);
      for (const { viewport } of others) viewport.element.removeEventListener(STACK_NEW_IMAGE, joinAfterEvent);
    };
  }, [isLinked, leader, ids]);
};
