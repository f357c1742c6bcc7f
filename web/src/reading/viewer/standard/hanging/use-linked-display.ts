import { Enums } from '@cornerstonejs/core';
import { useEffect, useRef } from 'react';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { chooseTable, isForOwnTable, tableChosen, tableShown } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { valueScaleOf } from '#reading/viewer/images/values/value-scale.ts';
import { drawnSlice } from './stack-links.ts';

const { CAMERA_MODIFIED, VOI_MODIFIED } = Enums.Events;

const modalityOf = ({ images }: View): string => (images[0] ? textOf(images[0].header, tag.Modality) : '');

/** Returns the zoom at which a follower shows as many millimeters per screen pixel as the leader. */
const zoomLike = (leader: View, follower: View): number => {
  const [ahead, behind] = [leader.viewport, follower.viewport];
  const [mine, theirs] = [ahead.getCamera().parallelScale, behind.getCamera().parallelScale];
  // Without a patient position, pixel sizes cannot be compared.
  if (!mine || !theirs || !drawnSlice(leader) || !drawnSlice(follower)) return ahead.getZoom();
  const targetHeight = mine * (behind.element.clientHeight / ahead.element.clientHeight);
  return (behind.getZoom() * theirs) / targetHeight;
};

const moveLike = (leader: View, follower: View) => {
  const { viewport } = follower;
  const [zoom, [x, y]] = [zoomLike(leader, follower), leader.viewport.getPan()];
  const [nowX, nowY] = viewport.getPan();
  if (Math.abs(zoom / viewport.getZoom() - 1) < 0.001 && Math.hypot(nowX - x, nowY - y) < 0.1) return;
  viewport.setZoom(zoom);
  viewport.setPan([x, y]);
  viewport.render();
};

const scaleIn = ({ images: [image] }: View): string | undefined => image && valueScaleOf(image);

const windowLike = (leader: View, follower: View) => {
  if (scaleIn(leader) !== scaleIn(follower)) return;
  const { voiRange } = leader.viewport.getProperties();
  const { voiRange: theirs } = follower.viewport.getProperties();
  const isColour = [leader, follower].some(({ viewport }) => viewport.getCornerstoneImage()?.color !== false);
  // The lookup table is not copied, because it applies only to its own image.
  if (isForOwnTable(leader.viewport)) return;
  const table = tableChosen(leader.viewport);
  if (table !== undefined) {
    if (!isColour && tableShown(follower.viewport) !== table && chooseTable(follower.viewport, table))
      follower.viewport.render();
    return;
  }
  const isSame = voiRange?.lower === theirs?.lower && voiRange?.upper === theirs?.upper;
  if (!voiRange || isColour || (isSame && tableShown(follower.viewport) === undefined)) return;
  follower.viewport.setProperties({ voiRange });
  follower.viewport.render();
};

/**
 * Copies zoom and position of the current view to views of the same modality. Copies the window only to views with
 * comparable pixel values.
 */
export const useLinkedDisplay = (views: readonly (View | undefined)[], current: number, isLinked: boolean) => {
  const leader = views[current];
  const followers = views.filter((view) => view !== undefined && view !== leader);
  const latest = useRef(followers);
  useEffect(() => {
    latest.current = followers;
  });

  useEffect(() => {
    if (!isLinked || !leader) return undefined;
    const { element } = leader.viewport;
    const pass = (on: (leader: View, follower: View) => void) => () => {
      if (!leader.viewport.getCornerstoneImage()) return;
      for (const follower of latest.current) {
        const isAlike = follower && modalityOf(follower) === modalityOf(leader);
        if (isAlike && follower.viewport.getCornerstoneImage()) on(leader, follower);
      }
    };
    const [onMove, onWindow] = [pass(moveLike), pass(windowLike)];
    element.addEventListener(CAMERA_MODIFIED, onMove);
    element.addEventListener(VOI_MODIFIED, onWindow);
    return () => {
      element.removeEventListener(CAMERA_MODIFIED, onMove);
      element.removeEventListener(VOI_MODIFIED, onWindow);
    };
  }, [isLinked, leader]);
};
