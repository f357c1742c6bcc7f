import { cache, getEnabledElement, PlanarViewport, utilities } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import { between, dot, type Vector } from '#viewer/images/image-plane.ts';
import { type Annotation, kinds, pointsOf } from '#viewer/measuring/drawn-annotation.ts';

/** A plane with what is seen on it: a point of it, where it looks, and how far before and behind it, in mm. */
export type SeenPlane = { point: Vector; normal: Vector; reach: number };

/** The cosine of a degree: planes that are turned by less against each other look the same way. */
const nearlyOne = Math.cos(Math.PI / 180);

/** Whether two planes look the same way, or opposite ways. */
export const lookAlike = (one: Vector, other: Vector): boolean => Math.abs(dot(one, other)) >= nearlyOne;

/** Whether what was drawn is on a plane: on one that looks the same way, and all of it within its reach. */
export const isOnPlane = (
  { normal, points }: { normal: Vector; points: readonly Vector[] },
  plane: SeenPlane,
): boolean =>
  points.length > 0 &&
  lookAlike(normal, plane.normal) &&
  points.every((point) => Math.abs(dot(between(plane.point, point), plane.normal)) <= plane.reach);

/** A handle that has just been set lies beside its plane by what numbers lose on their way, in mm. */
const lost = 0.01;

/** What is seen on a viewport: half a slice before the plane and behind, or half the slab. */
const seenOn = (viewport: PlanarViewport): SeenPlane | undefined => {
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
 * Has the tools show what is drawn on the planes where it lies. The library's own rule (5.14.0) shows a point and what
 * begins as one on every plane through it, however that looks, and knows of no slab.
 */
export const confineToPlanes = (group: Types.IToolGroup) => {
  for (const [, name] of kinds) {
    Object.assign(group.getToolInstance(name), {
      filterInteractableAnnotationsForElement: (element: HTMLDivElement, all: readonly Annotation[] | undefined) =>
        drawnOn(getEnabledElement(element)?.viewport, all ?? []),
    });
  }
};

/** Whether something with these points, in pixels of the screen, reaches into a picture; one that is magnified shows less. */
export const reachesInto = (
  points: readonly (readonly [x: number, y: number])[],
  { width, height }: { width: number; height: number },
): boolean => {
  const isWithin = (axis: 0 | 1, length: number) =>
    points.some((point) => point[axis] >= 0) && points.some((point) => point[axis] <= length);
  return isWithin(0, width) && isWithin(1, height);
};

/** Whether something is seen on a plane now. */
export const isSeenOn = (viewport: PlanarViewport, one: Annotation): boolean => {
  const { clientWidth: width, clientHeight: height } = viewport.element;
  const points = pointsOf(one).map((point) => viewport.worldToCanvas(point));
  return drawnOn(viewport, [one]).length > 0 && reachesInto(points, { width, height });
};
