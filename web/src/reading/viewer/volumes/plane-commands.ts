import { point3 } from './point3.ts';
import { discardDrawing } from '#reading/viewer/engine/tools/discard-drawing.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { type Vector, turned } from '#reading/viewer/images/geometry/image-plane.ts';
import { axes, type Plane } from './plane-viewport.tsx';
import { presentationOf, type Slab } from './slab.ts';

/** Scrolls by a number of slices. Stops at both ends. */
export const scrollPlane = ({ viewport }: Plane, slices: number) => void viewport.scroll(slices);

/** Moves to a slice along the normal, counted from 0. Stops at both ends. */
export const goToSlice = ({ viewport }: Plane, slice: number) => void viewport.setImageIdIndex(slice);

/** Moves a plane along its normal until it contains a point, in mm. */
export const movePlaneTo = ({ viewport }: Plane, point: Vector) =>
  viewport.setViewState({ slice: { kind: 'volumePoint', sliceWorldPoint: point3(point) } });

/** Rotates a plane around a unit axis through a point. The angle is in radians. */
export const turnPlane = (
  { viewport }: Plane,
  { axis, angle, about }: { axis: Vector; angle: number; about: Vector },
) => {
  const { viewPlaneNormal, viewUp } = viewport.getResolvedView().toICamera();
  if (!viewPlaneNormal || !viewUp) return;
  viewport.setViewState({
    orientation: {
      viewPlaneNormal: point3(turned(viewPlaneNormal, axis, angle)),
      viewUp: point3(turned(viewUp, axis, angle)),
    },
    slice: { kind: 'volumePoint', sliceWorldPoint: point3(about) },
  });
};

/** Resets a plane to its initial orientation, through the center of the volume, and fits it to the viewport. */
export const resetPlane = ({ viewport, volumes: [{ content }], orientation }: Plane) => {
  const half = (count: number) => Math.floor(count / 2);
  const [columns, rows, slices] = content.dimensions;
  const middle = content.imageData?.indexToWorld([half(columns), half(rows), half(slices)]);
  const [left = 0, posterior = 0, superior = 0] = middle ?? [];
  viewport.resetViewState({ resetOrientation: false });
  viewport.setViewState({
    orientation: axes[orientation],
    slice: { kind: 'volumePoint', sliceWorldPoint: [left, posterior, superior] },
  });
};

/** Sets the window of the lowest volume. */
export const setPlaneWindow = ({ viewport, volumes: [{ volumeId }] }: Plane, range: GrayRange) =>
  viewport.setDisplaySetPresentation(volumeId, { voiRange: { ...range } });

export const invertPlane = ({ viewport, volumes: [{ volumeId }] }: Plane, isInverted: boolean) =>
  viewport.setDisplaySetPresentation(volumeId, { invert: isInverted });

/** Sets the slab of all volumes of a plane. */
export const setSlab = ({ viewport, volumes }: Plane, slab: Slab) => {
  for (const { volumeId } of volumes) viewport.setDisplaySetPresentation(volumeId, presentationOf(slab));
};

/** Fits the whole plane into the viewport. */
export const fitPlane = ({ viewport }: Plane) => {
  viewport.resetViewState({ resetOrientation: false, resetFlip: false });
};

/** Cancels a drawing in progress. */
export const cancelDrawingOn = ({ viewport }: Plane) => discardDrawing(viewport.element);
