import { Enums } from '@cornerstonejs/core';
import { Enums as ToolEnums } from '@cornerstonejs/tools';
import { useEffect, useState } from 'react';
import { between, dot, normalOf, plus, times } from '#reading/viewer/images/geometry/image-plane.ts';
import { fittedPlace } from '#reading/viewer/images/gray/gray-picture.ts';
import { point3 } from '#reading/viewer/volumes/point3.ts';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { slabOf } from '#reading/viewer/volumes/slab.ts';
import type { FirstPlaneView } from './first-plane-view.ts';

/** Tolerance of a place on the screen, in CSS pixels. */
const samePlace = 0.5;

/** Tolerance of the depth of a slice in mm, as for slices that form a volume. */
const sameDepth = 0.1;

/** Tolerance of the ends of a window. */
const sameValue = 0.01;

/** Whether the library draws a plane at the place of its first image. */
const isPlacedAlike = ({ viewport, volumes: [{ content }] }: Plane, { gray, plane }: FirstPlaneView): boolean => {
  const { clientWidth: width, clientHeight: height } = viewport.element;
  const { left, top, magnification } = fittedPlace(gray, { width, height });
  const [across, down] = content.spacing;
  const isThere = (column: number, row: number) => {
    const center = plus(plane.position, plus(times(plane.along, column * across), times(plane.down, row * down)));
    const [x, y] = viewport.worldToCanvas(point3(center));
    return (
      Math.abs(x - left - (column + 0.5) * magnification) < samePlace &&
      Math.abs(y - top - (row + 0.5) * magnification) < samePlace
    );
  };
  const away = between(plane.position, viewport.canvasToWorld([width / 2, height / 2]));
  return (
    Math.abs(dot(away, normalOf(plane))) < sameDepth &&
    isThere(0, 0) &&
    isThere(gray.columns - 1, 0) &&
    isThere(0, gray.rows - 1)
  );
};

/** Whether the library draws a plane in the window of its first image, without a slab. */
const isShownAlike = ({ viewport, volumes: [{ volumeId }] }: Plane, first: FirstPlaneView): boolean => {
  const presentation = viewport.getDisplaySetPresentation(volumeId);
  const range = presentation?.voiRange ?? viewport.getDefaultVOIRange(volumeId);
  return (
    range !== undefined &&
    Math.abs(range.lower - first.range.lower) < sameValue &&
    Math.abs(range.upper - first.range.upper) < sameValue &&
    presentation?.invert !== true &&
    slabOf(presentation).thickness === 0
  );
};

const isAlike = (plane: Plane, first: FirstPlaneView) => isPlacedAlike(plane, first) && isShownAlike(plane, first);

/**
 * Returns whether the first image of a plane still lies over it. It ends when the library has drawn this slice or failed
 * to load it, when measurements are drawn, when the reader presses, and when the plane differs, as after scrolling.
 */
export const useIsFirst = (plane: Plane | undefined, first: FirstPlaneView | undefined, isLoading: boolean) => {
  const [isOver, setIsOver] = useState(false);

  useEffect(() => {
    if (!plane || !first || isOver) return undefined;
    const { element } = plane.viewport;
    const compare = () => {
      if (!isAlike(plane, first)) setIsOver(true);
    };
    const end = () => setIsOver(true);
    const onRendered = () => {
      const [{ loaded, missing }] = plane.volumes;
      // A slice that failed is hatched.
      if (loaded.has(first.image.imageId) || missing.has(first.image.imageId)) end();
      else compare();
    };
    const request = requestAnimationFrame(compare);
    element.addEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
    // The first image covers measurements, those of the study and those that the reader draws.
    element.addEventListener(ToolEnums.Events.ANNOTATION_RENDERED, end);
    element.addEventListener('pointerdown', end);
    return () => {
      cancelAnimationFrame(request);
      element.removeEventListener(Enums.Events.IMAGE_RENDERED, onRendered);
      element.removeEventListener(ToolEnums.Events.ANNOTATION_RENDERED, end);
      element.removeEventListener('pointerdown', end);
    };
  }, [plane, first, isOver]);

  return isLoading && !isOver;
};
