import { Enums } from '@cornerstonejs/core';
import { useEffect, useState } from 'react';
import { between, cross, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Plane } from './plane-viewport.tsx';

/** Geometry of a plane as last drawn. Screen points are CSS pixels of the element. */
export type DrawnView = {
  toScreen: (point: Vector) => readonly [x: number, y: number];
  toPatient: (x: number, y: number) => Vector;
  right: Vector;
  down: Vector;
  /** Unit vector toward the viewer. */
  normal: Vector;
  /** Scale in CSS pixels per mm. */
  scale: number;
  width: number;
  height: number;
};

const measured = 100;

const viewOf = ({ viewport }: Plane): DrawnView | undefined => {
  const toPatient = (x: number, y: number): Vector => {
    const [left, posterior, superior] = viewport.canvasToWorld([x, y]);
    return [left, posterior, superior];
  };
  const corner = toPatient(0, 0);
  const [across, down] = [between(corner, toPatient(measured, 0)), between(corner, toPatient(0, measured))];
  const [width, height] = [Math.hypot(...across), Math.hypot(...down)];
  if (!(width > 0) || !(height > 0)) return undefined;
  const [rightward, downward] = [times(across, 1 / width), times(down, 1 / height)];
  return {
    toScreen: ([left, posterior, superior]) => {
      const [x, y] = viewport.worldToCanvas([left, posterior, superior]);
      return [x, y];
    },
    toPatient,
    right: rightward,
    down: downward,
    normal: cross(downward, rightward),
    scale: measured / width,
    width: viewport.element.clientWidth,
    height: viewport.element.clientHeight,
  };
};

/** Returns the geometry of a plane, updated after each drawing. */
export const useDrawnView = (plane: Plane | undefined): DrawnView | undefined => {
  const [drawn, setDrawn] = useState<{ plane: Plane; view: DrawnView | undefined }>();
  useEffect(() => {
    if (!plane) return undefined;
    const { element } = plane.viewport;
    const look = () => setDrawn({ plane, view: viewOf(plane) });
    look();
    element.addEventListener(Enums.Events.IMAGE_RENDERED, look);
    return () => element.removeEventListener(Enums.Events.IMAGE_RENDERED, look);
  }, [plane]);
  return drawn?.plane === plane ? drawn?.view : undefined;
};
