import type { Measurement } from '@radwork/contract/reading/measurements';
import { dot, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { fitPlane, movePlaneTo } from '#reading/viewer/volumes/plane-commands.ts';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { point3 } from '#reading/viewer/volumes/point3.ts';
import { lookAlike } from './drawings-on-plane.ts';
import { type ViewOrientation, middleOfPoints, rotationBetween } from './plane-rotation.ts';

const lookingOf = ({ viewport }: Plane): ViewOrientation | undefined => {
  const { viewPlaneNormal: normal, viewUp: up } = viewport.getResolvedView().toICamera();
  return normal && up && { normal, up };
};

/** Rotates all planes by the same rotation. */
const turnTogether = (planes: readonly Plane[], turn: (direction: Vector) => Vector, about: Vector) => {
  for (const plane of planes) {
    const looking = lookingOf(plane);
    if (!looking) continue;
    plane.viewport.setViewState({
      orientation: { viewPlaneNormal: point3(turn(looking.normal)), viewUp: point3(turn(looking.up)) },
      slice: { kind: 'volumePoint', sliceWorldPoint: point3(about) },
    });
  }
};

const isInView = ({ viewport }: Plane, points: readonly Vector[]): boolean => {
  const { clientWidth, clientHeight } = viewport.element;
  return points.every((point) => {
    const [x, y] = viewport.worldToCanvas(point3(point));
    return x >= 0 && y >= 0 && x <= clientWidth && y <= clientHeight;
  });
};

/** Returns how parallel a plane is to a normal, from 0 to 1, whichever side it faces. */
const likeness = (plane: Plane, normal: Vector): number => {
  const looking = lookingOf(plane);
  return looking ? Math.abs(dot(looking.normal, normal)) : 0;
};

/**
 * Moves the planes through a measurement. If no plane is parallel to the measurement, first rotates all planes
 * together, so that the nearest plane becomes parallel. Returns the plane that shows the measurement.
 */
export const showMeasurement = (planes: readonly Plane[], one: Measurement): Plane | undefined => {
  const { tool, plane: drawnPlane, points } = one;
  // A sphere is stored as two points: its center and a point on its surface.
  const middle = middleOfPoints(tool === 'SPHERE' ? points.slice(0, 1) : points);
  const [nearest] = drawnPlane
    ? planes.toSorted((one, other) => likeness(other, drawnPlane.normal) - likeness(one, drawnPlane.normal))
    : [];
  const looking = nearest && lookingOf(nearest);
  if (drawnPlane && looking && !lookAlike(looking.normal, drawnPlane.normal)) {
    turnTogether(planes, rotationBetween(looking, drawnPlane), middle);
  }
  if (nearest && !isInView(nearest, points)) fitPlane(nearest);
  for (const plane of planes) movePlaneTo(plane, middle);
  return nearest;
};
