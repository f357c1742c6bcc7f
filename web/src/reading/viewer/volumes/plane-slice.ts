import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { ToScreen } from '#reading/viewer/presentation-states/apply-state.ts';
import type { DrawnView } from './use-drawn-view.ts';

/** CSS pixels per sample of a plane. */
const step = 2;

/** A plane on the screen as a slice, with its place there. */
export type PlaneSlice = { slice: Slice; toScreen: ToScreen };

/**
 * Returns the slice of the patient that a plane shows. It reaches from edge to edge of the viewport, and has a sample
 * for every other pixel of the screen.
 */
export const planeSlice = (
  { toPatient, right, down, scale, width, height }: DrawnView,
  frameOfReference: string,
): PlaneSlice => ({
  slice: {
    position: toPatient(0, 0),
    along: right,
    down,
    columns: Math.ceil(width / step) + 1,
    rows: Math.ceil(height / step) + 1,
    columnSpacing: step / scale,
    rowSpacing: step / scale,
    frameOfReference,
  },
  // The center of the first sample is at the corner of the screen, and is 0.5 in pixels of an image.
  toScreen: ({ x, y }) => ({ x: (x - 0.5) * step, y: (y - 0.5) * step }),
});
