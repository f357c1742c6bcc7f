import { cache, getEnabledElement, PlanarViewport, utilities } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import { between, dot, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { type Annotation, kinds, pointsOf } from '#reading/viewer/measuring/drawn-annotation.ts';

/** A plane and the depth visible on it: a point, the normal, and the reach to both sides in mm. */
export type VisiblePlane = { point: Vector; normal: Vector; reach: number };

/** Cosine of one degree. Planes within one degree count as parallel. */
const nearlyOne = Math.cos(Math.PI / 180);

/** Returns whether two planes are parallel, whichever side they face. */
export const lookAlike = (one: Vector, other: Vector): boolean => Math.abs(dot(one, other)) >= nearlyOne;

/** Returns whether a drawing is parallel to a plane and within its visible depth. */
export const isOnPlane = (
  { normal, points }: { normal: Vector; points: readonly Vector[] },
  plane: VisiblePlane,
): boolean =>
  points.length > 0 &&
  lookAlike(normal, plane.normal) &&
  points.every((point) => Math.abs(dot(between(plane.point, point), plane.normal)) <= plane.reach);

/** Largest distance of a new handle from its plane that counts as rounding, in mm. */
const lost = 0.01;

/** Returns the visible depth of a viewport: half a slice to both sides, or half the slab. */
const seenOn = (viewport: PlanarViewport): VisiblePlane | undefined => {
  const { focalPoint: point, viewPlaneNormal: normal } = viewport.getResolvedView().toICamera();
  const volumeId = viewport.getVolumeId();
  const volume = volumeId && cache.getVolume(volumeId);
  if (!point || !normal || !volume) return undefined;
  const slice = utilities.getSpacingInNormalDirection(volume, normal);
  const slab = viewport.getDisplaySetPresentation(volumeId)?.slabThickness ?? 0;
  return { point, normal, reach: Math.max(slice, slab) / 2 + lost };
};

const drawnOn = (viewport: unknown, all: readonly Annotation[]): Annotation[] => {
  const plane = viewport instanceof PlanarViewport ? seenOn(viewport) : undefined;
  return all.filter((one) => {
    const normal = one.metadata?.viewPlaneNormal;
    return one.isVisible !== false && plane && normal && isOnPlane({ normal, points: pointsOf(one) }, plane);
  });
};

/**
 * Makes the tools show drawings only on planes that contain them. The imaging library (5.14.0) shows a single point on
 * every plane through it, and also a drawing that has only its first point. It also ignores slabs.
 */
export const confineToPlanes = (group: Types.IToolGroup) => {
  for (const [, name] of kinds) {
    Object.assign(group.getToolInstance(name), {
      filterInteractableAnnotationsForElement: (element: HTMLDivElement, all: readonly Annotation[] | undefined) =>
        drawnOn(getEnabledElement(element)?.viewport, all ?? []),
    });
  }
};

/**
 * Returns whether points, in screen pixels, reach into the visible part of the image. Magnification makes that part
 * smaller.
 */
export const reachesInto = (
  points: readonly (readonly [x: number, y: number])[],
  { width, height }: { width: number; height: number },
): boolean => {
  const isWithin = (axis: 0 | 1, length: number) =>
    points.some((point) => point[axis] >= 0) && points.some((point) => point[axis] <= length);
  return isWithin(0, width) && isWithin(1, height);
};

/** Returns whether a drawing is visible on a plane at present. */
export const isSeenOn = (viewport: PlanarViewport, one: Annotation): boolean => {
  const { clientWidth: width, clientHeight: height } = viewport.element;
  const points = pointsOf(one).map((point) => viewport.worldToCanvas(point));
  return drawnOn(viewport, [one]).length > 0 && reachesInto(points, { width, height });
};
