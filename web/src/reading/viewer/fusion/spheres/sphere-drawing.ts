import { between, dot, plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Sphere } from './suv-sphere.ts';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';

/** Circle on the screen, in CSS pixels. */
export type Circle = { x: number; y: number; radius: number };

/** Returns the circle where a sphere cuts the plane through `onPlane`. Undefined if the plane misses the sphere. */
export const circleOf = (view: DrawnView, onPlane: Vector, { center, radius }: Sphere): Circle | undefined => {
  const away = dot(between(center, onPlane), view.normal);
  if (Math.abs(away) >= radius) return undefined;
  const [x, y] = view.toScreen(plus(center, times(view.normal, away)));
  return { x, y, radius: Math.sqrt(radius ** 2 - away ** 2) * view.scale };
};

/** Returns the distance within which a grip reacts, in CSS pixels. It is larger for a finger than for a mouse. */
const reachOf = (isFinger: boolean): number => (isFinger ? 22 : 9);

export type Grip = 'middle' | 'edge';

/** Returns the grip under the pointer. The center moves the sphere; the edge resizes it. */
export const gripAt = (x: number, y: number, circle: Circle, isFinger = false): Grip | undefined => {
  const away = Math.hypot(x - circle.x, y - circle.y);
  const reach = reachOf(isFinger);
  if (away <= Math.min(reach, circle.radius / 2)) return 'middle';
  return Math.abs(away - circle.radius) <= reach ? 'edge' : undefined;
};

/** Smallest radius, in mm. A shorter drag counts as a click. */
export const smallest = 1;

/** Returns the sphere after its grip was dragged to a point of the plane. */
export const draggedSphere = (sphere: Sphere, grip: Grip, to: Vector): Sphere =>
  grip === 'middle'
    ? { ...sphere, center: to }
    : { ...sphere, radius: Math.max(smallest, Math.hypot(...between(sphere.center, to))) };
