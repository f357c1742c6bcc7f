import { between, dot, plus, times, type Vector } from '#viewer/images/image-plane.ts';
import type { Sphere } from './suv-sphere.ts';
import type { DrawnView } from './use-drawn-view.ts';

/** A circle on the screen, in CSS pixels. */
export type Circle = { x: number; y: number; radius: number };

/** The circle in which a plane, which goes through `onPlane`, cuts a sphere; undefined where it misses it. */
export const circleOf = (view: DrawnView, onPlane: Vector, { centre, radius }: Sphere): Circle | undefined => {
  const away = dot(between(centre, onPlane), view.normal);
  if (Math.abs(away) >= radius) return undefined;
  const [x, y] = view.toScreen(plus(centre, times(view.normal, away)));
  return { x, y, radius: Math.sqrt(radius ** 2 - away ** 2) * view.scale };
};

/** How far from something a hand takes hold of it, in CSS pixels: a finger covers more than the mouse does. */
const reachOf = (isFinger: boolean): number => (isFinger ? 22 : 9);

export type Grip = 'middle' | 'edge';

/** What lies under the pointer: the middle of a circle, to move it, or its edge, to make it larger or smaller. */
export const gripAt = (x: number, y: number, circle: Circle, isFinger = false): Grip | undefined => {
  const away = Math.hypot(x - circle.x, y - circle.y);
  const reach = reachOf(isFinger);
  if (away <= Math.min(reach, circle.radius / 2)) return 'middle';
  return Math.abs(away - circle.radius) <= reach ? 'edge' : undefined;
};

/** The smallest sphere that is kept, in mm: less is a click. */
export const smallest = 1;

/** A sphere after its grip was dragged to a point of the plane. */
export const draggedSphere = (sphere: Sphere, grip: Grip, to: Vector): Sphere =>
  grip === 'middle'
    ? { ...sphere, centre: to }
    : { ...sphere, radius: Math.max(smallest, Math.hypot(...between(sphere.centre, to))) };
